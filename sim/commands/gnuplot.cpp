// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sim/base/error_list.hpp"

extern char** environ;  // NOLINT: POSIX has it so

namespace tutti::commands {
namespace {

// A file without a name.
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

// 0, or the errno why it could not be started. `status` as of waitpid.
int spawn(int in, int out, int err, int& status) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  char name[] = "gnuplot";
  char no_settings[] = "-d";
  char from_input[] = "-";
  char* const arguments[] = {name, no_settings, from_input, nullptr};
  pid_t child = 0;
  const int code = ::posix_spawnp(&child, name, &actions, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (code != 0) return code;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return 0;
}

Error not_started(int code) {
  if (code == ENOENT)
    return usage_error(
        "", "gnuplot, which draws the pictures, is not installed",
        "Debian's package is gnuplot-nox; NAME.gp as the file writes its program without it");
  return make_error(ErrorKind::run, "",
                    fmt::format("gnuplot cannot be started: {}", std::strerror(code)));
}

}  // namespace

Result<std::string> run_gnuplot(const std::string& program) {
  const MemoryFile in("program");
  const MemoryFile out("picture");
  const MemoryFile err("messages");
  if (!in.write(program) || out.fd() < 0 || err.fd() < 0)
    return make_error(ErrorKind::run, "", "not enough memory for the picture");
  int status = 0;
  if (const int code = spawn(in.fd(), out.fd(), err.fd(), status); code != 0)
    return not_started(code);
  std::string picture = out.read();
  if (status == 0 && !picture.empty()) return picture;
  return make_error(ErrorKind::run, "", fmt::format("gnuplot failed: {}", err.read()),
                    "NAME.gp as the file writes its program");
}

}  // namespace tutti::commands
