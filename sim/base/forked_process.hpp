// SPDX-License-Identifier: BSD-3-Clause
// A forked process for work that may crash or not terminate. It does not outlive its parent.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace tutti {

class ForkedProcess {
 public:
  // Runs `work` in a child; its result is the exit status (0 to 255). `work` must not throw.
  // Destructors of static objects do not run. Returns nothing and sets errno if fork fails.
  static std::optional<ForkedProcess> start(const std::function<int()>& work);
  ForkedProcess(ForkedProcess&& other) noexcept;
  ForkedProcess& operator=(ForkedProcess&&) = delete;
  ~ForkedProcess();  // kills the process unless `wait` was called

  pid_t id() const { return id_; }  // -1 after `wait`
  void kill();
  int wait();  // waits for the end, once; returns the status of waitpid

 private:
  explicit ForkedProcess(pid_t id) : id_(id) {}

  pid_t id_;
};

// Reads from a descriptor until its end, or until at least `most_bytes` have been read.
std::string read_all(int fd, std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

}  // namespace tutti
