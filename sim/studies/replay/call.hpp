// SPDX-License-Identifier: BSD-3-Clause
// A call of MPI as a trace has it: all events from its enter to its leave.
#pragma once

#include <vector>

#include "sim/studies/replay/collectives.hpp"

namespace tutti::studies::replay {

// A message that a call got.
struct Received {
  TraceRank source = 0;
  Times sent;  // when the call began that sent it
};

struct Call {
  std::vector<Event> events;  // the first enters, the last leaves
  std::vector<Ticks> after;   // new times, as far as they are known
  std::vector<bool> cut;      // events that are
  PathId path = root_path;
  std::size_t next = 1;  // the first event that is not looked at
  Times latest_cause{INT64_MIN, INT64_MIN};
  std::vector<Received> received;
  bool is_open = false;  // some of it is still to be replayed

  void depends_on(const Times& cause) {
    latest_cause.before = std::max(latest_cause.before, cause.before);
    latest_cause.after = std::max(latest_cause.after, cause.after);
  }
  Ticks enter_before() const { return events.front().time; }
  Ticks leave_before() const { return events.back().time; }
};

}  // namespace tutti::studies::replay
