// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/forked.hpp"

#include "sim/engines/simgrid_module.hpp"
#include "sim/studies/measured.hpp"
#include "sim/studies/wire.hpp"

namespace tutti::studies {

Result<Forked> Forked::start(const Work& work, Seconds before_s) {
  auto child = ChildProcess::start([&] { return wire::pack(measured(work, before_s)); });
  if (!child) return child.errors();
  return Forked(*std::move(child));
}

Result<Forked> Forked::start(const Point& point, const platforms::Machine& machine,
                             runtime::Observer* watcher) {
  // Loaded before the fork: once, not by each child.
  if (point.engine == engines::EngineKind::simgrid)
    if (auto error = engines::load_simgrid()) return *std::move(error);
  return start([&] { return run_point(point, machine, watcher); }, machine.read_wall_s);
}

Result<Answer> Forked::collect() {
  auto result = wire::unpack(child_.collect());
  if (!child_.ended_well() || !result) return child_.death();
  return std::move(*result);
}

}  // namespace tutti::studies
