// SPDX-License-Identifier: BSD-3-Clause
// The locks of windows as recorded: for each time that a rank owns a lock, when the owner before
// it released it.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/event.hpp"

namespace tutti::studies::replay {

struct LockKey {
  std::uint32_t window = 0;
  workloads::traces::TraceRank target = 0;  // none: all
  std::uint64_t lock = 0;
  auto operator<=>(const LockKey&) const = default;
  static LockKey of(const workloads::traces::Event& event) {
    return {event.comm, event.id, event.request};
  }
};

class LockOrder {
 public:
  using Ticks = workloads::traces::Ticks;
  using TraceRank = workloads::traces::TraceRank;
  static constexpr Ticks never = -(Ticks{1} << 61);  // long before any event

  void request(TraceRank rank, const LockKey& key, bool is_exclusive) {
    if (rank >= releases_.size()) releases_.resize(rank + std::size_t{1});
    open_[key] = {rank, static_cast<std::uint32_t>(releases_[rank].size()), 0, is_exclusive};
    releases_[rank].push_back(never);
  }
  // Notes that the rank that requested the lock last releases it. Ranks are read one after the
  // other.
  void release(const LockKey& key, Ticks time) {
    const auto open = open_.extract(key);
    if (open.empty()) return;
    open.mapped().end = time;
    owners_[key].push_back(open.mapped());
  }
  void end_rank() { open_.clear(); }

  // Call once after all ranks. Exclusive owners follow all others, shared ones only exclusive ones.
  void finish() {
    for (auto& [key, owners] : owners_) {
      std::ranges::stable_sort(owners, {}, &Owner::end);
      Ticks last = never, exclusive = never;
      for (const Owner& owner : owners) {
        releases_[owner.rank][owner.number] = owner.is_exclusive ? last : exclusive;
        last = owner.end;
        if (owner.is_exclusive) exclusive = owner.end;
      }
    }
    owners_.clear();
  }
  bool is_empty() const { return releases_.empty(); }
  // The release before the rank's n-th lock; `never` if there is none.
  Ticks before(TraceRank rank, std::size_t number) const { return releases_[rank][number]; }

 private:
  struct Owner {
    TraceRank rank = 0;
    std::uint32_t number = 0;
    Ticks end = 0;
    bool is_exclusive = false;
  };
  std::map<LockKey, Owner> open_;
  std::map<LockKey, std::vector<Owner>> owners_;
  std::vector<std::vector<Ticks>> releases_;  // by rank
};

}  // namespace tutti::studies::replay
