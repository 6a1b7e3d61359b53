// SPDX-License-Identifier: BSD-3-Clause
// What messages of about a size take, and what receiving them costs, as far as a trace tells: of
// those that came late the first, of those that were there already the second.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "workloads/traces/event.hpp"

namespace tutti::studies::replay {

class TransferTimes {
 public:
  using Ticks = workloads::traces::Ticks;

  void add_late(std::uint64_t bytes, Ticks transfer) {
    auto& least = of_[class_of(bytes)].transfer;
    least = std::min(least, transfer);
  }
  void add_early(std::uint64_t bytes, Ticks overhead) {
    auto& least = of_[class_of(bytes)].overhead;
    least = std::min(least, overhead);
  }
  // The largest number where none is known.
  Ticks transfer(std::uint64_t bytes) const { return of_[class_of(bytes)].transfer; }
  Ticks overhead(std::uint64_t bytes) const { return of_[class_of(bytes)].overhead; }

 private:
  static std::size_t class_of(std::uint64_t bytes) {
    return static_cast<std::size_t>(std::bit_width(bytes));
  }
  struct Least {
    Ticks transfer = std::numeric_limits<Ticks>::max();
    Ticks overhead = std::numeric_limits<Ticks>::max();
  };
  std::array<Least, 65> of_;
};

}  // namespace tutti::studies::replay
