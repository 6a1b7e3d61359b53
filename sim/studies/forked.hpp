// SPDX-License-Identifier: BSD-3-Clause
// Runs a point in a forked child: SimGrid's engine is one per process and may abort it; a child
// that dies costs its point only. The parent never touches SimGrid.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "sim/studies/run_point.hpp"

namespace tutti::studies {

class Forked {
 public:
  using Work = std::function<Result<Answer>()>;

  // Starts the child. It measures its own cost (wall_s, peak_rss_bytes) around `work`.
  static Result<Forked> start(const Work& work);
  static Result<Forked> start(const Point& point, const platforms::Machine& machine);

  Forked(Forked&& other) noexcept;
  Forked& operator=(Forked&&) = delete;
  ~Forked();  // a child that was not collected is killed

  // Waits for the child. If it died: an error of kind run where memory or a signal from outside
  // ended it, else of kind internal.
  Result<Answer> collect();
  // What the child wrote to stdout and stderr (messages of libraries); after `collect`.
  const std::string& said() const { return said_; }

 private:
  Forked(pid_t child, int result_fd, int said_fd)
      : child_(child), result_fd_(result_fd), said_fd_(said_fd) {}

  pid_t child_;    // -1 when collected
  int result_fd_;  // read end of the pipe
  int said_fd_;    // a file in memory
  std::string said_;
};

}  // namespace tutti::studies
