// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_regions.hpp"

#include "sim/replay/latest_time.hpp"

namespace tutti::studies::replay {

RegionReplay::RegionReplay(ReplayState& state)
    : state_(state),
      parts_(state.args.hypothesis, state.definitions().regions),
      targets_(balance_targets(*state.scan, state.args.hypothesis)) {
  const Hypothesis& hypothesis = state.args.hypothesis;
  const PieceRule rule(state.definitions(), hypothesis);
  for (TraceRank rank = 0; rank < state.definitions().locations(); ++rank)
    state.ranks.push_back(std::make_unique<RankState>(
        state.trace, rank, parts_,
        Computation(hypothesis, parts_, *state.scan, targets_, rank, rule, state.args.cpu_factor)));
}

Ticks RegionReplay::arrive(RankState& me, Ticks time, std::uint32_t call, Ticks added) {
  const std::uint32_t after_call = std::exchange(me.after_call, workloads::traces::none);
  if (!me.has_begun) {  // each rank keeps its offset to the first one
    me.has_begun = true;
    me.last = {time, time + me.delay};
    me.computation.enter(me.frames.top());
    return me.last.after;
  }
  const Ticks piece = time - me.last.before;
  Ticks now = me.computation.compensated(piece);
  if (me.is_cut()) {
    now = 0;
  } else {
    const bool is_between_calls = parts_.has_pairs() && after_call != workloads::traces::none &&
                                  call != workloads::traces::none;
    now = is_between_calls ? changed_between(me, now, after_call, call)
                           : me.computation.changed(now, me.frames.top());
  }
  const Ticks omitted = std::min(me.gap_omitted, now);
  now += (me.is_cut() ? 0 : added) - omitted;
  now = std::min(now, latest_time - me.last.after);
  me.gap_omitted = 0;
  const PathId path = me.frames.top().path;
  state_.result.add(Metric::time, me.rank, path, {piece, now});
  if (state_.causes) state_.causes->pass(me.rank, path, {piece, now});
  me.last = {time, me.last.after + now};
  return me.last.after;
}

void RegionReplay::arrive_after(RankState& me, Ticks time, const Times& cause) {
  if (cause.before > time || me.is_cut()) {
    arrive(me, time);
    return;
  }
  me.after_call = workloads::traces::none;
  const Times from = later_of(me.last, cause);
  const Ticks now = std::min(
      me.computation.changed(me.computation.compensated(time - from.before), me.frames.top()),
      latest_time - from.after);
  const Times took{time - me.last.before, from.after + now - me.last.after};
  const PathId path = me.frames.top().path;
  state_.result.add(Metric::time, me.rank, path, took);
  if (state_.causes) state_.causes->pass(me.rank, path, took);
  me.last = {time, from.after + now};
}

// The new time of a piece between two calls.
Ticks RegionReplay::changed_between(RankState& me, Ticks piece, std::uint32_t from,
                                    std::uint32_t to) {
  Frame between = me.frames.between(from, to);
  me.computation.enter(between);
  return me.computation.changed(piece, between.parts != 0 ? between : me.frames.top());
}

void RegionReplay::pass(RankState& me, const Event& event) {
  const Ticks after = arrive(me, event.time);
  bool keeps = !me.is_cut();
  if (event.kind == EventKind::enter) {
    keeps = enter(me, event.id);
  } else if (event.kind == EventKind::leave && !me.frames.empty()) {
    leave(me, event.id);
  }
  emit(me, event.time, after, keeps);
}

bool RegionReplay::enter(RankState& me, std::uint32_t region) {
  ReplayResult& result = state_.result;
  const CallKind& kind = state_.scan->kinds[region];
  Frame& frame = me.frames.enter(region, result.paths.child(me.frames.top().path, region));
  frame.is_wait = kind.waits_for_threads();
  if (frame.is_wait) frame.parts &= parts_.cuts();
  me.computation.enter(frame);
  if (kind.role == workloads::traces::RegionRole::parallel)
    me.parallels += me.open_parallels++ == 0;
  if (me.is_cut() || (frame.parts & parts_.cuts()) != 0) {
    ++me.cut_depth;
    return false;
  }
  result.add(Metric::visits, me.rank, frame.path, {1, 1});
  return true;
}

void RegionReplay::leave(RankState& me, std::uint32_t region) {
  me.frames.leave();
  if (me.is_cut()) --me.cut_depth;
  me.open_parallels -= state_.scan->kinds[region].role == workloads::traces::RegionRole::parallel;
  begin_outside(me);
}

void RegionReplay::begin_outside(RankState& me) {
  if (me.frames.empty()) me.computation.enter(me.frames.begin_outside());
}

void RegionReplay::emit(const RankState& me, Ticks before, Ticks after, bool keeps) {
  ReplayResult& result = state_.result;
  ++result.events;
  if (keeps)
    result.largest_deviation = std::max(result.largest_deviation, std::abs(after - before));
  else
    ++result.cut_events;
  if (state_.sink != nullptr) state_.sink->event(me.rank, after, keeps);
}

bool RegionReplay::is_beyond() const {
  double all = 0;
  bool is_beyond = false;
  for (const auto& rank : state_.ranks) {
    all += static_cast<double>(rank->last.after);
    is_beyond |= rank->computation.is_beyond() || rank->last.after >= most_end;
  }
  return is_beyond || all > static_cast<double>(latest_time);
}

}  // namespace tutti::studies::replay
