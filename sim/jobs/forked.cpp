// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/forked.hpp"

#include "sim/engines/simgrid_module.hpp"
#include "sim/jobs/measured.hpp"
#include "sim/jobs/wire.hpp"

namespace tutti::jobs {

Result<Forked> Forked::start(const Work& work, Seconds before_s) {
  auto child = TUTTI_TRY(ChildProcess::start(
      [&] { return wire::pack(measured(work, before_s), wire::answer_fields); }));
  return Forked(std::move(child));
}

Result<Forked> Forked::start(const Point& point, const platforms::Machine& machine,
                             runtime::Observer* watcher) {
  // Load SimGrid once before the fork, instead of in each child.
  if (uses_simgrid(point))
    if (auto error = engines::load_simgrid()) return *std::move(error);
  return start([&] { return run_point(point, machine, watcher); }, machine.read_wall_s);
}

Result<Answer> Forked::collect() {
  auto result = wire::unpack<Answer>(child_.collect(), wire::answer_fields);
  if (!child_.ended_well() || !result) return child_.death();
  return std::move(*result);
}

}  // namespace tutti::jobs
