// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/event_bounds.hpp"

#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

bool EventBounds::fit(const TraceDefinitions& definitions) const {
  using K = EventKind;
  const auto at = [](const auto& most, K kind) { return most[static_cast<std::size_t>(kind)]; };
  bool fits = has_unknown == 0 && first >= 0 && last <= most_ticks;
  for (const K kind : {K::enter, K::leave}) fits &= at(ids, kind) <= definitions.regions.size();
  for (const K kind : {K::send, K::isend, K::recv, K::irecv, K::collective_end}) {
    fits &= at(ids, kind) <= definitions.ranks.size();
    fits &= at(comms, kind) <= definitions.communicators.size();
  }
  return fits;
}

}  // namespace tutti::workloads::traces
