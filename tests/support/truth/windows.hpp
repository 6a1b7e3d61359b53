// SPDX-License-Identifier: BSD-3-Clause
// One-sided calls. MPI_Win_complete (or MPI_Win_start, according to the program) waits for the
// posts of its targets, MPI_Win_wait for the completes of its origins, L later. An exclusive lock
// is granted in the order of the requests, when the preceding holder's unlock ends; the lock or the
// unlock waits for it.
#pragma once

#include <tuple>

#include "tests/support/truth/log.hpp"

namespace tutti::tests::truth {

class Windows {
 public:
  Windows(const Program& program, Log& log) : program_(program), log_(log) {}

  Call begin(int me, const Put& put, Time now) {
    const std::uint64_t id = ++operations_;
    open_[{me, put.window}].push_back(id);
    return {.leave = at(now + o),
            .finish =
                [=, this](const Span& call) {
                  pairs_[{put.window, me, put.target}].accessed = call.leave;
                  log_.write(me, now, [=](auto* to, auto time) {
                    return OTF2_EvtWriter_RmaPut(
                        to, nullptr, time, static_cast<std::uint32_t>(put.window),
                        static_cast<std::uint32_t>(put.target), put.bytes, id);
                  });
                },
            .region = "MPI_Put"};
  }

  // The puts of the location on the window are over.
  void complete_puts(int me, int window, Time time) {
    for (const std::uint64_t id : open_[{me, window}]) {
      log_.write(me, time, [=](auto* to, auto at) {
        return OTF2_EvtWriter_RmaOpCompleteBlocking(to, nullptr, at,
                                                    static_cast<std::uint32_t>(window), id);
      });
      log_.write(me, time, [=](auto* to, auto at) {
        return OTF2_EvtWriter_RmaOpCompleteRemote(to, nullptr, at,
                                                  static_cast<std::uint32_t>(window), id);
      });
    }
    open_[{me, window}].clear();
  }

  Call begin(int me, const Epoch& epoch, Time now) {
    switch (epoch.call) {
      case Epoch::Call::post:
        return post(me, epoch, now);
      case Epoch::Call::start:
        return start(me, epoch, now);
      case Epoch::Call::complete:
        return complete(me, epoch, now);
      case Epoch::Call::wait:
        return wait(me, epoch, now);
      case Epoch::Call::test_until_done:
        return test(me, epoch, now);
    }
    return {};
  }

  Call begin(int me, const Lock& lock, Time now) {
    Queue& queue = queues_[{lock.window, lock.target}];
    queue.push_back({.place = me, .enter = now, .is_shared = lock.is_shared});
    const std::size_t mine = queue.size() - 1;
    const auto leave = [=, this, &queue]() -> std::optional<Time> {
      if (!program_.does_lock_wait) return now + o;
      const auto granted = grant(queue, mine, now);
      return granted ? std::optional(*granted + o) : std::nullopt;
    };
    return {.leave = leave,
            .finish = [=, this, &queue](const Span& call) { lock_ends(queue, mine, lock, call); },
            .region = "MPI_Win_lock"};
  }

  Call begin(int me, const Unlock& unlock, Time now) {
    Queue& queue = queues_[{unlock.window, unlock.target}];
    std::size_t mine = 0;
    while (queue[mine].place != me || queue[mine].released) ++mine;
    return {.leave = [=, &queue]() -> std::optional<Time> {
              const auto granted = grant(queue, mine, now);
              return granted ? std::optional(*granted + o) : std::nullopt;
            },
            .finish =
                [=, this, &queue](const Span& call) {
                  queue[mine].released = call.leave;
                  wait_for_lock(queue, mine, call);
                  complete_puts(me, unlock.window, call.leave);
                  log_.write(me, call.leave, [=](auto* to, auto time) {
                    return OTF2_EvtWriter_RmaReleaseLock(
                        to, nullptr, time, static_cast<std::uint32_t>(unlock.window),
                        static_cast<std::uint32_t>(unlock.target), 0);
                  });
                },
            .region = "MPI_Win_unlock"};
  }

