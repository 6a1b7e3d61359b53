// SPDX-License-Identifier: BSD-3-Clause
// Locks of threads: a free lock is there o after the request, otherwise L after its release, in the
// order of the requests, or (unfair) the last request first. A signal wakes the first thread that
// waits for an item of the queue, which requests the mutex then.
#pragma once

#include "tests/support/truth/log.hpp"

namespace tutti::tests::truth {

class Locks {
 public:
  Locks(const Program& program, Log& log) : program_(program), log_(log) {}

  Call begin(int me, const Acquire& what, Time now) {
    Lock& lock = lock_of(me, what.lock);
    request(lock, me, now);
    return {.leave = [=, &lock] { return granted(lock, me); },
            .finish =
                [=, this, &lock](const Span& call) {
                  take(lock, me, call, what.is_critical ? "critical_contention" : "");
                  log_.enter(me, now, what.is_critical ? critical : "pthread_mutex_lock");
                  write_acquire(lock, me, call.leave, what);
                  if (!what.is_critical)
                    log_.leave(me, call.leave, "pthread_mutex_lock");
                  else if (program_.has_blocks)
                    log_.enter(me, call.leave, block);
                }};
  }

  Call begin(int me, const Release& what, Time now) {
    Lock& lock = lock_of(me, what.lock);
    release(lock, now);
    if (what.is_critical)
      return {.leave = at(now), .finish = [=, this, &lock](const Span&) {
                if (program_.has_blocks) log_.leave(me, now, block);
                write_release(lock, me, now, what);
                log_.leave(me, now, critical);
              }};
    return {.leave = at(now + o), .finish = [=, this, &lock](const Span&) {
              log_.enter(me, now, "pthread_mutex_unlock");
              write_release(lock, me, now, what);
              log_.leave(me, now + o, "pthread_mutex_unlock");
            }};
  }

  Call begin(int me, const Produce& what, Time now) {
    Queue& queue = queues_[{program_.rank_of(me), what.queue}];
    ++queue.items;
    if (!queue.waiting.empty()) {
      const int other = queue.waiting.front();
      queue.waiting.erase(queue.waiting.begin());
      request(lock_of(other, what.queue), other, now);
    }
    return {.leave = at(now + o), .finish = [](const Span&) {}, .region = "pthread_cond_signal"};
  }

  // Waits if there is nothing, and then looks again.
  Call begin(int me, const Consume& what, Time now, Actions& again) {
    Queue& queue = queues_[{program_.rank_of(me), what.queue}];
    if (queue.items > 0) {
      --queue.items;
      return {.leave = at(now), .finish = [](const Span&) {}};
    }
    again = {what};
    Lock& lock = lock_of(me, what.queue);
    const std::uint32_t order = lock.order;
    release(lock, now);
    queue.waiting.push_back(me);
    return {.leave = [=, &lock] { return granted(lock, me); },
            .finish =
                [=, this, &lock](const Span& call) {
                  const Release released{what.queue, false};
                  log_.enter(me, now, "pthread_cond_wait");
                  write_record(me, now, released.lock, order, false);
                  take(lock, me, call, "");
                  write_acquire(lock, me, call.leave, {what.queue, false});
                  log_.leave(me, call.leave, "pthread_cond_wait");
                }};
  }

 private:
  static constexpr const char* critical = "!$omp critical @code.f:4";
  static constexpr const char* block = "!$omp critical sblock @code.f:4";

  struct Request {
    int place = 0;
    Time time = 0;
  };
  struct Lock {
    int owner = -1;  // once granted
    Time acquired = 0, released = -L;
    Time since = 0;  // wait of the owner
    std::vector<Request> waiting;
    std::uint32_t order = 0;
  };
  struct Queue {
    int items = 0;
    std::vector<int> waiting;
  };

  Lock& lock_of(int place, int lock) { return locks_[{program_.rank_of(place), lock}]; }

  static void grant(Lock& lock, const Request& to) {
    lock.owner = to.place;
    lock.since = lock.released;
    lock.acquired = std::max(to.time + o, lock.released + L);
    ++lock.order;
  }
  static void request(Lock& lock, int me, Time now) {
    if (lock.owner < 0)
      grant(lock, {me, now});
    else
      lock.waiting.push_back({me, now});
  }
  void release(Lock& lock, Time now) const {
    lock.owner = -1;
    lock.released = now;
    if (lock.waiting.empty()) return;
    const auto next = program_.is_fair ? lock.waiting.begin() : lock.waiting.end() - 1;
    const Request to = *next;
    lock.waiting.erase(next);
    grant(lock, to);
  }
  static std::optional<Time> granted(const Lock& lock, int me) {
    return lock.owner == me ? std::optional(lock.acquired) : std::nullopt;
  }
  void take(const Lock& lock, int, const Span& call, const std::string& wait_state) {
    if (!wait_state.empty()) log_.history.waits.push_back({wait_state, call, lock.since});
  }

  void write_acquire(const Lock& lock, int me, Time time, const Acquire& what) {
    write_record(me, time, what.lock, lock.order, true);
  }
  void write_release(const Lock& lock, int me, Time time, const Release& what) {
    write_record(me, time, what.lock, lock.order, false);
  }
  void write_record(int me, Time time, int lock, std::uint32_t order, bool acquires) {
    if (!program_.has_lock_records) return;
    log_.write(me, time, [=](auto* to, auto at) {
      const auto write =
          acquires ? OTF2_EvtWriter_ThreadAcquireLock : OTF2_EvtWriter_ThreadReleaseLock;
      return write(to, nullptr, at, OTF2_PARADIGM_OPENMP, static_cast<std::uint32_t>(lock), order);
    });
  }

  const Program& program_;
  Log& log_;
  std::map<std::pair<int, int>, Lock> locks_;  // by rank and number
  std::map<std::pair<int, int>, Queue> queues_;
};

}  // namespace tutti::tests::truth
