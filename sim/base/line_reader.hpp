// SPDX-License-Identifier: BSD-3-Clause
// Small text files that people write, line by line. What all of them share: a byte order mark
// before the text, blank lines, '#' comments and blanks around a line mean nothing, and what is
// wrong is told with the line where it stands.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/error_list.hpp"

namespace tutti {

// Without the blanks, tabs and carriage returns around it.
std::string_view trim(std::string_view text);

class LineReader {
 public:
  // Keeps views: both outlive it. `file` is used in messages only.
  LineReader(std::string_view text, std::string_view file);

  // The next line that says something, trimmed. Nothing at the end, and nothing more once the list
  // of errors is full.
  std::optional<std::string_view> next();
  // Of the line that was read last, from 1; at the end that of the last line.
  int number() const { return number_ > 1 ? number_ : 1; }

  // Adds an error at the line that was read last; at the end it shows no line.
  void refuse(std::string message, std::string hint = "");
  // At an earlier line, which is not shown.
  void refuse_line(int line, std::string message, std::string hint = "");

  const ErrorList& errors() const { return errors_; }

 private:
  std::string_view rest_;
  std::string_view file_;
  std::string_view line_;
  int number_ = 0;
  ErrorList errors_;
};

}  // namespace tutti
