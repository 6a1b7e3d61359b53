// SPDX-License-Identifier: BSD-3-Clause
// Runs a point in a forked child: SimGrid's engine is one per process and may abort it; a child
// that dies costs its point only. The parent never touches SimGrid.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "sim/studies/child_process.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::studies {

class Forked {
 public:
  using Work = std::function<Result<Answer>()>;

  // Starts the child. It measures its own cost (wall_s, peak_rss_bytes) around `work`; `before_s`
  // is added. For a point the time of reading the machine is part of it.
  static Result<Forked> start(const Work& work, Seconds before_s = 0);
  // `watcher`, if any, sees the run in the child.
  static Result<Forked> start(const Point& point, const platforms::Machine& machine,
                              runtime::Observer* watcher = nullptr);

  // Waits for at most that time: true once the child answers, or has ended without an answer.
  bool wait_for(Seconds time_s) const { return child_.wait_for(time_s); }
  // Waits for the child. If it died: an error of kind run where memory or a signal from outside
  // ended it, else of kind internal.
  Result<Answer> collect();
  // What the child wrote to stdout and stderr (messages of libraries); after `collect`.
  const std::string& said() const { return child_.said(); }

 private:
  explicit Forked(ChildProcess child) : child_(std::move(child)) {}

  ChildProcess child_;
};

}  // namespace tutti::studies
