// SPDX-License-Identifier: BSD-3-Clause
// Threads and accelerator streams: the parts of ReplayCore that relate the locations of a process.
// A thread that begins in a team waits for the fork, the first thread waits at the join for all; an
// operation of a stream waits for its launch, a synchronization of the host for operations.
#include "sim/replay/replay_core.hpp"

namespace tutti::studies::replay {

using workloads::traces::RegionRole;

namespace {

// The time since the later of the last event and the cause passes again after both.
Ticks after_both(const Times& last, const Times& cause, Ticks recorded) {
  if (cause.before > recorded) return last.after + recorded - last.before;
  return std::max(last.after, cause.after) + recorded - std::max(last.before, cause.before);
}

}  // namespace

bool ReplayCore::is_meeting(TraceRank rank, const Event& event) const {
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
      return (definitions().is_stream(rank) && ranks_[rank]->frames.empty()) ||
             is_of_unrecorded_team(rank, event);
    case EventKind::leave:
      return is_of_unrecorded_team(rank, event);
    default:
      return false;
  }
}

bool ReplayCore::meet(TraceRank rank) {
  RankState& me = *ranks_[rank];
  const Event event = *me.meeting;
  switch (event.kind) {
    case EventKind::team_begin:
      if (!begin_in_team(rank, event)) return false;
      break;
    case EventKind::team_end:
      end_in_team(rank, event);
      break;
    case EventKind::thread_fork:
      fork(rank, event);
      break;
    case EventKind::thread_join:
      if (!join(rank, event)) return false;
      break;
    case EventKind::thread_create:
    case EventKind::thread_end:
      signal_thread(rank, event);
      break;
    case EventKind::thread_begin:
    case EventKind::thread_wait:
      if (!await_thread(rank, event)) return false;
      break;
    case EventKind::leave:
      if (!end_parallel(rank, event)) return false;
      break;
    default:
      if (definitions().is_stream(rank) ? !begin_operation(rank, event)
                                        : !begin_parallel(rank, event))
        return false;
  }
  me.meeting.reset();
  me.gives_up = false;
  return true;
}

void ReplayCore::pass_meeting(TraceRank rank) {
  const Event event = *std::exchange(ranks_[rank]->meeting, std::nullopt);
  outside_calls(rank, event);
}

// ---- teams ----

Received ReplayCore::here(TraceRank rank, TraceRank other) {
  const Times& now = ranks_[rank]->last;
  return {.source = rank,
          .enter = now,
          .sent = now,
          .what = Received::What::thread,
          .marks = marks_if_needed(
              rank, other == workloads::traces::none ? Causes::unknown : Causes::pair_of(other))};
}

void ReplayCore::fork(TraceRank rank, const Event& event) {
  emit(rank, event.time, arrive(rank, event.time), ranks_[rank]->cut_depth == 0);
  ranks_[rank]->fork = here(rank, workloads::traces::none);
}

bool ReplayCore::begin_in_team(TraceRank rank, const Event& event) {
  RankState& me = *ranks_[rank];
  if (!begin_team(rank, event.time, event.comm)) return false;
  emit(rank, event.time, me.last.after, me.cut_depth == 0);
  me.teams.push_back(event.comm);
  return true;
}

// The first member of the team is the thread that forks it.
bool ReplayCore::begin_team(TraceRank rank, Ticks time, std::uint32_t team) {
  RankState& me = *ranks_[rank];
  const auto& members = definitions().communicators[team].members;
  const auto [found, is_new] = me.collectives.try_emplace(team, 0);
  const CollectiveNumber number{team, workloads::traces::none, found->second};
  if (members.empty() || members.front() == rank) {
    arrive(rank, time);
    const auto fork = std::exchange(me.fork, std::nullopt);
    for (const TraceRank each :
         teams_.fork(number, fork ? *fork : here(rank, workloads::traces::none)))
      wake(each);
  } else {
    const auto fork = teams_.fork_of(number, members.size() - 1, rank);
    if (!fork && !me.gives_up) return false;
    begin_thread(rank, time, fork);
  }
  ++found->second;
  return true;
}

