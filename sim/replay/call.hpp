// SPDX-License-Identifier: BSD-3-Clause
// An MPI call in a trace: all events from its enter to its leave.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/call_kinds.hpp"
#include "sim/replay/causes.hpp"
#include "sim/replay/collectives.hpp"
#include "sim/replay/send_observations.hpp"
#include "workloads/traces/event.hpp"

namespace tutti::studies::replay {

// Returns the time from `begin` until the cause, as far as it is before `end`.
inline Times waits_between(const Times& begin, const Times& cause, const Times& end) {
  return {std::clamp(cause.before, begin.before, std::max(begin.before, end.before)) - begin.before,
          std::clamp(cause.after, begin.after, std::max(begin.after, end.after)) - begin.after};
}

// The time since the later of the last event and the cause passes again after both.
inline Ticks after_both(const Times& last, const Times& cause, Ticks recorded) {
  if (cause.before > recorded) return last.after + recorded - last.before;
  return std::max(last.after, cause.after) + recorded - std::max(last.before, cause.before);
}

// Something of another location that a call waited for, such as a message that it received.
struct Received {
  TraceRank source = 0;
  Times enter;  // of the call that sent it, or posted the receive
  Times sent;   // time of the send event, or of that post
  std::uint64_t bytes = 0;
  std::uint64_t recorded_bytes = 0;
  std::uint32_t event = 0;  // in the call that receives the message
  bool is_moved = false;
  bool is_nonblocking = false;  // it was begun before the call that completes it
  enum class What : std::uint8_t {
    message,
    receive,     // that a send waits for
    collective,  // nonblocking; `op`
    epoch,       // a call of general active target synchronization
    lock,        // the release of the lock by its holder before
    thread,      // an event of another thread of the process
    operation,   // the end of an operation of an accelerator
    probe        // a message that is probed, and received later
  } what = What::message;
  CollectiveOp op = CollectiveOp::other;
  // For a message whose send waits for its receive: when that was posted.
  std::optional<Times> posted = {};
  // For a message: when its receive was posted. For MPI_Win_complete: the end of the origin's last
  // access to the target.
  Times posted_at = {};
  Ticks ended = 0;                          // end of its receive in the trace
  std::shared_ptr<const Marks> marks = {};  // of the sending call; only with ReplayArgs::causes
};

// A send that waits for its receive.
struct WaitingSend {
  MessageKey key;
  std::uint64_t number = 0;
  std::uint64_t bytes = 0;
  bool is_nonblocking = false;
};

struct Call {
  std::vector<Event> events;      // the first is the enter, the last the leave
  EventKinds kinds;               // of these events
  std::uint64_t sent_bytes = 0;   // in messages, as recorded
  std::vector<Ticks> after;       // new times, as far as they are known
  std::vector<std::uint8_t> cut;  // by event: 1 if it is cut
  // By event: Event::bytes differs from the trace. Empty if no hypothesis changes message sizes.
  std::vector<bool> resized;
  bool is_resized(std::size_t index) const { return !resized.empty() && resized[index]; }
  PathId path = root_path;
  std::size_t next = 1;  // the first event that is not processed
  // The last event with a known new time. Events that neither act nor complete anything get theirs
  // together with the next one, since it is unknown on which side of them the call waited.
  std::size_t known = 0;
  Times latest_cause{INT64_MIN, INT64_MIN};
  // New time at which everything that it waits for has arrived, if the model computes transfers.
  Ticks latest_arrival = INT64_MIN;
  std::vector<Received> received;             // all messages, once the first one is taken
  std::vector<WaitingSend> sends;             // whose receives it waits for
  std::size_t met = 0;                        // sends before this one have met their receives
  std::vector<CollectiveNumber> collectives;  // that the rank has entered
  // The collective of all ranks that a call is without a record of it, such as MPI_Finalize.
  std::optional<Event> implicit = {};
  // The wait state of a call that waits for calls on windows.
  std::optional<Metric> awaited_by = {};
  std::vector<SendObservations::Message> observed;  // standard sends; only for a WaitLearner
  bool gives_up = false;                            // what it waits for on a window never happens
  bool lacks_cause = false;  // the trace does not contain a message or a member that it waits for
  bool is_released = false;  // it has waited in vain
  std::size_t synchronized = 0;  // members of the group of its epoch that it has waited for
  std::size_t gathered = 0;      // messages of the events before this one are gathered
  bool has_completed = false;    // a request or a receive has completed
  // Of a barrier of threads that share work: CollectiveInstance::range_of_last.
  std::optional<std::pair<Ticks, Ticks>> last_may_begin = {};
  bool is_continued = false;  // its begin was an event before; the first one has just its time
  bool is_open = false;       // the replay of the call is not finished
  // It is a loop of tests (polling.hpp), which lasts as long as it must.
  bool polls = false;
  bool probes = false;         // it waits until a message can be received
  bool is_of_devices = false;  // it launches, orders, queries or awaits operations of accelerators
  Ticks divided = 0;           // PollingLoop::divided
  bool may_work = false;       // it may last as long as recorded, although nothing keeps it waiting

  void depends_on(const Times& cause) { latest_cause = later_of(latest_cause, cause); }
  // These functions describe the event that the call waits for, and require that it waits.
  bool awaits_receive() const { return gathered == events.size() && met < sends.size(); }
  // A collective or a message, unless it waits for a receive.
  const Event& awaited() const {
    return gathered == events.size() || ends_collective(events[next].kind) ? events[next]
                                                                           : events[gathered];
  }
  static bool ends_collective(EventKind kind) {
    return kind == EventKind::collective_end || kind == EventKind::icollective_end;
  }
  // The time in the tests of a loop, rather than between them, and their number.
  std::pair<Times, Ticks> inside(const std::vector<CallKind>& regions) const {
    Times sum{};
    Ticks tests = 0;
    bool is_inside = false;
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (is_inside) {
        sum.before += events[i].time - events[i - 1].time;
        sum.after += after[i] - after[i - 1];
      }
      if (events[i].kind == EventKind::enter && !is_inside && regions[events[i].id].polls()) {
        is_inside = true;
        ++tests;
      } else if (events[i].kind == EventKind::leave && regions[events[i].id].polls()) {
        is_inside = false;
      }
    }
    return {sum, tests};
  }
  // Whether it sends or receives messages without completing anything that depends on other ranks.
  bool only_sends() const {
    constexpr EventKinds depending(EventKind::recv, EventKind::irecv, EventKind::collective_end,
                                   EventKind::icollective_end);
    return !kinds.has_any(depending);
  }
  Times enter() const { return {enter_before(), after.front()}; }
  Times leave() const { return {leave_before(), after.back()}; }
  // How long it waits, from its enter on, until everything that it waits for has happened.
  Times waits() const { return waits_between(enter(), latest_cause, leave()); }
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
