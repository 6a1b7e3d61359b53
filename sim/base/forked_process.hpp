// SPDX-License-Identifier: BSD-3-Clause
// A process forked for work that may crash or not end. It ends at the latest with ours.
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
  // There, `work` runs and gives the exit status (0 to 255); it does not throw. Destructors of
  // static objects do not run. Nothing, and errno, where the system has no more processes.
  static std::optional<ForkedProcess> start(const std::function<int()>& work);
  ForkedProcess(ForkedProcess&& other) noexcept;
  ForkedProcess& operator=(ForkedProcess&&) = delete;
  ~ForkedProcess();  // killed, if nobody waited for its end

  pid_t id() const { return id_; }  // -1 after `wait`
  void kill();
  int wait();  // for its end, once; its status as waitpid has it

 private:
  explicit ForkedProcess(pid_t id) : id_(id) {}

  pid_t id_;
};

// What comes until the other side closes, or that many bytes and at most a block more.
std::string read_all(int fd, std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

}  // namespace tutti
