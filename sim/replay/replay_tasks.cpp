// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_tasks.hpp"

#include "sim/replay/latest_time.hpp"

namespace tutti::studies::replay {

bool TaskReplay::is_meeting(const RankState& me, const Event& event) const {
  switch (event.kind) {
    case EventKind::task_create:
    case EventKind::task_switch:
    case EventKind::task_complete:
      return true;
    case EventKind::enter:
      return locations_[me.rank].depth > 0 ||
             state_.scan->kinds[event.id].of_threads == ThreadRegion::loop;
    case EventKind::leave:
      return locations_[me.rank].depth > 0 ||
             state_.scan->kinds[event.id].of_threads == ThreadRegion::task_wait;
    default:
      return false;
  }
}

bool TaskReplay::meet(RankState& me, const Event& event) {
  switch (event.kind) {
    case EventKind::task_create:
      create(me, event);
      return true;
    case EventKind::task_switch:
      return switch_to(me, event);
    case EventKind::task_complete:
      complete(me, event);
      return true;
    default:
      if (event.kind == EventKind::leave &&
          state_.scan->kinds[event.id].of_threads == ThreadRegion::task_wait &&
          !await_children(me, event))
        return false;
      follow_loop(me, event);
      return true;
  }
}

// ---- tasks ----

void TaskReplay::create(RankState& me, const Event& event) {
  regions_.pass(me, event);
  const Task task = task_of(me, event);
  OfLocation& mine = locations_[me.rank];
  mine.children[mine.task].push_back(task);
  OfTask& of = tasks_[task];
  of.created = state_.last_event(me, Causes::unknown);
  state_.wake(std::exchange(of.waiting, {}));
}

// The time before a task in a barrier is not computation.
bool TaskReplay::switch_to(RankState& me, const Event& event) {
  OfLocation& mine = locations_[me.rank];
  if (event.request != 0) {
    OfTask& of = tasks_[task_of(me, event)];
    if (!of.created && !of.is_begun && !me.gives_up) {
      of.waiting.push_back(me.rank);
      return false;
    }
    if (!std::exchange(of.is_begun, true) && of.created && me.frames.top().is_wait)
      wait(me, event.time, of.created->sent, of.created->marks ? *of.created->marks : Marks{});
  }
  regions_.pass(me, event);
  if (mine.task != 0) add_part(me, me.last.after - mine.begin);
  mine.task = event.request;
  mine.begin = me.last.after;
  return true;
}

void TaskReplay::complete(RankState& me, const Event& event) {
  regions_.pass(me, event);
  OfLocation& mine = locations_[me.rank];
  if (mine.task == event.request)
    add_part(me, me.last.after - std::exchange(mine.begin, me.last.after));
  forget_children(mine, event.request);
  const auto entry = tasks_.find(task_of(me, event));
  if (entry == tasks_.end()) return;
  OfTask& of = entry->second;
  of.completed = state_.last_event(me, Causes::unknown);
  state_.wake(std::exchange(of.waiting, {}));
  if (!of.is_awaited) tasks_.erase(entry);
}

void TaskReplay::forget_children(OfLocation& mine, std::uint64_t task) {
  const auto children = mine.children.extract(task);
  if (children.empty()) return;
  for (const Task& child : children.mapped())
    if (const auto of = tasks_.find(child); of == tasks_.end())
      continue;
    else if (of->second.completed)
      tasks_.erase(of);
    else
      of->second.is_awaited = false;
}

bool TaskReplay::await_children(RankState& me, const Event& event) {
  OfLocation& mine = locations_[me.rank];
  const auto children = mine.children.find(mine.task);
  if (children == mine.children.end() || me.is_cut()) return true;
  Times cause{INT64_MIN, INT64_MIN};
  Marks marks;
  for (const Task& child : children->second) {
    OfTask& of = tasks_[child];
    if (!of.completed && !me.gives_up) {
      of.waiting.push_back(me.rank);
      return false;
    }
    if (!of.completed) continue;
    const Times& sent = of.completed->sent;
    if (of.completed->marks && sent.before > cause.before)
      marks.before = of.completed->marks->before;
    if (of.completed->marks && sent.after > cause.after) marks.after = of.completed->marks->after;
    cause = later_of(cause, sent);
  }
  forget_children(mine, mine.task);
  if (cause.before != INT64_MIN) wait(me, event.time, cause, marks);
  return true;
}

void TaskReplay::wait(RankState& me, Ticks time, const Times& cause, const Marks& marks) {
  if (me.is_cut() || cause.before > time) return;
  const Times now{time, std::min(after_both(me.last, cause, time), latest_time)};
  const PathId path = me.frames.top().path;
  if (state_.sink != nullptr) state_.sink->waits(me.rank, waits_between(me.last, cause, now));
  state_.result.add(Metric::time, me.rank, path, now - me.last);
  if (state_.causes) state_.causes->wait(me.rank, path, marks, me.last, now);
  me.last = now;
}

// ---- parts that may move ----

void TaskReplay::add_part(RankState& me, Ticks ticks) {
  me.shared_work.has_any = true;
  me.shared_work.largest = std::max(me.shared_work.largest, ticks);
}

// An iteration consists of at most one instance of each region, or is unknown.
void TaskReplay::follow_loop(RankState& me, const Event& event) {
  OfLocation& mine = locations_[me.rank];
  regions_.pass(me, event);
  const Ticks now = me.last.after;
  if (event.kind == EventKind::enter) {
    if (mine.depth == 0) mine.loop_begin = now;
    if (mine.depth == 1) mine.part_begin = now;
    ++mine.depth;
    me.shared_work.has_any = true;
    return;
  }
  if (mine.depth == 0) return;
  if (--mine.depth == 1) {
    Ticks& largest = mine.largest[event.id];
    largest = std::max(largest, now - mine.part_begin);
  }
  if (mine.depth == 0) reach_barrier(me);
}

void TaskReplay::reach_barrier(RankState& me) {
  OfLocation& mine = locations_[me.rank];
  if (mine.task == 0) forget_children(mine, 0);
  Ticks part = 0;
  for (const auto& [region, ticks] : mine.largest) part += ticks;
  if (mine.largest.empty() && me.shared_work.has_any && mine.loop_begin > 0)
    part = me.last.after - mine.loop_begin;
  if (part > 0) add_part(me, part);
  mine.largest.clear();
  mine.loop_begin = 0;
}

}  // namespace tutti::studies::replay