 private:
  // Between an origin and a target of a window.
  struct Pair {
    std::vector<Time> posts;      // begin of each
    std::vector<Span> completes;  // that are over
    Time accessed = 0;            // the end of the last put
    std::vector<Time> accesses;   // the same, of each epoch
    std::size_t starts = 0, waits = 0;
  };
  // One epoch of an origin with a target.
  struct Access {
    Pair* pair = nullptr;
    std::size_t index = 0;
  };

  Call post(int me, const Epoch& epoch, Time now) {
    exposed_[{me, epoch.window}] = epoch.group;
    for (const int origin : epoch.group) pairs_[{epoch.window, origin, me}].posts.push_back(now);
    return synchronizing("MPI_Win_post", me, epoch.window, epoch.group, OTF2_RMA_SYNC_LEVEL_PROCESS,
                         at(now + o), [](const Span&) {});
  }

  Call start(int me, const Epoch& epoch, Time now) {
    std::vector<Access> accesses;
    for (const int target : epoch.group) {
      Pair& pair = pairs_[{epoch.window, me, target}];
      accesses.push_back({&pair, pair.starts++});
    }
    accesses_[{me, epoch.window}] = accesses;
    groups_[{me, epoch.window}] = epoch.group;
    const auto leave = [=, this]() -> std::optional<Time> {
      return program_.does_start_wait ? after_posts(accesses, now) : now + o;
    };
    return synchronizing("MPI_Win_start", me, epoch.window, epoch.group,
                         OTF2_RMA_SYNC_LEVEL_PROCESS, leave, [=, this](const Span& call) {
                           if (program_.does_start_wait) wait_for_posts(accesses, call);
                         });
  }

  Call complete(int me, const Epoch& epoch, Time now) {
    const auto accesses = accesses_[{me, epoch.window}];
    return synchronizing(
        "MPI_Win_complete", me, epoch.window, groups_[{me, epoch.window}],
        OTF2_RMA_SYNC_LEVEL_MEMORY | OTF2_RMA_SYNC_LEVEL_PROCESS,
        [=] { return after_posts(accesses, now); },
        [=, this](const Span& call) {
          for (const Access& each : accesses) {
            each.pair->completes.push_back(call);
            each.pair->accesses.push_back(std::exchange(each.pair->accessed, 0));
          }
          wait_for_posts(accesses, call);
          complete_puts(me, epoch.window, call.leave);
        });
  }

  // A rank learns of a complete L after its end.
  Call wait(int me, const Epoch& epoch, Time now) {
    const auto group = exposed_[{me, epoch.window}];
    return synchronizing(
        "MPI_Win_wait", me, epoch.window, group,
        OTF2_RMA_SYNC_LEVEL_MEMORY | OTF2_RMA_SYNC_LEVEL_PROCESS,
        [=, this]() -> std::optional<Time> {
          const auto last = last_complete(me, epoch.window);
          return last ? std::optional(std::max(now, *last + L) + o) : std::nullopt;
        },
        [=, this](const Span& call) {
          Time last = 0, accessed = call.enter;
          for (const int origin : group) {
            Pair& pair = pairs_[{epoch.window, origin, me}];
            accessed = std::max(accessed, pair.accesses[pair.waits]);
            last = std::max(last, pair.completes[pair.waits++].enter);
          }
          log_.history.waits.push_back({"early_wait", call, last});
          log_.history.waits.push_back({"late_complete", {me, accessed, call.leave}, last});
        });
  }

  Call test(int me, const Epoch& epoch, Time now) {
    const auto group = exposed_[{me, epoch.window}];
    const auto last = last_complete(me, epoch.window);
    const bool is_over = last && *last + L <= now;
    return synchronizing("MPI_Win_test", me, epoch.window, group,
                         is_over ? OTF2_RMA_SYNC_LEVEL_MEMORY | OTF2_RMA_SYNC_LEVEL_PROCESS
                                 : OTF2_RMA_SYNC_LEVEL_NONE,
                         at(now + o), [=, this](const Span&) {
                           log_.does_repeat = !is_over;
                           if (!is_over) return;
                           for (const int origin : group)
                             ++pairs_[{epoch.window, origin, me}].waits;
                         });
  }

