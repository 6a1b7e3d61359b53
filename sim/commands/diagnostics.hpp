// SPDX-License-Identifier: BSD-3-Clause
// What a person is told on stderr: errors with place and hint, warnings, notes.
#pragma once

#include <initializer_list>

#include "sim/base/common.hpp"

namespace tutti::commands {

// Messages and quoted lines, made to fit the terminal that they are told on.

// Of a terminal in columns; none: a file or a pipe.
using Width = std::optional<std::size_t>;

// The lines of `message` broken at spaces, what follows indented; without a width as they are. Ends
// with a newline.
std::string fitted(std::string_view message, Width width);

// A line of a file, indented, and under it a caret below the byte `column` (from 1; 0: no caret).
// Of a line that is wider than the terminal, or than 200 characters, the part around the caret:
// "..." stands for the rest. A tab stays a tab above the caret and before it.
std::string pointed_line(std::string_view line, int column, Width width);

// Exit codes; `sim help exit-codes` explains them.
enum ExitCode : int {
  exit_done = 0,
  exit_points_failed = 1,
  exit_usage = 2,
  exit_store = 3,
  exit_io = 4,
  exit_bug = 70,
};

enum class ColorMode { automatic, always, never };

// `automatic`: colours if NO_COLOR is unset or empty and stderr is a terminal, or FORCE_COLOR says
// so. `--color` wins over both.
bool wants_color(ColorMode mode);

// "crill.xml:3:15: error: ...", the line, a caret, "help: ..."; "sim: error: --procs: ..." where
// the place is no position in a file. Ends with a newline. Fits a terminal of that width.
std::string describe(const Error& error, bool color, Width width = {});

// A person reads no more than this; then it is said how many more there are.
inline constexpr std::size_t most_errors_reported = 20;
std::string describe_all(const std::vector<Error>& errors, bool color, Width width = {});

// "sim: warning: ...".
std::string describe_warning(const std::string& message, bool color, Width width = {});

ExitCode exit_code(ErrorKind kind);

class Diagnostics {
 public:
  explicit Diagnostics(bool color) : color_(color) {}

  void be_quiet() { quiet_ = true; }  // silences warnings and notes, never errors
  bool quiet() const { return quiet_; }

  void error(const Error& error) const;
  void warning(const std::string& message) const;
  void note(const std::string& message) const;
  // Prints them as `describe_all` does and gives the exit code of the first.
  int fail(const std::vector<Error>& errors) const;

 private:
  bool color_;
  bool quiet_ = false;
};

}  // namespace tutti::commands
