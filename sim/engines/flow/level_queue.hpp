// SPDX-License-Identifier: BSD-3-Clause
// The queue of a filling: links by the level at which they become saturated. Most fillings visit
// only a few links; those that visit thousands find many at the same level.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/radix_queue.hpp"

namespace tutti::engines {

class LevelQueue {
 public:
  struct Entry {
    double level = 0;
    std::uint32_t subject = 0;
  };

  // Empties the queue; at most `size` entries will be pushed before the first pop.
  void reset(std::size_t size) {
    is_small_ = size <= small;
    few_.clear();
    many_.clear();
  }
  bool empty() const { return is_small_ ? few_.empty() : many_.empty(); }
  void push(double level, std::uint32_t subject) {
    if (is_small_)
      few_.push_back({level, subject});
    else
      many_.push(level, subject);
  }
  Entry pop() {
    if (!is_small_) {
      const double level = many_.next_key();
      return {level, many_.pop()};
    }
    const auto least = std::min_element(
        few_.begin(), few_.end(), [](const Entry& a, const Entry& b) { return a.level < b.level; });
    const Entry popped = *least;
    *least = few_.back();
    few_.pop_back();
    return popped;
  }

 private:
  static constexpr std::size_t small = 48;
  bool is_small_ = true;
  std::vector<Entry> few_;
  runtime::RadixQueue<std::uint32_t> many_;
};

}  // namespace tutti::engines
