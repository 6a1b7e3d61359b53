// SPDX-License-Identifier: BSD-3-Clause
// A shell on its own terminal, for behaviour that needs one: completion.
#pragma once

#include <doctest/doctest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <vector>

namespace tutti::tests {

class TerminalShell {
 public:
  // `program` is the argument vector of execv, with the path first.
  explicit TerminalShell(const std::vector<std::string>& program) {
    child_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
    REQUIRE(child_ >= 0);
    if (child_ > 0) return;
    std::vector<char*> argv;
    for (const auto& word : program) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::setenv("TERM", "vt100", 1);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ~TerminalShell() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    ::close(terminal_);
  }
  TerminalShell(const TerminalShell&) = delete;
  TerminalShell& operator=(const TerminalShell&) = delete;

  void type(const std::string& keys) {
    REQUIRE(::write(terminal_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()));
  }
  // Reads until the text appears, for at most 20 s; returns all text read so far.
  bool shows(const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (seen_.find(text) == std::string::npos && std::chrono::steady_clock::now() < end)
      read_some();
    return seen_.find(text) != std::string::npos;
  }
  void forget() { seen_.clear(); }
  const std::string& seen() const { return seen_; }

 private:
  void read_some() {
    pollfd wanted{terminal_, POLLIN, 0};
    if (::poll(&wanted, 1, 100) <= 0) return;
    char block[4096];
    const ssize_t got = ::read(terminal_, block, sizeof block);
    if (got > 0) seen_.append(block, static_cast<std::size_t>(got));
  }

  int terminal_ = -1;
  pid_t child_ = -1;
  std::string seen_;
};

}  // namespace tutti::tests
