// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_streams.hpp"

#include "sim/replay/latest_time.hpp"

namespace tutti::studies::replay {

// ---- causes ----

std::span<const DeviceCause> StreamReplay::causes_of(TraceRank location, std::uint32_t number) {
  if (devices().is_empty()) return {};
  const auto& all = devices().causes[location];
  std::size_t& begin = ranks_[location].next_cause;
  while (begin < all.size() && all[begin].of < number) ++begin;
  std::size_t end = begin;
  while (end < all.size() && all[end].of == number) ++end;
  return std::span(all).subspan(begin, end - begin);
}

bool StreamReplay::has_happened(const DeviceEvent& event) const {
  const OfLocation& other = ranks_[event.location];
  return event.number <
         (state_.definitions().is_stream(event.location) ? other.ended : other.calls.size());
}

// Returns false if something has not happened, which the location waits for from now on.
bool StreamReplay::await_causes(std::span<const DeviceCause> causes, TraceRank me, bool gives_up) {
  for (const DeviceCause& cause : causes) {
    if (!applies(cause) || has_happened(cause.event)) continue;
    if (gives_up) {
      ++released_;
      continue;
    }
    OfLocation& other = ranks_[cause.event.location];
    if (state_.definitions().is_stream(cause.event.location))
      other.awaiting_end.push_back(me);
    else
      other.awaiting_call.emplace_back(cause.event.number, me);
    return false;
  }
  return true;
}

// ---- operations ----

bool StreamReplay::is_meeting(const RankState& me, const Event& event) const {
  if (!state_.definitions().is_stream(me.rank)) return false;
  if (event.kind == EventKind::enter) return me.frames.empty();
  return event.kind == EventKind::leave && me.frames.depth() == 1 && member_of(me) != nullptr;
}

bool StreamReplay::meet(RankState& me, const Event& event) {
  return event.kind == EventKind::enter ? begin_operation(me, event) : end_collective(me, event);
}

bool StreamReplay::may_wait(const RankState& me, const Event& event) const {
  if (event.kind == EventKind::leave) {
    const DeviceMember* member = member_of(me);
    return member != nullptr && !member->is_certain;
  }
  const auto& has_unknown = devices().has_unknown[me.rank];
  const std::uint32_t number = ranks_[me.rank].begun;
  return number < has_unknown.size() && has_unknown[number];
}

bool StreamReplay::begin_operation(RankState& me, const Event& event) {
  OfLocation& mine = ranks_[me.rank];
  const auto all = causes_of(me.rank, mine.begun);
  if (!await_causes(all, me.rank, me.gives_up)) return false;
  std::vector<Cause> causes;
  for (const DeviceCause& cause : all) {
    if (!applies(cause) || !has_happened(cause.event)) continue;
    OfLocation& other = ranks_[cause.event.location];
    if (state_.definitions().is_stream(cause.event.location)) {
      const Received& end = other.ends.at(cause.event.number);
      causes.push_back({end.sent, end.marks});
    } else {
      const Signal& call = other.calls[cause.event.number];
      causes.push_back({call.at, call.marks, true});
    }
  }
  ++mine.begun;
  const Ticks not_before = std::exchange(me.not_before, INT64_MIN);
  if (causes.empty() && state_.args.limits.unmodeled == Unmodeled::recorded) {
    regions_.arrive(me, event.time);
    regions_.emit_last(me);
    regions_.enter(me, event.id);
  } else {
    // The idle time of a stream before an operation is not computation.
    const Times from =
        me.has_begun ? me.last : state_.ranks[state_.definitions().rank_of(me.rank)]->first;
    const Cause* decisive = nullptr;
    const bool is_certain = !devices().has_unknown[me.rank][mine.begun - 1] &&
                            std::ranges::all_of(all, [](const DeviceCause& cause) {
                              return cause.in == DeviceCause::everywhere;
                            });
    const Ticks begin = !is_certain && is_shortest()
                            ? earliest_begin(me, causes)
                            : operation_begin(me, causes, event.time, decisive);
    me.has_begun = true;
    me.last = {event.time, std::min(std::max(begin, not_before), latest_time)};
    if (decisive != nullptr && decisive->marks)
      state_.causes->wait(me.rank, root_path, *decisive->marks, from, me.last);
    const bool keeps = regions_.enter(me, event.id);
    regions_.emit(me, event.time, me.last.after, keeps);
  }
  begin_collective(me);
  return true;
}

// The cause that comes last in the trace, with the time that it takes at least, keeps its distance;
// the others keep at least the shortest distance that the trace shows.
Ticks StreamReplay::operation_begin(const RankState& me, const std::vector<Cause>& causes,
                                    Ticks recorded, const Cause*& decisive) {
  TransferTimes& costs = state_.result.costs.launches;
  constexpr Ticks unknown = std::numeric_limits<Ticks>::max();
  const Ticks latency = costs.transfer(0), gap = costs.overhead(0);
  const bool is_known = latency != unknown && gap != unknown;
  const auto least = [&](bool is_launch) { return is_launch ? latency : gap; };
  Ticks latest = INT64_MIN;
  Times from = me.last;
  if (me.has_begun) latest = me.last.before + (is_known ? gap : 0);
  const Cause* launch = nullptr;
  for (const Cause& cause : causes) {
    if (cause.is_launch) launch = &cause;
    const Ticks after = cause.at.before + (is_known ? least(cause.is_launch) : 0);
    if (cause.at.before > recorded || after <= latest) continue;
    latest = after;
    decisive = &cause;
  }
  if (latest == INT64_MIN) return me.last.after;
  if (decisive != nullptr) from = decisive->at;
  const Ticks since = recorded - from.before;
  Ticks begin = from.after + since;
  const auto follow = [&](const Times& at, Ticks shortest) {
    begin = std::max(begin, later(at.after, std::min(shortest == unknown ? since : shortest,
                                                     recorded - at.before)));
  };
  if (me.has_begun && decisive != nullptr) follow(me.last, gap);
  for (const Cause& cause : causes)
    if (&cause != decisive && cause.at.before <= recorded) follow(cause.at, least(cause.is_launch));
  // Only what is certainly decisive shows a shortest time.
  if (decisive == nullptr)
    costs.add_early(0, since);
  else if (decisive == launch && (!me.has_begun || launch->at.before > me.last.before))
    costs.add_late(0, since);
  if (decisive == nullptr) decisive = launch;
  return begin;
}

// The same without the time that another cause may explain.
Ticks StreamReplay::earliest_begin(const RankState& me, const std::vector<Cause>& causes) const {
  Ticks begin = me.last.after;
  for (const Cause& cause : causes) begin = std::max(begin, cause.at.after);
  return begin;
}

void StreamReplay::end_operation(const RankState& me) {
  OfLocation& mine = ranks_[me.rank];
  const std::uint32_t number = mine.ended++;
  if (devices().is_awaited[me.rank][number])
    mine.ends[number] =
        state_.last_event(me, Causes::pair_of(state_.definitions().rank_of(me.rank)));
  state_.wake(std::exchange(mine.awaiting_end, {}));
}

// ---- collectives ----

const DeviceMember* StreamReplay::member_of(const RankState& me) const {
  if (devices().is_empty()) return nullptr;
  const OfLocation& mine = ranks_[me.rank];
  const auto& members = devices().members[me.rank];
  // The first one that has not ended.
  if (mine.next_member >= members.size() || members[mine.next_member].of + 1 != mine.begun)
    return nullptr;
  return &members[mine.next_member];
}

bool StreamReplay::waits_for_peers(const DeviceMember& member) const {
  return member.group != DeviceMember::unknown && (member.is_certain || !is_shortest());
}

void StreamReplay::begin_collective(const RankState& me) {
  const DeviceMember* member = member_of(me);
  if (member == nullptr || member->group == DeviceMember::unknown) return;
  Collective& all = collectives_[member->group];
  all.last_begin = later_of(all.last_begin, me.last);
  if (++all.begun == member->size) state_.wake(std::exchange(all.waiting, {}));
}

// The kernels of a collective end as long after the last of them has begun as in the trace.
bool StreamReplay::end_collective(RankState& me, const Event& event) {
  const DeviceMember& member = *member_of(me);
  Times cause{INT64_MIN, INT64_MIN};
  if (waits_for_peers(member)) {
    Collective& all = collectives_[member.group];
    if (all.begun < member.size && !me.gives_up) {
      all.waiting.push_back(me.rank);
      return false;
    }
    released_ += all.begun < member.size;
    cause = all.last_begin;
  }
  if (member.group != DeviceMember::unknown && ++collectives_[member.group].ended == member.size)
    collectives_.erase(member.group);
  const bool has_no_length = !member.is_certain && is_shortest();
  const Ticks begin = me.last.after;
  const bool keeps = !me.is_cut();
  regions_.arrive_after(me, event.time, cause);
  const Ticks not_before = std::exchange(me.not_before, INT64_MIN);
  me.last.after = has_no_length ? begin : std::max(me.last.after, not_before);
  regions_.leave(me, event.id);
  regions_.emit(me, event.time, me.last.after, keeps);
  ++ranks_[me.rank].next_member;
  end_operation(me);
  return true;
}

// ---- the host ----

void StreamReplay::begin_call(const RankState& me) {
  if (devices().is_empty()) return;
  OfLocation& mine = ranks_[me.rank];
  mine.calls.push_back({me.last, state_.marks(me, Causes::unknown)});
  std::erase_if(mine.awaiting_call, [&](const auto& waiting) {
    const bool has_begun = waiting.first < mine.calls.size();
    if (has_begun) state_.wake(waiting.second);
    return has_begun;
  });
}

Ticks StreamReplay::launched_since(const RankState& me, Ticks before) const {
  Ticks sum = 0;
  if (devices().is_empty() || devices().launched[me.rank].empty()) return sum;
  const auto& calls = ranks_[me.rank].calls;
  for (std::size_t i = calls.size(); i-- > 0 && calls[i].at.before >= before;)
    sum += devices().launched[me.rank][i];
  return sum;
}

bool StreamReplay::awaits(const RankState& me) {
  if (devices().is_empty() || ranks_[me.rank].calls.empty()) return false;
  const auto number = static_cast<std::uint32_t>(ranks_[me.rank].calls.size() - 1);
  return std::ranges::any_of(causes_of(me.rank, number),
                             [&](const DeviceCause& cause) { return applies(cause); });
}

bool StreamReplay::gather_operations(RankState& me) {
  if (!awaits(me)) return true;
  const auto number = static_cast<std::uint32_t>(ranks_[me.rank].calls.size() - 1);
  const auto causes = causes_of(me.rank, number);
  if (!await_causes(causes, me.rank, me.call.gives_up)) return false;
  for (const DeviceCause& cause : causes) {
    if (!applies(cause) || !has_happened(cause.event)) continue;
    me.call.received.push_back(ranks_[cause.event.location].ends.at(cause.event.number));
    me.call.received.back().what = Received::What::operation;
    me.call.received.back().ended = me.call.leave_before();
    me.call.awaited_by = Metric::late_kernel;
  }
  return true;
}

}  // namespace tutti::studies::replay
