// SPDX-License-Identifier: BSD-3-Clause
// FIFO queues of records, one per key, for numbers of records that are too large for a linear
// search: a hash table with open addressing. The records of one key form a ring through their
// `next`: a slot of the table refers to the youngest, whose `next` is the oldest. The overhead is 4
// to 12 bytes per record.
// A Record has `next` and key().
#pragma once

#include <compare>

#include "sim/base/common.hpp"
#include "sim/base/random.hpp"
#include "sim/runtime/pool.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

// The key by which messages and receives match.
struct MatchKey {
  RankId source = 0;  // or any_source in a receive
  std::int32_t tag = 0;
  auto operator<=>(const MatchKey&) const = default;
};

template <class Record>
class KeyedQueue {
 public:
  explicit KeyedQueue(Pool<Record>& pool) : pool_(&pool) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void append(std::uint32_t index) {
    if (4 * (keys_ + 1) > 3 * youngest_.size()) grow();
    std::uint32_t& youngest = youngest_[slot_of(record(index).key())];
    if (youngest == no_record) {
      record(index).next = index;
      ++keys_;
    } else {
      record(index).next = std::exchange(record(youngest).next, index);
    }
    youngest = index;
    ++size_;
  }

  // The oldest record with the key; no_record if there is none.
  std::uint32_t oldest(MatchKey key) const {
    const std::uint32_t youngest = youngest_[slot_of(key)];
    return youngest == no_record ? no_record : record(youngest).next;
  }

  std::uint32_t take_oldest(MatchKey key) {
    const std::size_t slot = slot_of(key);
    const std::uint32_t youngest = youngest_[slot];
    if (youngest == no_record) return no_record;
    const std::uint32_t taken = record(youngest).next;
    if (taken == youngest) {
      free_slot(slot);
    } else {
      record(youngest).next = record(taken).next;
    }
    --size_;
    return taken;
  }

  // Visits the records with the key, starting with the oldest.
  template <class Visit>
  void for_each_of(MatchKey key, Visit visit) const {
    const std::uint32_t youngest = youngest_[slot_of(key)];
    if (youngest == no_record) return;
    std::uint32_t at = youngest;
    do visit(at = record(at).next);
    while (at != youngest);
  }

  // Visits all records, in no particular order of keys.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const std::uint32_t youngest : youngest_)
      if (youngest != no_record) for_each_of(record(youngest).key(), visit);
  }

 private:
  Record& record(std::uint32_t index) { return (*pool_)[index]; }
  const Record& record(std::uint32_t index) const { return std::as_const(*pool_)[index]; }
  std::size_t mask() const { return youngest_.size() - 1; }
  std::size_t home_of(MatchKey key) const {
    return mixed(std::uint64_t{std::bit_cast<std::uint32_t>(key.source)} << 32 |
                 std::bit_cast<std::uint32_t>(key.tag)) &
           mask();
  }

  // The slot of the key, or the one where it would be inserted.
  std::size_t slot_of(MatchKey key) const {
    std::size_t slot = home_of(key);
    while (youngest_[slot] != no_record && record(youngest_[slot]).key() != key)
      slot = (slot + 1) & mask();
    return slot;
  }

  // Moves up the following entries, unless that would be before their home slot.
  void free_slot(std::size_t hole) {
    for (std::size_t slot = (hole + 1) & mask(); youngest_[slot] != no_record;
         slot = (slot + 1) & mask()) {
      const std::size_t home = home_of(record(youngest_[slot]).key());
      if (((slot - home) & mask()) < ((slot - hole) & mask())) continue;
      youngest_[hole] = youngest_[slot];
      hole = slot;
    }
    youngest_[hole] = no_record;
    --keys_;
  }

  void grow() {
    const std::vector<std::uint32_t> before =
        std::exchange(youngest_, std::vector<std::uint32_t>(2 * youngest_.size(), no_record));
    for (const std::uint32_t youngest : before)
      if (youngest != no_record) youngest_[slot_of(record(youngest).key())] = youngest;
  }

  static constexpr std::size_t first_capacity = 64;

  Pool<Record>* pool_;
  std::vector<std::uint32_t> youngest_ = std::vector<std::uint32_t>(first_capacity, no_record);
  std::size_t keys_ = 0;
  std::size_t size_ = 0;
};

}  // namespace tutti::runtime
