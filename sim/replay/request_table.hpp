// SPDX-License-Identifier: BSD-3-Clause
// A hash table of the active requests of a rank, by their number in the trace. A rank has few
// active requests at a time but millions in total, so one block of memory is reused (open
// addressing, linear probing, at most two thirds full).
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies::replay {

template <class Value>
class RequestTable {
 public:
  // The value of a request; null if it is absent. The pointer is valid until the next change.
  Value* find(std::uint64_t request) {
    if (slots_.empty()) return nullptr;
    Slot& slot = slots_[place_of(request)];
    return slot.is_used ? &slot.value : nullptr;
  }
  const Value* find(std::uint64_t request) const {
    return const_cast<RequestTable*>(this)->find(request);
  }
  bool contains(std::uint64_t request) const { return find(request) != nullptr; }

  // Inserts a default value if absent.
  Value& operator[](std::uint64_t request) {
    if (3 * (used_ + 1) > 2 * slots_.size()) grow();
    Slot& slot = slots_[place_of(request)];
    if (slot.is_used) return slot.value;
    slot = {request, {}, true};
    ++used_;
    return slot.value;
  }

  // Removes a request. Returns false if it was absent.
  bool erase(std::uint64_t request) {
    if (slots_.empty()) return false;
    std::size_t hole = place_of(request);
    if (!slots_[hole].is_used) return false;
    --used_;
    // Entries that could be in the hole move there, so that no search ends too early.
    for (std::size_t i = next(hole); slots_[i].is_used; i = next(i)) {
      const std::size_t home = home_of(slots_[i].request);
      const bool stays = hole < i ? hole < home && home <= i : hole < home || home <= i;
      if (stays) continue;
      slots_[hole] = std::move(slots_[i]);
      hole = i;
    }
    slots_[hole] = {};
    return true;
  }

  std::size_t size() const { return used_; }
  template <class Visit>
  void each(const Visit& visit) const {
    for (const Slot& slot : slots_)
      if (slot.is_used) visit(slot.request, slot.value);
  }
  void clear() { *this = {}; }

 private:
  struct Slot {
    std::uint64_t request = 0;
    Value value = {};
    bool is_used = false;
  };

  std::size_t home_of(std::uint64_t request) const {
    return static_cast<std::size_t>(request * 0x9e3779b97f4a7c15 >> 32) & (slots_.size() - 1);
  }
  std::size_t next(std::size_t place) const { return (place + 1) & (slots_.size() - 1); }
  // The slot that contains the request, or where it would be inserted.
  std::size_t place_of(std::uint64_t request) const {
    std::size_t place = home_of(request);
    while (slots_[place].is_used && slots_[place].request != request) place = next(place);
    return place;
  }
  void grow() {
    auto old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 8 : 2 * slots_.size()));
    for (Slot& slot : old)
      if (slot.is_used) slots_[place_of(slot.request)] = std::move(slot);
  }

  std::vector<Slot> slots_;  // size is a power of two
  std::size_t used_ = 0;
};

}  // namespace tutti::studies::replay
