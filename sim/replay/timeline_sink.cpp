// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/timeline_sink.hpp"

#include "sim/replay/call.hpp"

namespace tutti::studies::replay {

using workloads::traces::RegionRole;
using workloads::traces::TraceCommunicator;

TimelineSink::TimelineSink(const workloads::traces::Trace& trace, std::vector<bool> is_wanted)
    : trace_(trace), is_wanted_(std::move(is_wanted)) {
  for (TraceRank rank = 0; rank < is_wanted_.size(); ++rank)
    ranks_.push_back({.events = EventReader(trace.events, rank)});
}

void TimelineSink::arrive(TraceRank rank, const Times& now) {
  OfRank& me = ranks_[rank];
  const Times waits = std::exchange(me.waits, {});
  if (me.has_begun) piece(rank, me.last, now, waits);
  me.has_begun = true;
  me.last = now;
}

void TimelineSink::event(TraceRank rank, Ticks after, bool keeps) {
  OfRank& me = ranks_[rank];
  const Event& event = *me.events.next();
  const Moment now{{event.time, after}, keeps};
  if (me.in_call > 0) {
    --me.in_call;
    me.last = now.time;
    return;
  }
  arrive(rank, now.time);
  if (event.kind == EventKind::enter)
    enter(rank, event.id, now);
  else if (event.kind == EventKind::leave)
    leave(rank, now);
}

void TimelineSink::call(TraceRank rank, const Call& call) {
  arrive(rank, call.enter());
  ranks_[rank].in_call = call.events.size();
  if (!is_wanted_[rank]) return;
  add_messages(rank, call);
  const bool awaits_receivers =
      !call.received.empty() && std::ranges::all_of(call.received, [](const Received& cause) {
        return cause.what == Received::What::receive;
      });
  add({.rank = rank,
       .region = call.events.front().id,
       .doing = doing_of(call),
       .enter = call.enter(),
       .leave = call.leave(),
       .waits = call.waits(),
       .awaits_receivers = awaits_receivers,
       .is_cut = call.cut.front() != 0});
}

void TimelineSink::add_messages(TraceRank rank, const Call& call) {
  for (const Received& cause : call.received) {
    if (cause.what != Received::What::message || !is_wanted_[cause.source]) continue;
    add({.from = cause.source,
         .to = rank,
         .sent = cause.sent,
         .received = {call.events[cause.event].time, call.after[cause.event]},
         .send_enter = cause.enter.after,
         .receive_enter = call.after.front(),
         .tag = call.events[cause.event].tag,
         .bytes = cause.recorded_bytes});
  }
}

// A call that also completes a collective is one.
Doing TimelineSink::doing_of(const Call& call) const {
  constexpr EventKinds of_collectives(EventKind::collective_request, EventKind::icollective_end);
  constexpr EventKinds of_windows(EventKind::group_sync, EventKind::lock_request,
                                  EventKind::lock_acquire, EventKind::lock_release);
  constexpr EventKinds of_messages(EventKind::send, EventKind::isend, EventKind::isend_complete,
                                   EventKind::recv, EventKind::irecv, EventKind::irecv_request,
                                   EventKind::request_test, EventKind::request_cancelled);
  const RegionRole role = trace_.definitions.regions[call.events.front().id].role;
  if (workloads::traces::is_of_devices(role)) return Doing::accelerator;
  if (role == RegionRole::thread_barrier) return Doing::threads;
  if (call.kinds.has(EventKind::collective_end)) {
    const auto end = std::ranges::find(call.events, EventKind::collective_end, &Event::kind);
    return trace_.definitions.communicators[end->comm].kind == TraceCommunicator::Kind::window
               ? Doing::one_sided
               : Doing::collective;
  }
  if (call.implicit || call.kinds.has_any(of_collectives)) return Doing::collective;
  if (call.kinds.has_any(of_windows)) return Doing::one_sided;
  const bool has_probed = !call.received.empty();
  return has_probed || call.kinds.has_any(of_messages) ? Doing::point_to_point : Doing::other_call;
}

}  // namespace tutti::studies::replay
