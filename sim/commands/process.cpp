// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/process.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <unistd.h>

#include <csignal>
#include <ctime>

namespace tutti::commands {
namespace {

// `open` takes the lowest free descriptor: in rising order each lands where it should.
void open_standard_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (::fcntl(fd, F_GETFD) < 0) ::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

void prepare_process() {
  open_standard_descriptors();
  // `sim ... | head` ends quietly, also where the parent ignores the signal.
  std::signal(SIGPIPE, SIG_DFL);
  // `ulimit -f`: writing fails with EFBIG and is told.
  std::signal(SIGXFSZ, SIG_IGN);
}

void restore_for_program() { std::signal(SIGXFSZ, SIG_DFL); }

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace tutti::commands