  // The end of the last complete that ends the target's current epoch; unset until it is known.
  std::optional<Time> last_complete(int target, int window) {
    Time last = 0;
    for (const int origin : exposed_[{target, window}]) {
      const Pair& pair = pairs_[{window, origin, target}];
      if (pair.completes.size() <= pair.waits) return std::nullopt;
      last = std::max(last, pair.completes[pair.waits].leave);
    }
    return last;
  }

  Call synchronizing(const std::string& region, int me, int window, const std::vector<int>& group,
                     OTF2_RmaSyncLevel level, std::function<std::optional<Time>()> leave,
                     const std::function<void(const Span&)>& finish) {
    return {.leave = std::move(leave),
            .finish =
                [=, this](const Span& call) {
                  finish(call);
                  log_.write(me, call.leave, [=, id = log_.group_id(group)](auto* to, auto time) {
                    return OTF2_EvtWriter_RmaGroupSync(to, nullptr, time, level,
                                                       static_cast<std::uint32_t>(window), id);
                  });
                },
            .region = region};
  }

  static std::optional<Time> after_posts(const std::vector<Access>& accesses, Time now) {
    Time last = now;
    for (const Access& each : accesses) {
      if (each.pair->posts.size() <= each.index) return std::nullopt;
      last = std::max(last, each.pair->posts[each.index] + L);
    }
    return last + o;
  }
  void wait_for_posts(const std::vector<Access>& accesses, const Span& call) {
    Time last = 0;
    for (const Access& each : accesses) last = std::max(last, each.pair->posts[each.index]);
    log_.history.waits.push_back({"late_post", call, last});
  }

  struct Holder {
    int place = 0;
    Time enter = 0;
    bool is_shared = false;
    std::optional<Time> released = {};
  };
  using Queue = std::vector<Holder>;

  // When all conflicting holders before `mine` have released the lock, at least `now`.
  static std::optional<Time> grant(const Queue& queue, std::size_t mine, Time now) {
    for (std::size_t i = 0; i < mine; ++i) {
      if (queue[i].is_shared && queue[mine].is_shared) continue;
      if (!queue[i].released) return std::nullopt;
      now = std::max(now, *queue[i].released);
    }
    return now;
  }
  void wait_for_lock(const Queue& queue, std::size_t mine, const Span& call) {
    if (const auto until = grant(queue, mine, 0))
      log_.history.waits.push_back({"lock_contention", call, *until});
  }
  void lock_ends(const Queue& queue, std::size_t mine, const Lock& lock, const Span& call) {
    const auto window = static_cast<std::uint32_t>(lock.window),
               target = static_cast<std::uint32_t>(lock.target);
    const OTF2_LockType type = lock.is_shared ? OTF2_LOCK_SHARED : OTF2_LOCK_EXCLUSIVE;
    if (program_.does_lock_wait) wait_for_lock(queue, mine, call);
    log_.write(call.place, call.enter, [=](auto* to, auto time) {
      return OTF2_EvtWriter_RmaRequestLock(to, nullptr, time, window, target, 0, type);
    });
    if (!program_.has_acquire_records) return;
    log_.write(call.place, call.leave, [=](auto* to, auto time) {
      return OTF2_EvtWriter_RmaAcquireLock(to, nullptr, time, window, target, 0, type);
    });
  }

  const Program& program_;
  Log& log_;
  std::uint64_t operations_ = 0;
  std::map<std::pair<int, int>, std::vector<std::uint64_t>> open_;  // by place and window
  std::map<std::pair<int, int>, std::vector<int>> exposed_, groups_;
  std::map<std::pair<int, int>, std::vector<Access>> accesses_;
  std::map<std::tuple<int, int, int>, Pair> pairs_;  // by window, origin and target
  std::map<std::pair<int, int>, Queue> queues_;      // by window and target
};

}  // namespace tutti::tests::truth
