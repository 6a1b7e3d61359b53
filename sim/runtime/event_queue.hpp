// SPDX-License-Identifier: BSD-3-Clause
// Events by date; those of one date in the order in which they were added.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/runtime/transport.hpp"

namespace tutti::runtime {

class EventQueue {
 public:
  bool empty() const { return heap_.empty(); }
  Seconds next_date_s() const { return heap_.front().date_s; }
  void push(Seconds date_s, Event event) {
    heap_.push_back({date_s, pushed_++, event});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  Event pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Event event = heap_.back().event;
    heap_.pop_back();
    return event;
  }

 private:
  struct Entry {
    Seconds date_s;
    std::uint64_t number;
    Event event;
  };
  static bool later(const Entry& a, const Entry& b) {
    return a.date_s > b.date_s || (a.date_s == b.date_s && a.number > b.number);
  }
  std::vector<Entry> heap_;
  std::uint64_t pushed_ = 0;
};

}  // namespace tutti::runtime
