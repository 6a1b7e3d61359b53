// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/forked.hpp"

#include <chrono>
#include <fstream>

#include "sim/engines/simgrid_module.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/wire.hpp"

namespace tutti::studies {
namespace {

using Clock = std::chrono::steady_clock;

// VmHWM of this process. Unset where /proc does not tell.
std::optional<Bytes> peak_rss_bytes() {
  std::ifstream status("/proc/self/status");
  return proc_bytes(status, "VmHWM:");
}

Result<Answer> measured(const Forked::Work& work) {
  const auto start = Clock::now();
  auto result = guarded(work);
  if (result) {
    result->record.wall_s = result->record.wall_s.value_or(0) +
                            std::chrono::duration<double>(Clock::now() - start).count();
    result->record.peak_rss_bytes = peak_rss_bytes();
  }
  return result;
}

}  // namespace

Result<Forked> Forked::start(const Work& work) {
  auto child = ChildProcess::start([&] { return wire::pack(measured(work)); });
  if (!child) return child.errors();
  return Forked(*std::move(child));
}

Result<Forked> Forked::start(const Point& point, const platforms::Machine& machine) {
  // Loaded before the fork: once, not by each child.
  if (point.engine == engines::EngineKind::simgrid)
    if (auto error = engines::load_simgrid()) return *std::move(error);
  return start([&] {
    auto answer = run_point(point, machine);
    if (answer) answer->record.wall_s = machine.read_wall_s;
    return answer;
  });
}

Result<Answer> Forked::collect() {
  auto result = wire::unpack(child_.collect());
  if (!child_.ended_well() || !result) return child_.death();
  return std::move(*result);
}

}  // namespace tutti::studies