// A thread is idle until it begins in a team.
void ReplayCore::begin_thread(TraceRank rank, Ticks time, const std::optional<Received>& fork) {
  RankState& me = *ranks_[rank];
  if (!fork) {
    arrive(rank, time);
    return;
  }
  if (!me.has_begun) me.last = ranks_[definitions().rank_of(rank)]->first;
  const Ticks after = after_both(me.last, fork->sent, time);
  add_idle(rank, me.last, {time, after});
  if (fork->marks) wait_for(rank, root_path, *fork->marks, me.last, {time, after});
  me.last = {time, std::min(after, latest_time)};
  me.has_begun = true;
}

void ReplayCore::end_in_team(TraceRank rank, const Event& event) {
  RankState& me = *ranks_[rank];
  emit(rank, event.time, arrive(rank, event.time), me.cut_depth == 0);
  if (!me.teams.empty()) me.teams.pop_back();
  const auto& members = definitions().communicators[event.comm].members;
  const CollectiveNumber number{event.comm, workloads::traces::none, me.collectives[event.comm]++};
  for (const TraceRank each :
       teams_.end(number, members.size(), here(rank, workloads::traces::none)))
    wake(each);
  if (!members.empty() && members.front() == rank) me.ended_team = number;
}

bool ReplayCore::join(TraceRank rank, const Event& event) {
  RankState& me = *ranks_[rank];
  if (!me.ended_team || me.gives_up) {
    emit(rank, event.time, arrive(rank, event.time), me.cut_depth == 0);
    return true;
  }
  const auto& members = definitions().communicators[me.ended_team->comm].members;
  const auto ends = teams_.ends_of(*me.ended_team, members.size(), rank);
  if (!ends) return false;
  wait_for_team(rank, event.time, *ends);
  emit(rank, event.time, me.last.after, me.cut_depth == 0);
  teams_.forget(*me.ended_team);
  me.ended_team.reset();
  return true;
}

void ReplayCore::wait_for_team(TraceRank rank, Ticks time,
                               const std::pair<Received, Received>& ends) {
  RankState& me = *ranks_[rank];
  const auto& [before, after] = ends;
  const Times cause{before.sent.before, after.sent.after};
  const Times now{time, std::min(after_both(me.last, cause, time), latest_time)};
  const PathId path = me.frames.top().path;
  if (sink_ != nullptr && cause.before <= time)
    sink_->waits(rank, waits_between(me.last, cause, now));
  result_.before.add(rank, path, Metric::time, now.before - me.last.before);
  result_.after.add(rank, path, Metric::time, now.after - me.last.after);
  if (causes_) wait_for(rank, path, {before.marks->before, after.marks->after}, me.last, now);
  me.last = now;
}

// ---- single threads ----

void ReplayCore::signal_thread(TraceRank rank, const Event& event) {
  emit(rank, event.time, arrive(rank, event.time), ranks_[rank]->cut_depth == 0);
  const bool is_end = event.kind == EventKind::thread_end;
  for (const TraceRank each :
       thread_signals_.give({definitions().rank_of(rank), event.tag, event.request, is_end},
                            here(rank, workloads::traces::none)))
    wake(each);
}

bool ReplayCore::await_thread(TraceRank rank, const Event& event) {
  RankState& me = *ranks_[rank];
  const bool is_end = event.kind == EventKind::thread_wait;
  const auto signal =
      thread_signals_.take({definitions().rank_of(rank), event.tag, event.request, is_end}, rank);
  if (!signal && !me.gives_up) return false;
  if (!is_end)
    begin_thread(rank, event.time, signal);
  else if (signal)
    wait_for_team(rank, event.time, {*signal, *signal});
  else
    arrive(rank, event.time);
  emit(rank, event.time, me.last.after, me.cut_depth == 0);
  return true;
}

