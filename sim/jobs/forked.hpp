// SPDX-License-Identifier: BSD-3-Clause
// Runs a point in a forked child of its own: SimGrid allows one engine per process and may abort
// it; if a child dies, only its point is lost. The parent never uses SimGrid. The children of
// StudyRunner run points without it, except for rivals of one point (auto:best) that use SimGrid.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/child_process.hpp"
#include "sim/jobs/run_point.hpp"

namespace tutti::jobs {

class Forked {
 public:
  using Work = std::function<Result<Answer>()>;

  // Starts the child, which measures its own cost (wall_s, peak_rss_bytes) around `work`;
  // `before_s` is added to wall_s. For a point it includes the time of reading the machine.
  static Result<Forked> start(const Work& work, Seconds before_s = 0);
  // `watcher`, if not null, observes the run in the child.
  static Result<Forked> start(const Point& point, const platforms::Machine& machine,
                              runtime::Observer* watcher = nullptr);

  // Waits for at most `time_s`: true once the child returns its result, or has ended without one.
  bool wait_for(Seconds time_s) const { return child_.wait_for(time_s); }
  // Waits for the child. If it died: an error of kind run if it ran out of memory or was killed by
  // a signal from outside, else of kind internal.
  Result<Answer> collect();
  // What the child wrote to stdout and stderr (messages of libraries); after `collect`.
  const std::string& output() const { return child_.output(); }

 private:
  explicit Forked(ChildProcess child) : child_(std::move(child)) {}

  ChildProcess child_;
};

}  // namespace tutti::jobs
