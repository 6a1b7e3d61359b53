// SPDX-License-Identifier: BSD-3-Clause
// Programs that a command starts and waits for, without a shell.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::commands {

struct ProgramRun {
  int start_error = 0;  // an errno: it could not be started
  int status = 0;       // as of waitpid
  std::string out;
  std::string err;

  bool succeeded() const { return start_error == 0 && status == 0; }
};

// `words`: the program, looked for in PATH, and its arguments. `input` goes to its standard input.
ProgramRun run_words(std::vector<std::string> words, std::string_view input = {});

// Words as a shell parts them, without evaluating anything: blanks stand between them, quotes and
// backslashes keep what a word has of these. Nothing where a quote has no end.
std::optional<std::vector<std::string>> shell_words(std::string_view text);

}  // namespace tutti::commands