// ---- teams without records ----

// Whether an outermost parallel region begins or ends.
bool ReplayCore::is_of_unrecorded_team(TraceRank rank, const Event& event) const {
  if (definitions().parallel.empty() || kinds_[event.id].role != RegionRole::parallel) return false;
  const RankState& me = *ranks_[rank];
  const auto& all = definitions().parallel[rank];
  const bool begins = event.kind == EventKind::enter;
  if (me.open_parallels != (begins ? 0 : 1)) return false;
  const std::size_t number = begins ? me.parallels : me.parallels - 1;
  return number < all.size() && all[number].team != workloads::traces::none;
}

bool ReplayCore::is_of_nested_team(TraceRank rank) const {
  return ranks_[rank]->open_parallels > 1 && !definitions().parallel.empty() &&
         !definitions().parallel[rank].empty();
}

bool ReplayCore::begin_parallel(TraceRank rank, const Event& event) {
  RankState& me = *ranks_[rank];
  const auto& [team, has_barriers] = definitions().parallel[rank][me.parallels];
  if (!begin_team(rank, event.time, team)) return false;
  me.teams.push_back(has_barriers ? team : workloads::traces::none);
  const bool keeps = enter(rank, event.id);
  emit(rank, event.time, me.last.after, keeps);
  return true;
}

bool ReplayCore::end_parallel(TraceRank rank, const Event& event) {
  RankState& me = *ranks_[rank];
  const std::uint32_t team = definitions().parallel[rank][me.parallels - 1].team;
  const auto& members = definitions().communicators[team].members;
  const CollectiveNumber number{team, workloads::traces::none, me.collectives[team]};
  if (members.front() != rank) {
    arrive(rank, event.time);
    for (const TraceRank each :
         teams_.end(number, members.size() - 1, here(rank, workloads::traces::none)))
      wake(each);
  } else if (!end_first_thread(rank, event.time, number)) {
    return false;
  }
  ++me.collectives[team];
  me.teams.pop_back();
  const bool keeps = me.cut_depth == 0;
  leave(rank, event.id);
  emit(rank, event.time, me.last.after, keeps);
  return true;
}

// The first thread waits for the others at the end of the parallel region if it ends after them,
// otherwise at the join, if there is one.
bool ReplayCore::end_first_thread(TraceRank rank, Ticks time, const CollectiveNumber& number) {
  RankState& me = *ranks_[rank];
  const std::size_t members = definitions().communicators[number.comm].members.size();
  const auto ends = teams_.ends_of(number, members - 1, rank);
  if (!ends && !me.gives_up) return false;
  const Ticks own = me.last.after + time - me.last.before;
  const bool is_last = ends && ends->first.sent.before <= time;
  if (is_last && (ends->first.sent.before > me.last.before || ends->second.sent.after > own))
    wait_for_team(rank, time, *ends);
  else
    arrive(rank, time);
  if (is_last) {
    teams_.forget(number);
    return true;
  }
  if (me.ended_team) teams_.forget(*me.ended_team);
  me.ended_team = number;
  teams_.end(number, members, here(rank, workloads::traces::none));
  return true;
}

// The location waits from `from` until `now` for what others have done.
void ReplayCore::wait_for(TraceRank rank, PathId path, const Marks& marks, const Times& from,
                          const Times& now) {
  const auto add = [&](Causes& causes, Ticks Times::*which,
                       const std::optional<Causes::Mark>& mark) {
    Ticks time = from.*which;
    if (mark && mark->rank != rank)
      time = causes.meet(rank, Causes::pair_of(mark->rank), *mark, time, now.*which);
    causes.pass(rank, path, now.*which - time);
  };
  add(causes_->before, &Times::before, marks.before);
  add(causes_->after, &Times::after, marks.after);
}

// ---- streams ----

