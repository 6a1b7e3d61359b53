// SPDX-License-Identifier: BSD-3-Clause
// What a process may inherit and must not trip over; its clock.
#pragma once

#include <csignal>

#include "sim/base/common.hpp"

namespace tutti::commands {

// Must come before any file is opened. Standard descriptors that are closed lead to /dev/null, so
// that no other file takes their place; writing to a closed standard output stays an error.
// Signals: a reader that goes away ends the program, a file that may not grow is an error.
void prepare_process();
// Before another program takes this process's place: signals as they were for it.
void restore_for_program();

// UTC, ISO 8601: "2026-11-21T20:30:00Z".
std::string utc_now();

// Ctrl-C and the signals that end a program, for work that ends in good order.

// While it lives, SIGINT, SIGTERM and SIGHUP are counted in place of ending the program. One at a
// time.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

  // The first Ctrl-C: what runs may end.
  bool asks() const;
  // The second one, or a signal that does not ask.
  bool insists() const;
  // 128 and the number of the last signal, as a shell shows it.
  int exit_code() const;

 private:
  struct sigaction old_int_ {};
  struct sigaction old_term_ {};
  struct sigaction old_hup_ {};
};

// Programs that a command starts and waits for, without a shell.

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
