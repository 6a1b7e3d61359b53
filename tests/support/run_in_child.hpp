// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's engine runs once per process: tests run each job in a child.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>
#include <string>
#include <vector>

#include "sim/engines/simgrid/simgrid_engine.hpp"

namespace tutti::tests {

struct ChildOutcome {
  std::vector<Seconds> end_s;  // by rank
  std::string problems;        // joined by newlines
};

namespace detail {

inline void write_all(int fd, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(fd, at, bytes);
    if (written <= 0) ::_exit(3);
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

inline std::string read_to_end(int fd) {
  std::string all;
  char block[65536];
  for (ssize_t got; (got = ::read(fd, block, sizeof block)) > 0;) all.append(block, got);
  return all;
}

}  // namespace detail

inline ChildOutcome run_simgrid_in_child(const engines::Job& job) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  std::cout.flush();  // else the child may print it again
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const engines::Outcome outcome = engines::run_simgrid(job);
    detail::write_all(ends[1], outcome.end_s.data(), outcome.end_s.size() * sizeof(Seconds));
    for (const std::string& each : outcome.problems)
      detail::write_all(ends[1], (each + "\n").data(), each.size() + 1);
    ::_exit(0);
  }
  ::close(ends[1]);
  const std::string answer = detail::read_to_end(ends[0]);
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);

  const std::size_t ranks = job.placement.host_of.size();
  REQUIRE(answer.size() >= ranks * sizeof(Seconds));
  ChildOutcome outcome;
  outcome.end_s.resize(ranks);
  std::copy_n(answer.data(), ranks * sizeof(Seconds),
              reinterpret_cast<char*>(outcome.end_s.data()));
  outcome.problems = answer.substr(ranks * sizeof(Seconds));
  return outcome;
}

}  // namespace tutti::tests