// The idle time of a stream before an operation is not computation.
bool ReplayCore::begin_operation(TraceRank rank, const Event& event) {
  RankState& me = *ranks_[rank];
  const auto& launches = scan_.devices.launches[rank];
  const std::uint32_t number = me.operations;
  const auto launch = number < launches.size() ? launches[number] : std::nullopt;
  const Received* cause = nullptr;
  if (launch) {
    cause = ranks_[launch->location]->launches.find(launch->number);
    if (cause == nullptr && !me.gives_up) {
      ranks_[launch->location]->awaiting_launch[launch->number] = rank;
      return false;
    }
  }
  if (cause == nullptr) {
    emit(rank, event.time, arrive(rank, event.time), me.cut_depth == 0);
  } else {
    const Times from = me.has_begun ? me.last : ranks_[definitions().rank_of(rank)]->first;
    if (!me.has_begun) me.last = {cause->sent.before, cause->sent.after};
    me.has_begun = true;
    const Ticks after = std::min(operation_begin(me.last, *cause, event.time), latest_time);
    if (cause->marks) wait_for(rank, root_path, *cause->marks, from, {event.time, after});
    me.last = {event.time, after};
    ranks_[launch->location]->launches.erase(launch->number);
    const bool keeps = enter(rank, event.id);
    emit(rank, event.time, after, keeps);
    ++me.operations;
    return true;
  }
  enter(rank, event.id);
  ++me.operations;
  return true;
}

// As the end of a receive: the launch is the message, the end of the operation before the begin.
Ticks ReplayCore::operation_begin(const Times& last, const Received& launch, Ticks recorded) {
  TransferTimes& costs = result_.costs.launches;
  const Ticks since_launch = recorded - launch.sent.before, since_last = recorded - last.before;
  if (since_launch < 0) return last.after + since_last;
  if (launch.sent.before > last.before) {
    costs.add_late(0, since_launch);
    const Ticks gap = std::min(costs.overhead(0), since_launch);
    return std::max(last.after + gap, later(launch.sent.after, since_launch));
  }
  costs.add_early(0, since_last);
  const Ticks latency = std::min(costs.transfer(0), since_launch);
  return std::max(last.after + since_last, later(launch.sent.after, std::min(latency, since_last)));
}

void ReplayCore::end_operation(TraceRank rank) {
  RankState& me = *ranks_[rank];
  const std::uint32_t number = me.ended_operations++;
  if (scan_.devices.is_awaited[rank][number])
    me.operation_ends[number] = here(rank, definitions().rank_of(rank));
  for (const TraceRank each : std::exchange(me.awaiting_operation, {})) wake(each);
}

// A call of the host that launches an operation takes effect at its begin.
void ReplayCore::launch(TraceRank rank) {
  RankState& me = *ranks_[rank];
  const std::uint32_t number = me.launched++;
  if (scan_.devices.launches.empty()) return;
  me.launches[number] = here(rank, workloads::traces::none);
  const auto waiting = me.awaiting_launch.extract(number);
  if (!waiting.empty()) wake(waiting.mapped());
}

bool ReplayCore::gather_operations(TraceRank rank) {
  RankState& me = *ranks_[rank];
  const auto& waits = scan_.devices.awaited[rank];
  if (me.device_waits >= waits.size()) return true;
  const auto& awaited = waits[me.device_waits];
  for (const DeviceEvent& each : awaited)
    if (ranks_[each.location]->ended_operations <= each.number && !me.call.gives_up) {
      ranks_[each.location]->awaiting_operation.push_back(rank);
      return false;
    }
  for (const DeviceEvent& each : awaited) {
    if (ranks_[each.location]->ended_operations <= each.number) continue;
    me.call.received.push_back(ranks_[each.location]->operation_ends.at(each.number));
    me.call.received.back().what = Received::What::operation;
    me.call.received.back().ended = me.call.leave_before();
    me.call.awaited_by = Metric::late_kernel;
  }
  ++me.device_waits;
  return true;
}

}  // namespace tutti::studies::replay
