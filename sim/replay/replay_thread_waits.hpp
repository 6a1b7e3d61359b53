// SPDX-License-Identifier: BSD-3-Clause
// Locks and condition variables of threads in a replay. A lock is granted in the order of the
// requests or, if the trace shows another order, in that of the trace.
#pragma once

#include <deque>

#include "sim/replay/replay_regions.hpp"

namespace tutti::studies::replay {

class ThreadWaitReplay {
 public:
  // Both arguments must outlive this object.
  ThreadWaitReplay(ReplayState& state, RegionReplay& regions);

  // Whether something happens to a lock or a condition variable at the event that the location has
  // just read.
  bool is_next(const RankState& me) const {
    const auto& waits = state_.scan->thread_waits.of;
    return !waits.empty() && next(me) < waits[me.rank].size() &&
           waits[me.rank][next(me)].position < me.events.count();
  }
  // The time at which the location requests a lock, if that is next. Then no other location may be
  // behind this time when request() is called.
  std::optional<Times> next_request(RankState& me);
  void request(RankState& me, const Times& time);
  // The recorded time of the acquisition that is next, if it may have to wait for anything.
  std::optional<Ticks> may_wait_until(const RankState& me) const;
  // Waits before the event; false if the lock is not free, or the condition not signaled.
  bool before(RankState& me);
  // Releases and signals after the event.
  void after(RankState& me);
  // Sets the part of the verdict that is about locks.
  void add_to(Verdict& verdict) const;

 private:
  struct OfLocation {
    std::size_t next = 0;  // ThreadWait
    bool has_requested = false;
    std::map<std::uint32_t, Ticks> acquired;  // new times, by lock
  };
  struct Request {
    TraceRank location = 0;
    Ticks time = 0;
  };
  struct Lock {
    std::deque<Request> queue;     // of the owner and those that wait
    std::uint32_t next = 0;        // acquisition, in the order of the trace
    std::set<std::uint32_t> over;  // later ones that are cut
    std::optional<Received> released;
    std::vector<TraceRank> waiting;
    Ticks last_acquired = ThreadWait::never;
    std::uint64_t doubts = 0;  // another thread may get it first
    Ticks held = 0;
  };
  struct Signal {
    std::optional<Received> given;
    std::uint32_t takers = 0;
    std::vector<TraceRank> waiting;
  };

  std::size_t next(const RankState& me) const { return locations_[me.rank].next; }
  // The acquisition that is next at the current event; null: none.
  const ThreadWait* acquisition(const RankState& me) const;
  bool is_free(const RankState& me, const ThreadWait& wait) const;
  bool acquire(RankState& me, const ThreadWait& wait);
  void wait(RankState& me, const ThreadWait& wait, const Received* signal);
  Ticks acquired_at(const RankState& me, const ThreadWait& wait, const Times& cause);
  void pass_until(RankState& me, std::uint64_t position);
  void release(RankState& me, const ThreadWait& wait);
  void end(Lock& lock, const RankState& me, const ThreadWait& wait);

  ReplayState& state_;
  RegionReplay& regions_;
  std::vector<OfLocation> locations_;
  std::vector<Lock> locks_;
  std::map<std::uint32_t, Signal> signals_;
  Ticks unknown_held_ = 0;  // locks that are not known
  std::uint64_t unknown_ = 0, conditions_ = 0;
};

}  // namespace tutti::studies::replay
