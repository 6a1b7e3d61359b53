// SPDX-License-Identifier: BSD-3-Clause
// Starts a program without a shell and captures its output.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace tutti::tests {

struct Command {
  std::vector<std::string> args;                              // the program's path first
  std::vector<std::pair<std::string, std::string>> env = {};  // added to this process's
  std::string folder = {};                                    // empty: the current folder
  int stdout_fd = -1;                                         // instead of capturing
  int stderr_fd = -1;                                         // the same
};

struct Ended {
  int exit_code = -1;  // -1 if a signal ended it
  int signal = 0;
  std::string out;
  std::string err;
};

namespace detail {

[[noreturn]] inline void exec(const Command& command, int out, int err) {
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  if (!command.folder.empty() && ::chdir(command.folder.c_str()) != 0) ::_exit(126);
  for (const auto& [name, value] : command.env) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> argv;
  for (const auto& arg : command.args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

// The content of a file in memory, from its start; closes the file.
inline std::string take(int fd) {
  std::string text;
  char block[65536];
  ::lseek(fd, 0, SEEK_SET);
  for (ssize_t got; (got = ::read(fd, block, sizeof block)) > 0;)
    text.append(block, static_cast<std::size_t>(got));
  ::close(fd);
  return text;
}

}  // namespace detail

inline Ended run(const Command& command) {
  const int out = ::memfd_create("out", MFD_CLOEXEC);
  const int err = ::memfd_create("err", MFD_CLOEXEC);
  REQUIRE(out >= 0);
  REQUIRE(err >= 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0)
    detail::exec(command, command.stdout_fd < 0 ? out : command.stdout_fd,
                 command.stderr_fd < 0 ? err : command.stderr_fd);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  Ended ended;
  if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  ended.out = detail::take(out);
  ended.err = detail::take(err);
  return ended;
}

// The `sim` under test: this build's, unless the environment variable TUTTI_SIM names another one,
// such as the recorder of outputs (tests/record).
inline std::string sim_path() {
  const char* other = std::getenv("TUTTI_SIM");
  return other != nullptr && *other != '\0' ? other : TUTTI_SIM;
}

inline Ended run_sim(std::vector<std::string> args) {
  args.insert(args.begin(), sim_path());
  return run({.args = std::move(args)});
}

// The output of a run that must succeed.
inline std::string out_of(const std::vector<std::string>& args) {
  const Ended ended = run_sim(args);
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 0);
  return ended.out;
}

// A report without its line breaks.
inline std::string unwrapped(const std::string& text) {
  std::string line;
  for (const char each : text)
    if (each != '\n' && each != '#' && (each != ' ' || !line.ends_with(' '))) line += each;
  return line;
}

}  // namespace tutti::tests
