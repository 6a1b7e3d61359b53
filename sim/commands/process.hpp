// SPDX-License-Identifier: BSD-3-Clause
// Process setup, clock, signals, and child programs.
#pragma once

#include <csignal>

#include "sim/base/common.hpp"

namespace tutti::commands {

// Opens closed standard descriptors on /dev/null, so that no other file gets their number; writing
// to a closed standard output remains an error. Sets signals so that a closed pipe ends the
// program, and exceeding the file size limit is an error. The heap keeps up to 16 MiB of freed
// memory. Call it before any file is opened.
void prepare_process();
// Restores the signals before exec of another program.
void restore_for_program();

// The current time in UTC, ISO 8601: "2026-11-21T20:30:00Z".
std::string utc_now();

// Counts SIGINT, SIGTERM and SIGHUP while an object exists, instead of ending the program. At most
// one object exists at a time.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

  // The first Ctrl-C: stop after the running work.
  bool asks() const;
  // A second Ctrl-C, or SIGTERM or SIGHUP: stop immediately.
  bool insists() const;
  // 128 plus the number of the last signal, as in a shell.
  int exit_code() const;

 private:
  static constexpr std::array handled = {SIGINT, SIGTERM, SIGHUP};

  std::array<struct sigaction, handled.size()> former_{};
};

// The end of a program that a command started without a shell.

struct ProgramRun {
  int start_error = 0;  // errno if the program could not be started
  int status = 0;       // of waitpid
  std::string out;
  std::string err;

  bool succeeded() const { return start_error == 0 && status == 0; }
};

// Runs a program and waits for it. `words`: the program, searched in PATH, and its arguments.
// `input`: its standard input.
ProgramRun run_words(std::vector<std::string> words, std::string_view input = {});

}  // namespace tutti::commands
