// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/forked_process.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <utility>

#include "sim/base/check.hpp"

namespace tutti {

std::optional<ForkedProcess> ForkedProcess::start(const std::function<int()>& work) {
  const pid_t parent = ::getpid();
  std::fflush(nullptr);  // or the child would write buffered output again
  const pid_t child = ::fork();
  if (child < 0) return std::nullopt;
  if (child > 0) return ForkedProcess(child);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent died before prctl took effect
  ::_exit(work());
}

ForkedProcess::ForkedProcess(ForkedProcess&& other) noexcept : id_(std::exchange(other.id_, -1)) {}

ForkedProcess::~ForkedProcess() {
  if (id_ <= 0) return;
  kill();
  wait();
}

void ForkedProcess::kill() {
  if (id_ > 0) ::kill(id_, SIGKILL);
}

int ForkedProcess::wait() {
  TUTTI_CHECK(id_ > 0, "wait() may be called only once");
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = -1;
  return status;
}

std::string read_all(int fd, std::size_t most_bytes) {
  std::string bytes;
  std::array<char, 65536> block;
  while (bytes.size() < most_bytes) {
    const ssize_t got = ::read(fd, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    bytes.append(block.data(), static_cast<std::size_t>(got));
  }
  return bytes;
}

}  // namespace tutti
