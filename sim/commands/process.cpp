// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/process.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace tutti::commands {
namespace {

// `open` returns the lowest free descriptor, so in ascending order each gets the right one.
void open_standard_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (::fcntl(fd, F_GETFD) < 0) ::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

void prepare_process() {
  open_standard_descriptors();
  // `sim ... | head` ends silently, even if the parent ignores the signal.
  std::signal(SIGPIPE, SIG_DFL);
  // With `ulimit -f`, writing fails with EFBIG, which is reported.
  std::signal(SIGXFSZ, SIG_IGN);
}

void restore_for_program() { std::signal(SIGXFSZ, SIG_DFL); }

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

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
  action.sa_handler = count;  // without SA_RESTART, so that a blocking call returns
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

extern char** environ;  // NOLINT: declared by POSIX

namespace tutti::commands {
namespace {

// An anonymous file in memory.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : fd_(::memfd_create(name, MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (fd_ >= 0) ::close(fd_);
  }

  int fd() const { return fd_; }

  bool write(std::string_view text) const {
    while (fd_ >= 0 && !text.empty()) {
      const ssize_t written = ::write(fd_, text.data(), text.size());
      if (written < 0 && errno != EINTR) return false;
      if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
    return fd_ >= 0 && ::lseek(fd_, 0, SEEK_SET) == 0;
  }

  std::string read() const {
    std::string text;
    char block[65536];
    ::lseek(fd_, 0, SEEK_SET);
    for (ssize_t got; (got = ::read(fd_, block, sizeof block)) > 0;)
      text.append(block, static_cast<std::size_t>(got));
    return text;
  }

 private:
  int fd_;
};

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

}  // namespace

ProgramRun run_words(std::vector<std::string> words, std::string_view input) {
  const MemoryFile in("input");
  const MemoryFile out("output");
  const MemoryFile err("messages");
  ProgramRun run;
  if (!in.write(input) || out.fd() < 0 || err.fd() < 0) {
    run.start_error = ENOMEM;
    return run;
  }
  spawn(words, in.fd(), out.fd(), err.fd(), run);
  run.out = out.read();
  run.err = err.read();
  return run;
}

}  // namespace tutti::commands
