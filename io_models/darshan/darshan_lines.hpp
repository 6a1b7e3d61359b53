// SPDX-License-Identifier: BSD-3-Clause
// The state that the readers of a Darshan log share: the current line with its errors, the log
// under construction, and numbers.
#pragma once

#include "io_models/darshan/darshan_log.hpp"

namespace tutti::io_models {

class DarshanLines {
 public:
  explicit DarshanLines(const std::string& file) : file_(file) { log_.source = file; }

  void start(std::string_view line) {
    line_ = line;
    ++number_;
  }
  void finish() { line_ = {}; }
  int number() const { return std::max(1, number_); }

  void reject(std::string message, std::string hint = "") {
    reject_line(number(), std::move(message), std::move(hint), source_line(line_));
  }
  void reject_line(int line, std::string message, std::string hint, std::string source = "") {
    auto error = make_error(ErrorKind::input, file_, std::move(message), std::move(hint));
    error.line = line;
    error.source = std::move(source);
    errors_.add(std::move(error));
  }
  const ErrorList& errors() const { return errors_; }

  DarshanLog& log() { return log_; }
  // Index of the file with this record identifier, which is added if it is new.
  std::size_t file_of(std::uint64_t id, std::string_view name);
  // A whole number from 0 to 2^60; rejects others.
  std::optional<std::int64_t> amount(std::string_view what, std::string_view text);
  // A finite number of seconds, not negative; rejects others.
  std::optional<Seconds> seconds(std::string_view what, std::string_view text);
  // A rank of the job, or -1 if `or_shared`; rejects others.
  std::optional<RankId> rank(std::string_view text, bool or_shared);
  std::optional<std::uint64_t> record_id(std::string_view text);

 private:
  std::string file_;
  std::string_view line_;
  int number_ = 0;
  ErrorList errors_;
  DarshanLog log_;
  std::unordered_map<std::uint64_t, std::size_t> files_;
};

}  // namespace tutti::io_models
