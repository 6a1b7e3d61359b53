// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_thread_waits.hpp"

#include "sim/replay/latest_time.hpp"

namespace tutti::studies::replay {

ThreadWaitReplay::ThreadWaitReplay(ReplayState& state, RegionReplay& regions)
    : state_(state),
      regions_(regions),
      locations_(state.scan->thread_waits.of.size()),
      locks_(state.scan->thread_waits.locks.size()) {}

const ThreadWait* ThreadWaitReplay::acquisition(const RankState& me) const {
  if (!is_next(me)) return nullptr;
  const ThreadWait& wait = state_.scan->thread_waits.of[me.rank][next(me)];
  const bool is_now = wait.position + 1 == me.events.count();
  return is_now && wait.kind == ThreadWait::Kind::acquire ? &wait : nullptr;
}

// ---- requests ----

std::optional<Times> ThreadWaitReplay::next_request(RankState& me) {
  if (is_next(me)) pass_until(me, me.events.count() - 1);
  const ThreadWait* wait = acquisition(me);
  if (wait == nullptr || wait->lock == ThreadWait::none || locations_[me.rank].has_requested ||
      me.is_cut() || state_.args.limits.has_free_locks)
    return std::nullopt;
  if (wait->signal == ThreadWait::none) return me.last;
  const auto signal = signals_.find(wait->signal);
  if (signal == signals_.end() || !signal->second.given)
    return me.gives_up ? std::optional(me.last) : std::nullopt;
  return later_of(me.last, signal->second.given->sent);
}

// A thread that got the lock after this request may have got it later.
void ThreadWaitReplay::request(RankState& me, const Times& time) {
  Lock& lock = locks_[acquisition(me)->lock];
  locations_[me.rank].has_requested = true;
  lock.doubts += lock.last_acquired > time.after;
  lock.queue.push_back({me.rank, time.after});
}

std::optional<Ticks> ThreadWaitReplay::may_wait_until(const RankState& me) const {
  const ThreadWait* wait = acquisition(me);
  return wait == nullptr || !wait->may_wait ? std::nullopt : std::optional(wait->acquired);
}

// ---- waits ----

bool ThreadWaitReplay::before(RankState& me) {
  while (const ThreadWait* wait = acquisition(me)) {
    if (!acquire(me, *wait)) return false;
    OfLocation& mine = locations_[me.rank];
    ++mine.next;
    mine.has_requested = false;
  }
  return true;
}

bool ThreadWaitReplay::is_free(const RankState& me, const ThreadWait& wait) const {
  if (wait.lock == ThreadWait::none || state_.args.limits.has_free_locks) return true;
  const Lock& lock = locks_[wait.lock];
  if (!state_.scan->thread_waits.locks[wait.lock].is_fifo) return lock.next == wait.number;
  return !lock.queue.empty() && lock.queue.front().location == me.rank;
}

bool ThreadWaitReplay::acquire(RankState& me, const ThreadWait& wait) {
  if (me.is_cut()) {
    if (wait.lock != ThreadWait::none) end(locks_[wait.lock], me, wait);
    return true;
  }
  const Received* signal = nullptr;
  if (wait.signal != ThreadWait::none && !state_.args.limits.has_free_locks) {
    Signal& mine = signals_[wait.signal];
    if (!mine.given && !me.gives_up) {
      mine.waiting.push_back(me.rank);
      return false;
    }
    signal = mine.given ? &*mine.given : nullptr;
  }
  if (!is_free(me, wait) && !me.gives_up) {
    locks_[wait.lock].waiting.push_back(me.rank);
    return false;
  }
  this->wait(me, wait, signal);
  if (signal != nullptr &&
      ++signals_[wait.signal].takers == state_.scan->thread_waits.takers[wait.signal])
    signals_.erase(wait.signal);
  return true;
}

// The time before the acquisition is a wait, not computation of the region.
void ThreadWaitReplay::wait(RankState& me, const ThreadWait& wait, const Received* signal) {
  Times cause{wait.released, ThreadWait::never};
  Marks marks;
  Lock* const lock = wait.lock == ThreadWait::none ? nullptr : &locks_[wait.lock];
  const auto add = [&](const Received& by, bool is_recorded) {
    if (is_recorded && by.sent.before >= cause.before) {
      cause.before = by.sent.before;
      if (by.marks) marks.before = by.marks->before;
    }
    if (by.sent.after <= cause.after) return;
    cause.after = by.sent.after;
    if (by.marks) marks.after = by.marks->after;
  };
  if (lock != nullptr && lock->released && !state_.args.limits.has_free_locks)
    add(*lock->released, lock->released->sent.before == wait.released);
  if (signal != nullptr) add(*signal, true);
  conditions_ += wait.may_wait;
  const Times now{wait.acquired, std::min(acquired_at(me, wait, cause), latest_time)};
  const PathId path = me.frames.top().path;
  const Times waited = waits_between(me.last, cause, now);
  if (state_.sink != nullptr) state_.sink->waits(me.rank, waited);
  state_.result.add_wait(wait.is_critical ? Metric::critical_contention : Metric::mutex_contention,
                         me.rank, path, me.last, waited);
  state_.result.add(Metric::time, me.rank, path, now - me.last);
  if (state_.causes) state_.causes->wait(me.rank, path, marks, me.last, now);
  me.last = now;
  me.after_call = workloads::traces::none;
  locations_[me.rank].acquired[wait.lock] = now.after;
  if (lock == nullptr) {
    ++unknown_;
    return;
  }
  lock->last_acquired = std::max(lock->last_acquired, now.after);
  for (const Request& other : lock->queue)
    lock->doubts += other.location != me.rank && other.time < now.after;
}

// As the end of a receive: the release is the message.
Ticks ThreadWaitReplay::acquired_at(const RankState& me, const ThreadWait& wait,
                                    const Times& cause) {
  TransferTimes& costs = state_.result.costs.thread_locks;
  const Ticks since_last = wait.acquired - me.last.before;
  const Ticks since_cause = wait.acquired - cause.before;
  Ticks after = me.last.after + since_last;
  if (state_.args.limits.has_free_locks) {
    const bool waited = wait.lock == ThreadWait::none || wait.signal != ThreadWait::none ||
                        cause.before > me.last.before;
    after = me.last.after + std::min(costs.overhead(0), waited ? Ticks{0} : since_last);
  } else if (cause.before > me.last.before && since_cause >= 0) {
    costs.add_late(0, since_cause);
    after = std::max(
        me.last.after + std::min(costs.overhead(0), since_cause),
        cause.after == ThreadWait::never ? ThreadWait::never : later(cause.after, since_cause));
  } else if (wait.lock != ThreadWait::none && since_cause >= 0) {
    if (!wait.may_wait) costs.add_early(0, since_last);
    const Ticks latency = std::min(costs.transfer(0), since_last);
    if (cause.after != ThreadWait::never) after = std::max(after, later(cause.after, latency));
  }
  return std::max(after, me.not_before);
}

// ---- releases ----

void ThreadWaitReplay::after(RankState& me) { pass_until(me, me.events.count()); }

void ThreadWaitReplay::pass_until(RankState& me, std::uint64_t position) {
  const auto& waits = state_.scan->thread_waits.of[me.rank];
  OfLocation& mine = locations_[me.rank];
  for (; mine.next < waits.size() && waits[mine.next].position < position; ++mine.next) {
    const ThreadWait& wait = waits[mine.next];
    if (wait.kind == ThreadWait::Kind::release) {
      release(me, wait);
    } else if (wait.kind == ThreadWait::Kind::signal &&
               state_.scan->thread_waits.takers[wait.number] > 0) {
      Signal& signal = signals_[wait.number];
      signal.given = state_.last_event(me, Causes::unknown);
      state_.wake(std::exchange(signal.waiting, {}));
    } else if (wait.kind == ThreadWait::Kind::acquire && wait.lock != ThreadWait::none) {
      end(locks_[wait.lock], me, wait);  // it was inside of a call, which is replayed as a whole
    }
  }
}

void ThreadWaitReplay::release(RankState& me, const ThreadWait& wait) {
  auto& acquired = locations_[me.rank].acquired;
  const auto mine = acquired.find(wait.lock);
  if (mine == acquired.end()) return;
  const Ticks held = me.last.after - mine->second;
  acquired.erase(mine);
  if (wait.lock == ThreadWait::none) {
    unknown_held_ += held;
    return;
  }
  Lock& lock = locks_[wait.lock];
  lock.held += held;
  lock.released = state_.last_event(me, Causes::unknown);
  end(lock, me, wait);
}

void ThreadWaitReplay::end(Lock& lock, const RankState& me, const ThreadWait& wait) {
  std::erase_if(lock.queue, [&](const Request& one) { return one.location == me.rank; });
  if (wait.number >= lock.next) lock.over.insert(wait.number);
  while (lock.over.erase(lock.next) > 0) ++lock.next;
  state_.wake(std::exchange(lock.waiting, {}));
}

void ThreadWaitReplay::add_to(Verdict& verdict) const {
  verdict.conditions = conditions_;
  verdict.locks.acquisitions = unknown_;
  verdict.locks.ticks = unknown_held_;
  for (std::size_t i = 0; i < locks_.size(); ++i) {
    const ThreadLock& lock = state_.scan->thread_waits.locks[i];
    const bool is_known = lock.is_one && (lock.shows_order || locks_[i].doubts == 0);
    if (is_known) continue;
    verdict.locks.acquisitions += std::max<std::uint64_t>(1, locks_[i].doubts);
    verdict.locks.ticks += locks_[i].held;
  }
}

}  // namespace tutti::studies::replay
