// SPDX-License-Identifier: BSD-3-Clause
// The last of the messages in flight for each pair of ranks: a hash table with open addressing and
// linear probing, at most half full.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/large_pages.hpp"
#include "sim/base/random.hpp"
#include "sim/runtime/pool.hpp"

namespace tutti::runtime {

class PairTable {
 public:
  // Enters the message as the last one of its pair, and returns the previous one; no_record if
  // there is none.
  std::uint32_t enter(std::uint64_t pair, std::uint32_t message) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[slot_of(pair)];
    if (slot.message == no_record) ++used_;
    slot.pair = pair;
    return std::exchange(slot.message, message);
  }

  // Removes the pair, and closes the gap, so that searches reach all others.
  void remove(std::uint64_t pair) {
    std::size_t gap = slot_of(pair);
    for (std::size_t at = (gap + 1) & mask(); slots_[at].message != no_record;
         at = (at + 1) & mask()) {
      if (((at - home_of(slots_[at].pair)) & mask()) < ((at - gap) & mask())) continue;
      slots_[gap] = slots_[at];
      gap = at;
    }
    slots_[gap].message = no_record;
    --used_;
  }

 private:
  struct Slot {
    std::uint64_t pair = 0;
    std::uint32_t message = no_record;
  };

  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t home_of(std::uint64_t pair) const {
    return (pair * 0x9E3779B97F4A7C15u >> 32) & mask();
  }
  std::size_t slot_of(std::uint64_t pair) const {
    std::size_t at = home_of(pair);
    while (slots_[at].message != no_record && slots_[at].pair != pair) at = (at + 1) & mask();
    return at;
  }
  void grow() {
    LargeVector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& each : old)
      if (each.message != no_record) slots_[slot_of(each.pair)] = each;
  }

  LargeVector<Slot> slots_ = LargeVector<Slot>(64);
  std::size_t used_ = 0;
};

}  // namespace tutti::runtime
