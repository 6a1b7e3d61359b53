// SPDX-License-Identifier: BSD-3-Clause
// Diagnostics on stderr: errors with place and hint, warnings, notes.
#pragma once

#include <initializer_list>

#include "sim/base/common.hpp"

namespace tutti::commands {

// The first functions wrap messages and quoted source lines to the width of the terminal.

// Width of a terminal in columns; unset for a file or a pipe.
using Width = std::optional<std::size_t>;

// The lines of `message`, wrapped at spaces with continuation lines indented; unchanged without a
// width. Ends with a newline.
std::string fitted(std::string_view message, Width width);

// A line of a file, indented, and below it a caret under the byte `column` (from 1; 0: no caret).
// A line that is wider than the terminal or 200 characters is cut to the part around the caret, and
// dots replace the rest. Tabs are kept in the line and before the caret, so that the caret aligns.
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

// The exit code 0, or the error.
inline Result<int> done_unless(std::optional<Error> error) {
  if (error) return *std::move(error);
  return exit_done;
}

enum class ColorMode { automatic, always, never };

// Returns whether messages have colors. With `automatic` they have colors if NO_COLOR is unset or
// empty, and stderr is a terminal or FORCE_COLOR is set (and not 0). `--color` takes precedence
// over both.
bool wants_color(ColorMode mode);

// "crill.xml:3:15: error: ...", the line, a caret, "help: ..."; "sim: error: --procs: ..." if
// the place is not a position in a file. Ends with a newline. Wrapped to `width`.
std::string describe(const Error& error, bool color, Width width = {});

// Number of errors that are printed; further errors are only counted.
inline constexpr std::size_t most_errors_reported = 20;
std::string describe_all(const std::vector<Error>& errors, bool color, Width width = {});

// "sim: warning: ...".
std::string describe_warning(const std::string& message, bool color, Width width = {});

ExitCode exit_code(ErrorKind kind);

class Diagnostics {
 public:
  explicit Diagnostics(bool color) : color_(color) {}

  void be_quiet() { quiet_ = true; }  // suppresses warnings and notes, never errors
  bool quiet() const { return quiet_; }

  void error(const Error& error) const;
  void warning(const std::string& message) const;
  void note(const std::string& message) const;
  // Prints the errors as `describe_all` does and returns the exit code of the first.
  int fail(const std::vector<Error>& errors) const;

 private:
  bool color_;
  bool quiet_ = false;
};

}  // namespace tutti::commands
