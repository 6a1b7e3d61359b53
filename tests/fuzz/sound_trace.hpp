// SPDX-License-Identifier: BSD-3-Clause
// Properties of any trace that a reader returns.
#pragma once

#include "sim/replay/event_reader.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::fuzz {

// Whether events are ordered by time, and refer to existing definitions.
inline bool is_sound(const workloads::traces::Trace& trace) {
  using namespace workloads::traces;
  const TraceDefinitions& what = trace.definitions;
  for (TraceRank rank = 0; rank < what.ranks.size(); ++rank) {
    studies::replay::EventReader events(trace.events, rank);
    Ticks now = 0;
    int depth = 0;
    while (const Event* each = events.next()) {
      const bool is_region = each->kind == EventKind::enter || each->kind == EventKind::leave;
      const std::size_t ids = is_region ? what.regions.size() : what.ranks.size();
      if (each->time < now ||
          ((is_region || each->id != workloads::traces::none) && each->id >= ids) ||
          (each->comm != workloads::traces::none && each->comm >= what.communicators.size()))
        return false;
      now = each->time;
      depth += each->kind == EventKind::enter ? 1 : each->kind == EventKind::leave ? -1 : 0;
      if (depth < 0) return false;
    }
  }
  return true;
}

}  // namespace tutti::fuzz
