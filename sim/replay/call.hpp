// SPDX-License-Identifier: BSD-3-Clause
// A call of MPI as a trace has it: all events from its enter to its leave.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/causes.hpp"
#include "sim/replay/collectives.hpp"
#include "workloads/traces/event.hpp"

namespace tutti::studies::replay {

// A message that a call got.
struct Received {
  TraceRank source = 0;
  Times enter;  // of the call that sent it
  Times sent;   // the event in the trace
  std::uint64_t bytes = 0;
  std::uint64_t recorded_bytes = 0;
  bool is_moved = false;
  Ticks ended = 0;                          // its receive, in the trace
  std::shared_ptr<const Marks> marks = {};  // of the call that sent it; where causes are wanted
};

struct Call {
  std::vector<Event> events;  // the first enters, the last leaves
  std::vector<Ticks> after;   // new times, as far as they are known
  std::vector<bool> cut;      // events that are
  // Messages: Event::bytes is not what the trace has. Empty where no hypothesis does that.
  std::vector<bool> resized;
  bool is_resized(std::size_t index) const { return !resized.empty() && resized[index]; }
  PathId path = root_path;
  std::size_t next = 1;  // the first event that is not looked at
  Times latest_cause{INT64_MIN, INT64_MIN};
  std::vector<Received> received;             // all, once the first one is taken
  std::vector<CollectiveNumber> collectives;  // that it has entered
  std::size_t gathered = 0;                   // events before this one are looked at for messages
  bool has_completed = false;                 // a request, or a receive
  bool is_open = false;                       // some of it is still to be replayed

  void depends_on(const Times& cause) {
    latest_cause.before = std::max(latest_cause.before, cause.before);
    latest_cause.after = std::max(latest_cause.after, cause.after);
  }
  // What it waits for, where it does: a collective, or a message.
  const Event& awaited() const {
    return events[next].kind == EventKind::collective_end ? events[next] : events[gathered];
  }
  Ticks enter_before() const { return events.front().time; }
  Ticks leave_before() const { return events.back().time; }
};

// Calls that a hypothesis puts into a trace (replacement.hpp). Their enter says so, in
// Event::bytes, which enters of traces do not use.

namespace made {
inline constexpr std::uint64_t estimated = 1;  // what it takes is not recorded
inline constexpr std::uint64_t added = 2;      // its caller has one call more
inline constexpr std::uint64_t moved = 4;      // its message was sent at another time than it says
}  // namespace made

inline bool is_made(const workloads::traces::Event& enter, std::uint64_t how) {
  return (enter.bytes & how) != 0;
}

}  // namespace tutti::studies::replay
