// SPDX-License-Identifier: BSD-3-Clause
// Traces whose ranks have a clock each, as those of EZTrace: shifts that put causes before effects.
#pragma once

#include <string>
#include <vector>

#include "sim/replay/clock_shifts.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

struct ClockAlignment {
  std::vector<workloads::traces::Ticks> shifts;  // by rank; the first event of all stays at 0
  std::vector<std::string> notes;                // sentences about them
};

// From messages (their receive ends after their send began) and collectives (each member ends after
// those that it waits for have entered). Reads the trace once and some times more, until no
// collective says anything new. Clocks that violate no cause stay as they are.
ClockAlignment align_clocks(const workloads::traces::Trace& trace);

}  // namespace tutti::studies::replay
