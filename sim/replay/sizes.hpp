// SPDX-License-Identifier: BSD-3-Clause
// What messages of about a size take, and what receiving them costs, as far as a trace tells: of
// those that came late the first, of those that were there already the second.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "sim/replay/latest_time.hpp"

namespace tutti::studies::replay {

class TransferTimes {
 public:
  using Ticks = workloads::traces::Ticks;

  void add_late(std::uint64_t bytes, Ticks transfer) {
    Least& least = of_[class_of(bytes)];
    if (transfer >= least.transfer) return;
    least.transfer = transfer;
    least.bytes = bytes;
  }
  void add_early(std::uint64_t bytes, Ticks overhead) {
    auto& least = of_[class_of(bytes)].overhead;
    least = std::min(least, overhead);
  }
  // The largest number where none is known.
  Ticks transfer(std::uint64_t bytes) const { return of_[class_of(bytes)].transfer; }
  Ticks overhead(std::uint64_t bytes) const { return of_[class_of(bytes)].overhead; }

  // What a message takes, and what receiving one costs, where nothing is recorded: of its class, or
  // along the lines, or what is known of any; 0 where nothing is.
  Ticks estimated_transfer(std::uint64_t bytes) const {
    const Ticks own = transfer(bytes);
    if (own != std::numeric_limits<Ticks>::max()) return own;
    return std::max<Ticks>(0, nearest_ticks(at(bytes)));
  }
  Ticks estimated_overhead(std::uint64_t bytes) const {
    Ticks least = overhead(bytes);
    if (least != std::numeric_limits<Ticks>::max()) return least;
    for (const Least& each : of_) least = std::min(least, each.overhead);
    return least == std::numeric_limits<Ticks>::max() ? 0 : least;
  }

  // By how much longer a message takes that has `to` bytes instead of `from`: along the lines
  // between what the classes' quickest took. 0 where fewer than two classes are known.
  Ticks change(std::uint64_t from, std::uint64_t to) const {
    if (from == to) return 0;
    const double change = at(to) - at(from);
    return nearest_ticks(to > from ? std::max(0.0, change) : std::min(0.0, change));
  }

 private:
  static std::size_t class_of(std::uint64_t bytes) {
    return static_cast<std::size_t>(std::bit_width(bytes));
  }
  struct Least {
    bool has_transfer() const { return transfer != std::numeric_limits<Ticks>::max(); }
    std::uint64_t bytes = 0;  // of the message with that transfer
    Ticks transfer = std::numeric_limits<Ticks>::max();
    Ticks overhead = std::numeric_limits<Ticks>::max();
  };

  // On the line through the known classes on both sides, or the two nearest.
  double at(std::uint64_t bytes) const {
    const Least *low = nullptr, *high = nullptr;
    for (const Least& each : of_) {
      if (!each.has_transfer()) continue;
      if (high != nullptr && high->bytes >= bytes) break;
      low = high;
      high = &each;
    }
    if (low == nullptr) return high == nullptr ? 0 : static_cast<double>(high->transfer);
    const double slope = static_cast<double>(high->transfer - low->transfer) /
                         static_cast<double>(high->bytes - low->bytes);
    return static_cast<double>(low->transfer) +
           slope * (static_cast<double>(bytes) - static_cast<double>(low->bytes));
  }

  std::array<Least, 65> of_;
};

// What the model `recorded` learns from a trace.
struct RecordedCosts {
  TransferTimes messages;
  TransferTimes::Ticks send = std::numeric_limits<TransferTimes::Ticks>::max();  // the least call

  TransferTimes::Ticks estimated_send() const {
    return send == std::numeric_limits<TransferTimes::Ticks>::max() ? 0 : send;
  }
};

}  // namespace tutti::studies::replay
