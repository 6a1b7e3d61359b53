// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_threads.hpp"

#include "sim/replay/latest_time.hpp"

namespace tutti::studies::replay {

bool ThreadReplay::is_meeting(const RankState& me, const Event& event) const {
  switch (event.kind) {
    case EventKind::team_begin:
    case EventKind::team_end:
    case EventKind::thread_fork:
    case EventKind::thread_join:
    case EventKind::thread_create:
    case EventKind::thread_begin:
    case EventKind::thread_wait:
    case EventKind::thread_end:
      return true;
    case EventKind::enter:
    case EventKind::leave:
      return is_unrecorded_team(me, event);
    default:
      return false;
  }
}

bool ThreadReplay::meet(RankState& me, const Event& event) {
  switch (event.kind) {
    case EventKind::team_begin:
      return begin_in_team(me, event);
    case EventKind::team_end:
      end_in_team(me, event);
      return true;
    case EventKind::thread_fork:
      fork(me, event);
      return true;
    case EventKind::thread_join:
      return join(me, event);
    case EventKind::thread_create:
    case EventKind::thread_end:
      signal_thread(me, event);
      return true;
    case EventKind::thread_begin:
    case EventKind::thread_wait:
      return await_thread(me, event);
    case EventKind::leave:
      return end_parallel(me, event);
    default:
      return begin_parallel(me, event);
  }
}

void ThreadReplay::finish() {
  const auto& definitions = state_.definitions();
  for (std::size_t i = definitions.ranks.size(); i < state_.ranks.size(); ++i) {
    const auto thread = static_cast<TraceRank>(i);
    if (definitions.is_stream(thread)) continue;
    const Times& last = state_.ranks[thread]->last;
    const Times end = later_of(last, state_.ranks[definitions.rank_of(thread)]->last);
    state_.result.add_wait(Metric::idle_threads, thread, root_path, last, end - last);
  }
}

// ---- teams ----

void ThreadReplay::fork(RankState& me, const Event& event) {
  regions_.arrive(me, event.time);
  regions_.emit_last(me);
  ranks_[me.rank].fork = signal_of(me);
}

bool ThreadReplay::begin_in_team(RankState& me, const Event& event) {
  if (!begin_team(me, event.time, event.comm)) return false;
  regions_.emit_last(me);
  ranks_[me.rank].teams.push_back(event.comm);
  return true;
}

// The first member of the team is the thread that forks it.
bool ThreadReplay::begin_team(RankState& me, Ticks time, std::uint32_t team) {
  auto& count = me.collectives.counts[team];
  const CollectiveNumber number{team, workloads::traces::none, count};
  if (members(team).empty() || members(team).front() == me.rank) {
    regions_.arrive(me, time);
    const auto fork = std::exchange(ranks_[me.rank].fork, std::nullopt);
    state_.wake(teams_.fork(number, fork ? *fork : signal_of(me)));
  } else {
    const auto fork = teams_.fork_of(number, members(team).size() - 1, me.rank);
    if (!fork && !me.gives_up) return false;
    begin_thread(me, time, fork);
  }
  ++count;
  return true;
}

// A thread is idle until it begins in a team.
void ThreadReplay::begin_thread(RankState& me, Ticks time, const std::optional<Received>& fork) {
  if (!fork) {
    regions_.arrive(me, time);
    return;
  }
  if (!me.has_begun) me.last = state_.ranks[state_.definitions().rank_of(me.rank)]->first;
  const Times now{time, after_both(me.last, fork->sent, time)};
  state_.result.add_wait(Metric::idle_threads, me.rank, root_path, me.last, now - me.last);
  if (fork->marks) state_.causes->wait(me.rank, root_path, *fork->marks, me.last, now);
  me.last = {time, std::min(now.after, latest_time)};
  me.has_begun = true;
}

void ThreadReplay::end_in_team(RankState& me, const Event& event) {
  OfThread& mine = ranks_[me.rank];
  regions_.arrive(me, event.time);
  regions_.emit_last(me);
  if (!mine.teams.empty()) mine.teams.pop_back();
  const auto& team = members(event.comm);
  const CollectiveNumber number{event.comm, workloads::traces::none,
                                me.collectives.counts[event.comm]++};
  state_.wake(teams_.end(number, team.size(), signal_of(me)));
  if (!team.empty() && team.front() == me.rank) mine.ended_team = number;
}

bool ThreadReplay::join(RankState& me, const Event& event) {
  auto& ended_team = ranks_[me.rank].ended_team;
  if (!ended_team || me.gives_up) {
    regions_.arrive(me, event.time);
    regions_.emit_last(me);
    return true;
  }
  const auto ends = teams_.ends_of(*ended_team, members(ended_team->comm).size(), me.rank);
  if (!ends) return false;
  wait_for_ends(me, event.time, ends->first, ends->second);
  regions_.emit_last(me);
  teams_.forget(*ended_team);
  ended_team.reset();
  return true;
}

// The thread waits for the last ends, before and after.
void ThreadReplay::wait_for_ends(RankState& me, Ticks time, const Received& before,
                                 const Received& after) {
  const Times cause{before.sent.before, after.sent.after};
  const Times now{time, std::min(after_both(me.last, cause, time), latest_time)};
  const PathId path = me.frames.top().path;
  if (state_.sink != nullptr && cause.before <= time)
    state_.sink->waits(me.rank, waits_between(me.last, cause, now));
  state_.result.add(Metric::time, me.rank, path, now - me.last);
  if (state_.causes)
    state_.causes->wait(me.rank, path, {before.marks->before, after.marks->after}, me.last, now);
  me.last = now;
}

// ---- single threads ----

void ThreadReplay::signal_thread(RankState& me, const Event& event) {
  regions_.arrive(me, event.time);
  regions_.emit_last(me);
  const bool is_end = event.kind == EventKind::thread_end;
  state_.wake(signals_.give(
      {state_.definitions().rank_of(me.rank), event.tag, event.request, is_end}, signal_of(me)));
}

bool ThreadReplay::await_thread(RankState& me, const Event& event) {
  const bool is_end = event.kind == EventKind::thread_wait;
  const auto signal = signals_.take(
      {state_.definitions().rank_of(me.rank), event.tag, event.request, is_end}, me.rank);
  if (!signal && !me.gives_up) return false;
  if (!is_end)
    begin_thread(me, event.time, signal);
  else if (signal)
    wait_for_ends(me, event.time, *signal, *signal);
  else
    regions_.arrive(me, event.time);
  regions_.emit_last(me);
  return true;
}

// ---- teams without records ----

// Whether an outermost parallel region, whose team is known, begins or ends.
bool ThreadReplay::is_unrecorded_team(const RankState& me, const Event& event) const {
  const auto& parallel = state_.definitions().parallel;
  if (parallel.empty() ||
      state_.scan->kinds[event.id].role != workloads::traces::RegionRole::parallel)
    return false;
  const bool begins = event.kind == EventKind::enter;
  if (me.open_parallels != (begins ? 0 : 1)) return false;
  const std::size_t number = begins ? me.parallels : me.parallels - 1;
  return number < parallel[me.rank].size() &&
         parallel[me.rank][number].team != workloads::traces::none;
}

std::uint32_t ThreadReplay::barrier_team(const RankState& me) const {
  const auto& parallel = state_.definitions().parallel;
  const auto& teams = ranks_[me.rank].teams;
  const bool is_nested = me.open_parallels > 1 && !parallel.empty() && !parallel[me.rank].empty();
  return teams.empty() || is_nested ? workloads::traces::none : teams.back();
}

bool ThreadReplay::begin_parallel(RankState& me, const Event& event) {
  const auto& [team, has_barriers] = state_.definitions().parallel[me.rank][me.parallels];
  if (!begin_team(me, event.time, team)) return false;
  ranks_[me.rank].teams.push_back(has_barriers ? team : workloads::traces::none);
  const bool keeps = regions_.enter(me, event.id);
  regions_.emit(me, event.time, me.last.after, keeps);
  return true;
}

bool ThreadReplay::end_parallel(RankState& me, const Event& event) {
  const std::uint32_t team = state_.definitions().parallel[me.rank][me.parallels - 1].team;
  const CollectiveNumber number{team, workloads::traces::none, me.collectives.counts[team]};
  if (members(team).front() != me.rank) {
    regions_.arrive(me, event.time);
    state_.wake(teams_.end(number, members(team).size() - 1, signal_of(me)));
  } else if (!end_first_thread(me, event.time, number)) {
    return false;
  }
  ++me.collectives.counts[team];
  ranks_[me.rank].teams.pop_back();
  const bool keeps = !me.is_cut();
  regions_.leave(me, event.id);
  regions_.emit(me, event.time, me.last.after, keeps);
  return true;
}

// The first thread waits for the others at the end of the parallel region if it ends after them,
// otherwise at the join, if there is one.
bool ThreadReplay::end_first_thread(RankState& me, Ticks time, const CollectiveNumber& number) {
  const std::size_t threads = members(number.comm).size();
  const auto ends = teams_.ends_of(number, threads - 1, me.rank);
  if (!ends && !me.gives_up) return false;
  const Ticks own = me.last.after + time - me.last.before;
  const bool is_last = ends && ends->first.sent.before <= time;
  if (is_last && (ends->first.sent.before > me.last.before || ends->second.sent.after > own))
    wait_for_ends(me, time, ends->first, ends->second);
  else
    regions_.arrive(me, time);
  if (is_last) {
    teams_.forget(number);
    return true;
  }
  auto& ended_team = ranks_[me.rank].ended_team;
  if (ended_team) teams_.forget(*ended_team);
  ended_team = number;
  teams_.end(number, threads, signal_of(me));
  return true;
}

}  // namespace tutti::studies::replay
