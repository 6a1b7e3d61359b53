// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/engine_choice.hpp"

namespace tutti::studies {

using engines::EngineKind;

EngineKind choose_engine(const Point& point) {
  if (point.contention != engines::Contention::on || point.merge_window > 0)
    return EngineKind::flow;
  if (point.placement.procs > simgrid_most_procs) return EngineKind::flow;
  const std::int64_t messages = workloads::expected_messages(point.call, point.placement.procs);
  return messages > simgrid_most_messages ? EngineKind::flow : EngineKind::simgrid;
}

}  // namespace tutti::studies
