// SPDX-License-Identifier: BSD-3-Clause
// Whole text files into memory, with a limit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/result.hpp"

namespace tutti {

// Small text files that people write, line by line. What all of them share: a byte order mark
// before the text, blank lines, '#' comments and blanks around a line mean nothing, and what is
// wrong is told with the line where it stands.

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
  void reject(std::string message, std::string hint = "");
  // At an earlier line, which is not shown.
  void reject_line(int line, std::string message, std::string hint = "");

  const ErrorList& errors() const { return errors_; }

 private:
  std::string_view rest_;
  std::string_view file_;
  std::string_view line_;
  int number_ = 0;
  ErrorList errors_;
};

inline constexpr std::size_t longest_text_file = 64 * 1024 * 1024;

// The bytes of `path`. A missing or unreadable file, a directory and a file longer than `limit` are
// errors of kind `input` whose place is `path`. The file is an input of this command from here on.
Result<std::string> read_text_file(const std::string& path, std::size_t limit = longest_text_file);

// What standard input has, up to its end; the place of errors is "standard input".
Result<std::string> read_standard_input(std::size_t limit = longest_text_file);
inline constexpr std::string_view standard_input = "standard input";

}  // namespace tutti
