// SPDX-License-Identifier: BSD-3-Clause
// Lines of a benchmark's output: comments, headers and rows of numbers.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/tables/readers.hpp"

namespace tutti::reports {

class BenchmarkLines {
 public:
  BenchmarkLines(std::string_view text, const std::string& path)
      : text_(text), rest_(text), path_(path) {}

  // The next line, trimmed; blank lines are returned, too. Unset at the end of the text.
  std::optional<std::string_view> next();
  // The whole text.
  std::string_view all() const { return text_; }
  // Number of the line returned last, from 1.
  int number() const { return number_; }
  // An error at the position of `at`, which must be a part of the text.
  Error error(std::string_view at, std::string message, std::string hint = "") const;

 private:
  std::string_view text_;
  std::string_view rest_;
  int number_ = 0;
  const std::string& path_;
};

std::vector<std::string_view> words_in(std::string_view line);

}  // namespace tutti::reports
