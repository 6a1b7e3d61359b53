// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C and the signals that end a program, for work that ends in good order.
#pragma once

#include <csignal>

namespace tutti::commands {

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

}  // namespace tutti::commands
