// SPDX-License-Identifier: BSD-3-Clause
// Studies run by `sim sweep`, and the exports of their stores.
#pragma once

#include <doctest/doctest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

namespace tutti::tests {

// The output of `sim export --no-cost`: the same bytes for the same results.
inline std::string exported(const std::string& store) {
  return out_of({"export", store, "--no-cost", "--format", "csv"});
}

// Starts `sim` without waiting for its end, and discards its output. Until exec, the child still
// has the signal handlers of the test.
inline pid_t start_sim(const std::vector<std::string>& args) {
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  REQUIRE(nowhere >= 0);
  int until_replaced[2];
  REQUIRE(::pipe2(until_replaced, O_CLOEXEC) == 0);
  Command command{.args = args};
  command.args.insert(command.args.begin(), sim_path());
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) detail::exec(command, nowhere, nowhere);
  ::close(nowhere);
  ::close(until_replaced[1]);
  char none = 0;
  REQUIRE(::read(until_replaced[0], &none, 1) == 0);
  ::close(until_replaced[0]);
  return child;
}

// Whether a process has installed a handler for a signal.
inline bool handles(pid_t process, int signal) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigCgt:"))
      return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
  return false;
}

// Waits until a program has installed its handler; on a busy machine a signal could arrive before.
inline void await_handler(pid_t process, int signal) {
  bool listens = handles(process, signal);
  for (int i = 0; i < 1000 && !listens; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    listens = handles(process, signal);
  }
  REQUIRE(listens);
}

// Processes whose command line contains the text.
inline std::vector<std::string> processes_with(const std::string& text) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    std::stringstream line;
    line << file.rdbuf();
    if (line.str().find(text) != std::string::npos) found.push_back(entry.path().filename());
  }
  return found;
}

// Killed children take a moment to disappear.
inline bool all_gone(const std::string& text) {
  for (int i = 0; i < 100; ++i) {
    if (processes_with(text).empty()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

}  // namespace tutti::tests
