// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/stop_signals.hpp"

namespace tutti::commands {
namespace {

volatile std::sig_atomic_t interrupts = 0;
volatile std::sig_atomic_t endings = 0;
volatile std::sig_atomic_t last = 0;

void count(int signal) {
  last = signal;
  if (signal == SIGINT)
    interrupts = interrupts + 1;
  else
    endings = endings + 1;
}

}  // namespace

StopSignals::StopSignals() {
  interrupts = 0;
  endings = 0;
  last = 0;
  struct sigaction action {};
  action.sa_handler = count;  // without SA_RESTART: a waiting call ends
  ::sigaction(SIGINT, &action, &old_int_);
  ::sigaction(SIGTERM, &action, &old_term_);
  ::sigaction(SIGHUP, &action, &old_hup_);
}

StopSignals::~StopSignals() {
  ::sigaction(SIGINT, &old_int_, nullptr);
  ::sigaction(SIGTERM, &old_term_, nullptr);
  ::sigaction(SIGHUP, &old_hup_, nullptr);
}

bool StopSignals::asks() const { return interrupts > 0 || endings > 0; }
bool StopSignals::insists() const { return interrupts > 1 || endings > 0; }
int StopSignals::exit_code() const { return 128 + last; }

}  // namespace tutti::commands
