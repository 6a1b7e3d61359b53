// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/event_bounds.hpp"

#include <algorithm>

#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

void EventBounds::add(std::span<const Event> events) {
  for (const Event& each : events) {
    if (each.kind > EventKind::other || each.op > CollectiveOp::other) {
      has_unknown = true;
      continue;
    }
    const auto kind = static_cast<std::size_t>(each.kind);
    const bool has_no_root = each.kind == EventKind::collective_end && each.id == none;
    ids[kind] = std::max(ids[kind], has_no_root ? 0 : each.id + std::uint64_t{1});
    comms[kind] = std::max(comms[kind], each.comm + std::uint64_t{1});
    first = std::min(first, each.time);
    last = std::max(last, each.time);
  }
}

bool EventBounds::fit(const TraceDefinitions& definitions) const {
  using K = EventKind;
  const auto at = [](const auto& most, K kind) { return most[static_cast<std::size_t>(kind)]; };
  bool fits = !has_unknown && first >= 0 && last <= most_ticks;
  for (const K kind : {K::enter, K::leave}) fits &= at(ids, kind) <= definitions.regions.size();
  for (const K kind : {K::send, K::isend, K::recv, K::irecv, K::collective_end}) {
    fits &= at(ids, kind) <= definitions.ranks.size();
    fits &= at(comms, kind) <= definitions.communicators.size();
  }
  return fits;
}

}  // namespace tutti::workloads::traces
