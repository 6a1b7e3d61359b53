// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/process.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <system_error>

#include "sim/base/forked_process.hpp"
#include "sim/base/unnamed_file.hpp"

namespace tutti::commands {
namespace {

// `open` returns the lowest free descriptor, so in ascending order each gets the right one.
void open_standard_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (::fcntl(fd, F_GETFD) < 0) ::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

// A command runs many simulations, and each one frees what the next one takes. By default, the heap
// returns more than 128 KiB to the system at once, which clears these pages again before their next
// use.
void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 22);
  mallopt(M_TRIM_THRESHOLD, 1 << 24);
}

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

void spawn(std::vector<std::string>& words, int in, int out, int err, ProgramRun& run) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  run.start_error =
      ::posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (run.start_error != 0) return;
  while (::waitpid(child, &run.status, 0) < 0 && errno == EINTR) {
  }
}

std::string read_from_start(const UnnamedFile& file) {
  ::lseek(file.descriptor(), 0, SEEK_SET);
  return read_all(file.descriptor());
}

}  // namespace

void prepare_process() {
  open_standard_descriptors();
  keep_freed_memory();
  // `sim ... | head` ends silently, even if the parent ignores the signal.
  std::signal(SIGPIPE, SIG_DFL);
  // With `ulimit -f`, writing fails with EFBIG, and the error is reported.
  std::signal(SIGXFSZ, SIG_IGN);
}

void restore_for_program() { std::signal(SIGXFSZ, SIG_DFL); }

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

StopSignals::StopSignals() {
  interrupts = 0;
  endings = 0;
  last = 0;
  struct sigaction action {};
  action.sa_handler = count;  // without SA_RESTART, so that a blocking call returns
  for (std::size_t i = 0; i < handled.size(); ++i) ::sigaction(handled[i], &action, &former_[i]);
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < handled.size(); ++i) ::sigaction(handled[i], &former_[i], nullptr);
}

bool StopSignals::asks() const { return interrupts > 0 || endings > 0; }
bool StopSignals::insists() const { return interrupts > 1 || endings > 0; }
int StopSignals::exit_code() const { return 128 + last; }

ProgramRun run_words(std::vector<std::string> words, std::string_view input) {
  ProgramRun run;
  try {
    UnnamedFile in = UnnamedFile::in_memory();
    const UnnamedFile out = UnnamedFile::in_memory(), err = UnnamedFile::in_memory();
    in.append(input.data(), input.size());
    spawn(words, in.descriptor(), out.descriptor(), err.descriptor(), run);
    run.out = read_from_start(out);
    run.err = read_from_start(err);
  } catch (const std::system_error& error) {
    run.start_error = error.code().value();
  }
  return run;
}

}  // namespace tutti::commands
