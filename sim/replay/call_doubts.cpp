// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/call_doubts.hpp"

#include "sim/replay/call.hpp"

namespace tutti::studies::replay {

Doubt CallDoubts::of(const RankState& me) const {
  const Call& call = me.call;
  if (call.lacks_cause) return Doubt::everything;
  // Members of a collective that wait for nobody only send.
  if (!call.received.empty() || call.latest_cause.before != INT64_MIN) {
    const Times took = call.leave() - call.enter();
    const bool waits = took.after > took.before && state_.kind_of(call).tests && !call.polls;
    return call.may_work ? Doubt::work : waits ? Doubt::test : Doubt::nothing;
  }
  if (is_made(call.events.front(), made::estimated)) return Doubt::nothing;
  if (state_.is_on_platform && call.kinds.has_any(message_kinds)) return Doubt::nothing;
  if (call.polls || call.probes) return Doubt::everything;
  constexpr EventKinds unknown(EventKind::enter, EventKind::leave, EventKind::other);
  const bool is_known = call.kinds.has_others(unknown) && !state_.is_on_platform;
  const CallKind& kind = state_.kind_of(call);
  // The requests of a wait without a record were complete before.
  const bool is_local =
      kind.is_local || kind.tests || (kind.waits_for_requests && !me.has_unrecorded);
  return is_known || is_local ? Doubt::excess : Doubt::everything;
}

// A loop that launches divide may launch less or more in a changed program.
void CallDoubts::add_divided(const RankState& me) {
  const Call& call = me.call;
  const Times took = call.leave() - call.enter();
  const bool is_known = call.latest_cause.before != INT64_MIN;
  const Ticks earlier = is_known ? call.enter().after - call.latest_cause.after : call.divided;
  const Ticks shift =
      std::max(std::clamp<Ticks>(earlier, 0, call.divided), took.after - took.before);
  if (shift <= 0) return;
  double longer = 1;
  for (const Scale& scale : state_.args.hypothesis.scales) longer = std::max(longer, scale.factor);
  const Ticks launched = streams_.launched_since(me, call.enter_before() - call.divided);
  const double per_tick =
      longer * static_cast<double>(launched) / static_cast<double>(call.divided);
  divided_ += shift + nearest_ticks(static_cast<double>(shift) * per_tick);
}

void CallDoubts::count(const RankState& me) {
  const Call& call = me.call;
  const auto region = call.events.front().id;
  const Ticks ticks = call.leave_before() - call.enter_before();
  if (call.divided > 0) add_divided(me);
  shared_barriers_ += call.last_may_begin.has_value();
  switch (of(me)) {
    case Doubt::nothing:
      return;
    case Doubt::excess:
      return call_times_.add_local(region, call.sent_bytes, ticks);
    case Doubt::test:
      return call_times_.add_unmodeled(region, 0);
    case Doubt::work:
    case Doubt::everything:
      return call_times_.add_unmodeled(region, ticks);
  }
}

}  // namespace tutti::studies::replay
