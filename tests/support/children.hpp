// SPDX-License-Identifier: BSD-3-Clause
// Children of a test that end by themselves, or are killed while they write.
#pragma once

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <functional>

namespace tutti::tests {

// Runs `body` in a child, which exits with its return value.
inline pid_t in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) ::_exit(body());
  return child;
}

inline int status_of(pid_t child) {
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

// Kills a child some time after it reported this number of puts, independent of the speed of the
// machine. `write` puts without end: it calls the passed function after each put, and stops when
// that returns false. Returns the number of puts that the child reported.
inline std::size_t reported_before_kill(
    const std::function<void(const std::function<bool()>& tell)>& write, std::size_t wanted,
    useconds_t later_us) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t writer = in_child([&] {
    write([&] { return ::write(ends[1], "x", 1) == 1; });
    return 1;
  });
  ::close(ends[1]);
  char block[256];
  for (std::size_t reported = 0; reported < wanted; ++reported)
    REQUIRE(::read(ends[0], block, 1) == 1);
  ::usleep(later_us);
  ::kill(writer, SIGKILL);
  CHECK(WIFSIGNALED(status_of(writer)));
  std::size_t reported = wanted;
  for (ssize_t got; (got = ::read(ends[0], block, sizeof block)) > 0;)
    reported += static_cast<std::size_t>(got);
  ::close(ends[0]);
  return reported;
}

}  // namespace tutti::tests
