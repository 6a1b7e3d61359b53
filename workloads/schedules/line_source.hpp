// SPDX-License-Identifier: BSD-3-Clause
// The lines of a text, or of a file of any size that may be compressed by gzip.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/hash.hpp"

struct gzFile_s;

namespace tutti::workloads::schedules {

class LineSource {
 public:
  // The text must outlive the object.
  explicit LineSource(std::string_view text);
  // The file is open and is closed by the object.
  explicit LineSource(gzFile_s* file);
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;
  ~LineSource();

  // The next line without its end, valid until the next call; unset at the end or after an error.
  std::optional<std::string_view> next();
  // The reason why reading has failed; empty if it has not.
  const std::string& failure() const { return failure_; }
  // A hash of all that has been read.
  std::string content() const { return hash_.key(); }

 private:
  bool refill();

  gzFile_s* file_ = nullptr;
  std::string_view rest_;     // of what has been read
  std::vector<char> buffer_;  // of a file
  bool is_over_ = false;
  std::string failure_;
  ContentHash hash_;
};

// Opens the file and registers it as an input.
Result<gzFile_s*> open_lines(const std::string& path);

}  // namespace tutti::workloads::schedules
