// SPDX-License-Identifier: BSD-3-Clause
// Runs a point, or other work with an answer, in a forked child of its own: SimGrid allows one
// engine per process and may abort it.
#pragma once

#include "sim/engines/simgrid_module.hpp"
#include "sim/jobs/measured.hpp"
#include "sim/jobs/wire.hpp"

namespace tutti::jobs {

class Forked {
 public:
  using Work = std::function<Result<Answer>()>;

  // Starts the child, which measures its own cost (wall_s, peak_rss_bytes) around `work`;
  // `before_s` is added to wall_s. For a point it includes the time of reading the machine.
  static Result<Forked> start(const Work& work, Seconds before_s = 0) {
    auto child = TUTTI_TRY(ChildProcess::start(
        [&] { return wire::pack(measured(work, before_s), wire::answer_fields); }));
    return Forked(std::move(child));
  }
  static Result<Forked> start(const Point& point, const platforms::Machine& machine) {
    if (uses_simgrid(point))
      if (auto error = engines::load_simgrid()) return *std::move(error);
    return start([&] { return run_point(point, machine); }, machine.read_wall_s);
  }

  bool wait_for(Seconds time_s) const { return child_.wait_for(time_s); }
  Result<Answer> collect() { return wire::collect<Answer>(child_, wire::answer_fields); }
  const std::string& output() const { return child_.output(); }

 private:
  explicit Forked(ChildProcess child) : child_(std::move(child)) {}

  ChildProcess child_;
};

}  // namespace tutti::jobs
