// SPDX-License-Identifier: BSD-3-Clause
// Reads whole text files into memory, up to a limit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/result.hpp"

namespace tutti {

// Line-by-line reading of small text files that users write. A byte order mark, blank lines, '#'
// comments and blanks around a line are ignored, and errors are reported with their line.

// Removes blanks, tabs and carriage returns at both ends.
std::string_view trim(std::string_view text);

class LineReader {
 public:
  // Both texts must outlive this object. `file` is used only in messages.
  LineReader(std::string_view text, std::string_view file);

  // The next line with content, trimmed. Nothing at the end, or once the list of errors is full.
  std::optional<std::string_view> next();
  // Number of the line that was read last, from 1.
  int number() const { return number_ > 1 ? number_ : 1; }

  // Adds an error at the line that was read last. At the end of the file, the error has no source
  // line.
  void reject(std::string message, std::string hint = "");
  // Adds an error at an earlier line, without its source.
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

// Registers `path` as an input of the command and returns its bytes. A missing or unreadable file,
// a directory and a file longer than `limit` are errors of kind `input` with `path` as the place.
Result<std::string> read_text_file(const std::string& path, std::size_t limit = longest_text_file);

// All bytes of standard input; the place of errors is "standard input".
Result<std::string> read_standard_input(std::size_t limit = longest_text_file);
inline constexpr std::string_view standard_input = "standard input";

}  // namespace tutti
