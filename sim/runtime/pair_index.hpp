// SPDX-License-Identifier: BSD-3-Clause
// Finds records by their pair of ranks or nodes: a hash table with open addressing and linear
// probing, at most half full. Neighboring ranks often send at the same time to ranks at the same
// distance. So the pairs of eight senders in a row with equal distances have adjacent slots.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/large_pages.hpp"
#include "sim/base/random.hpp"
#include "sim/runtime/pool.hpp"

namespace tutti::runtime {

class PairIndex {
 public:
  // `pair`: the sender in the upper half, the receiver in the lower one; `other` is a further
  // number that distinguishes records.
  static std::uint32_t hash(std::uint64_t pair, std::uint64_t other = 0) {
    const auto sender = static_cast<std::uint32_t>(pair >> 32);
    const std::uint32_t distance = static_cast<std::uint32_t>(pair) - sender;
    const std::uint64_t line = mixed((std::uint64_t{sender / line_size} << 32 | distance) ^ other);
    return static_cast<std::uint32_t>(line) / line_size * line_size + sender % line_size;
  }

  // The record with the hash for which `is_same` is true; no_record if there is none.
  template <class IsSame>
  std::uint32_t find(std::uint32_t hash, IsSame is_same) const {
    return slots_[slot_of(hash, is_same)].record;
  }

  // Adds the record. If there is one for which `is_same` is true, replaces and returns that; else
  // returns no_record.
  template <class IsSame>
  std::uint32_t put(std::uint32_t hash, std::uint32_t record, IsSame is_same) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[slot_of(hash, is_same)];
    if (slot.record == no_record) ++used_;
    slot.hash = hash;
    return std::exchange(slot.record, record);
  }
  void add(std::uint32_t hash, std::uint32_t record) {
    put(hash, record, [](std::uint32_t) { return false; });
  }

  // Removes a record of the table, and closes the gap, so that searches reach all others.
  void remove(std::uint32_t hash, std::uint32_t record) {
    std::size_t gap = slot_of(hash, [&](std::uint32_t other) { return other == record; });
    TUTTI_CHECK(slots_[gap].record == record, "the table has the record");
    for (std::size_t at = next(gap); slots_[at].record != no_record; at = next(at)) {
      if (((at - slots_[at].hash) & mask()) < ((at - gap) & mask())) continue;
      slots_[gap] = slots_[at];
      gap = at;
    }
    slots_[gap].record = no_record;
    --used_;
  }

  void prefetch(std::uint32_t hash) const { __builtin_prefetch(&slots_[hash & mask()], 1); }

 private:
  struct Slot {
    std::uint32_t record = no_record;
    std::uint32_t hash = 0;
  };
  static constexpr std::uint32_t line_size = 64 / sizeof(Slot);

  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  // The slot of the record, or the free one where it would be added.
  template <class IsSame>
  std::size_t slot_of(std::uint32_t hash, IsSame is_same) const {
    std::size_t at = hash & mask();
    while (slots_[at].record != no_record &&
           (slots_[at].hash != hash || !is_same(slots_[at].record)))
      at = next(at);
    return at;
  }
  void grow() {
    LargeVector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    used_ = 0;
    for (const Slot& slot : old)
      if (slot.record != no_record) add(slot.hash, slot.record);
  }

  LargeVector<Slot> slots_ = LargeVector<Slot>(64);
  std::size_t used_ = 0;
};

}  // namespace tutti::runtime
