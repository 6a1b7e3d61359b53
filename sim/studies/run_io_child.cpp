// SPDX-License-Identifier: BSD-3-Clause
// A point of collective I/O in a child of its own: SimGrid's engine is one per process.
#include "sim/engines/simgrid_module.hpp"
#include "sim/studies/measured.hpp"
#include "sim/studies/run_io.hpp"
#include "sim/studies/wire.hpp"

namespace tutti::studies {
namespace {

constexpr auto io_answer_fields = [](auto& archive, auto& answer) {
  wire::record_fields(archive, answer.record);
  archive(answer.traffic);
  archive(answer.aggregators);
  archive(answer.host_of);
  wire::inside_fields(archive, answer.inside);
};

}  // namespace

Result<IoChild> IoChild::start(const IoPoint& point, const platforms::Machine& machine,
                               runtime::Observer* watcher) {
  if (point.engine_is_chosen || point.engine == engines::EngineKind::simgrid)
    if (auto error = engines::load_simgrid()) return *std::move(error);
  const auto work = [&] {
    return measured([&] { return run_io(point, machine, watcher); }, machine.read_wall_s);
  };
  auto child = ChildProcess::start([&] { return wire::pack(work(), io_answer_fields); });
  if (!child) return child.errors();
  return IoChild(*std::move(child));
}

Result<IoAnswer> IoChild::collect() {
  auto result = wire::unpack<IoAnswer>(child_.collect(), io_answer_fields);
  if (!child_.ended_well() || !result) return child_.death();
  return std::move(*result);
}

}  // namespace tutti::studies
