// SPDX-License-Identifier: BSD-3-Clause
// An MPI call in a trace: all events from its enter to its leave.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/causes.hpp"
#include "sim/replay/collectives.hpp"
#include "workloads/traces/event.hpp"

namespace tutti::studies::replay {

// A message that a call received.
struct Received {
  TraceRank source = 0;
  Times enter;  // of the call that sent it
  Times sent;   // time of the send event
  std::uint64_t bytes = 0;
  std::uint64_t recorded_bytes = 0;
  bool is_moved = false;
  Ticks ended = 0;                          // end of its receive in the trace
  std::shared_ptr<const Marks> marks = {};  // of the sending call; only with ReplayArgs::causes
};

struct Call {
  std::vector<Event> events;  // the first is the enter, the last the leave
  std::vector<Ticks> after;   // new times, as far as they are known
  std::vector<bool> cut;      // by event
  // By event: Event::bytes differs from the trace. Empty if no hypothesis changes message sizes.
  std::vector<bool> resized;
  bool is_resized(std::size_t index) const { return !resized.empty() && resized[index]; }
  PathId path = root_path;
  std::size_t next = 1;  // the first event that is not processed
  Times latest_cause{INT64_MIN, INT64_MIN};
  std::vector<Received> received;             // all messages, once the first one is taken
  std::vector<CollectiveNumber> collectives;  // that the rank has entered
  std::size_t gathered = 0;                   // messages of the events before this one are gathered
  bool has_completed = false;                 // a request or a receive has completed
  bool is_open = false;                       // the replay of the call is not finished

  void depends_on(const Times& cause) {
    latest_cause.before = std::max(latest_cause.before, cause.before);
    latest_cause.after = std::max(latest_cause.after, cause.after);
  }
  // The event (a collective or a message) that the call waits for. Requires that it waits.
  const Event& awaited() const {
    return events[next].kind == EventKind::collective_end ? events[next] : events[gathered];
  }
  Ticks enter_before() const { return events.front().time; }
  Ticks leave_before() const { return events.back().time; }
};

// Flags of calls that a hypothesis adds to a trace (replacement.hpp), stored in Event::bytes of
// their enter, which traces do not use.

namespace made {
inline constexpr std::uint64_t estimated = 1;  // its time is not recorded
inline constexpr std::uint64_t added = 2;      // its caller makes one more call
inline constexpr std::uint64_t moved = 4;      // its message was sent at another time than recorded
}  // namespace made

inline bool is_made(const workloads::traces::Event& enter, std::uint64_t how) {
  return (enter.bytes & how) != 0;
}

}  // namespace tutti::studies::replay
