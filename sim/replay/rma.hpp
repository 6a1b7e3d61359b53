// SPDX-License-Identifier: BSD-3-Clause
// One-sided communication in a replay: the calls that general active target synchronization waits
// for, and the locks of windows.
#pragma once

#include <deque>

#include "sim/base/common.hpp"
#include "sim/replay/call.hpp"

namespace tutti::studies::replay {

// MPI_Win_start or MPI_Win_complete waits for the MPI_Win_post of each target, MPI_Win_wait for the
// MPI_Win_complete of each origin. The n-th of one rank meets the n-th of the other.
class Epochs {
 public:
  enum class Kind : std::uint32_t { post, complete };
  // `tag` of a key: the Kind.
  static MessageKey key(TraceRank from, TraceRank to, std::uint32_t window, Kind kind) {
    return {from, to, window, static_cast<std::uint32_t>(kind)};
  }
  // Returns whether the other rank waits for it.
  bool send(const MessageKey& key, const Received& what) {
    OfKey& of = of_[key];
    of.sent.push_back(what);
    return std::exchange(of.is_awaited, false);
  }
  // The next one; empty if it has not happened, and the rank waits for it from now on.
  std::optional<Received> take(const MessageKey& key) {
    OfKey& of = of_[key];
    if (of.sent.empty()) {
      of.is_awaited = true;
      return std::nullopt;
    }
    of.is_awaited = false;
    auto first = std::move(of.sent.front());
    of.sent.pop_front();
    return first;
  }

 private:
  struct OfKey {
    std::deque<Received> sent;
    bool is_awaited = false;
  };
  ByMessageKey<OfKey> of_;
};

// The locks of windows, granted in the order of the requests.
class Locks {
 public:
  using Key = LockKey;

  void request(const Key& key, TraceRank rank, bool is_exclusive) {
    OfLock& of = of_[key];
    of.queue.push_back({rank, is_exclusive});
    grant(of);
  }
  // The release that the rank's lock had to wait for (with times INT64_MIN if it was free); null if
  // the lock is not granted yet, and the rank waits for it from now on.
  const Received* granted(const Key& key, TraceRank rank) {
    OfLock& of = of_[key];
    for (auto& holder : of.holders)
      if (holder.rank == rank) return &holder.after;
    of.waiting.insert(rank);
    return nullptr;
  }
  // The rank's call that releases the lock is `by`. Returns the ranks that waited for it.
  std::vector<TraceRank> release(const Key& key, TraceRank rank, const Received& by) {
    OfLock& of = of_[key];
    const auto mine = std::ranges::find(of.holders, rank, &Holder::rank);
    if (mine == of.holders.end()) return {};
    (mine->is_exclusive ? of.exclusive : of.shared) = by;
    of.holders.erase(mine);
    grant(of);
    std::vector<TraceRank> woken;
    for (const auto& holder : of.holders)
      if (of.waiting.erase(holder.rank) > 0) woken.push_back(holder.rank);
    return woken;
  }

 private:
  struct Waiting {
    TraceRank rank = 0;
    bool is_exclusive = false;
  };
  struct Holder {
    TraceRank rank = 0;
    bool is_exclusive = false;
    Received after;
  };
  struct OfLock {
    std::deque<Waiting> queue;
    std::vector<Holder> holders;
    std::set<TraceRank> waiting;
    std::optional<Received> exclusive, shared;  // the last releases
  };

  static void grant(OfLock& of) {
    while (!of.queue.empty()) {
      const Waiting next = of.queue.front();
      const bool is_free =
          of.holders.empty() || (!next.is_exclusive && !of.holders.front().is_exclusive);
      if (!is_free) return;
      of.queue.pop_front();
      of.holders.push_back({next.rank, next.is_exclusive, last_release(of, next.is_exclusive)});
    }
  }
  // Shared locks do not wait for each other.
  static Received last_release(const OfLock& of, bool is_exclusive) {
    constexpr Times never{INT64_MIN, INT64_MIN};
    Received last{.enter = never, .sent = never, .what = Received::What::lock};
    for (const auto* release : {&of.exclusive, &of.shared}) {
      if (!*release || (release == &of.shared && !is_exclusive)) continue;
      if ((*release)->sent.after > last.sent.after) last = **release;
    }
    return last;
  }

  std::map<Key, OfLock> of_;
};

}  // namespace tutti::studies::replay
