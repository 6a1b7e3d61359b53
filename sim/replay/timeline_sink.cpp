// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/timeline_sink.hpp"

namespace tutti::studies::replay {

TimelineSink::TimelineSink(const workloads::traces::Trace& trace, std::vector<bool> is_wanted)
    : trace_(trace),
      scan_(scan(trace, {})),
      is_wanted_(std::move(is_wanted)),
      calls_(trace, scan_, is_wanted_,
             {.call = [this](const TimelineCall& call) { add(call); },
              .message = [this](const TimelineMessage& message) { add(message); }}) {
  for (TraceRank rank = 0; rank < is_wanted_.size(); ++rank)
    ranks_.push_back({.events = EventReader(trace.events, rank)});
}

void TimelineSink::event(TraceRank rank, Ticks after, bool keeps) {
  OfRank& me = ranks_[rank];
  const Event& event = *me.events.next();
  const Moment now{{event.time, after}, keeps};
  if (me.call_depth == 0 && me.has_begun) piece(rank, me.last, now.time);
  me.has_begun = true;
  me.last = now.time;
  if (me.call_depth > 0) {
    inside_call(rank, event, now);
  } else if (event.kind == EventKind::enter && trace_.definitions.regions[event.id].is_call()) {
    me.call_depth = 1;
    calls_.enter(rank, now.time);
    enter_call(rank, event.id, now);
  } else if (event.kind == EventKind::enter) {
    enter(rank, event.id, now);
  } else if (event.kind == EventKind::leave) {
    leave(rank, now);
  }
}

void TimelineSink::inside_call(TraceRank rank, const Event& event, const Moment& now) {
  OfRank& me = ranks_[rank];
  me.call_depth += event.kind == EventKind::enter;
  me.call_depth -= event.kind == EventKind::leave;
  if (me.call_depth > 0) return calls_.inside(rank, event, now.time.after, now.keeps);
  leave_call(rank, now);
  calls_.leave(rank, now.time);
}

}  // namespace tutti::studies::replay
