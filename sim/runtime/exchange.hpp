// SPDX-License-Identifier: BSD-3-Clause
// Exchanges with all other ranks: a rank posts a receive from each and a send to each, and waits
// for all of them. Programs describe them as a whole (Rank::exchange), so that the core can
// simulate them without two requests for each pair of ranks.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

// What a rank receives from and sends to each other rank.
class ExchangeBlocks {
 public:
  virtual ~ExchangeBlocks() = default;
  virtual Slice from(RankId rank) const = 0;
  virtual Slice to(RankId rank) const = 0;
};

// All other ranks, starting with `first` and in steps of 1 or -1 around the ring of ranks.
struct ExchangeOrder {
  RankId first = 0;
  RankId step = 1;

  RankId next(RankId rank, RankId procs) const {
    if (step > 0) return rank + 1 == procs ? 0 : rank + 1;
    return rank == 0 ? procs - 1 : rank - 1;
  }
};

struct ExchangeArgs {
  const ExchangeBlocks& blocks;  // must outlive the wait
  ExchangeOrder receives;
  ExchangeOrder sends;
  bool alternates = false;  // posts a receive, a send, a receive, ...; else all receives first
};

// A set of numbers from 0 that are inserted roughly in ascending order: memory is needed only from
// the first missing to the last inserted one.
class AscendingSet {
 public:
  bool contains(std::uint32_t number) const {
    const std::uint32_t word = number / bits;
    if (word < complete_) return true;
    return word - complete_ < words_.size() && (words_[word - complete_] >> number % bits & 1) != 0;
  }
  void insert(std::uint32_t number) {
    const std::size_t word = number / bits - complete_;
    if (word >= words_.size()) words_.resize(word + 1);
    words_[word] |= std::uint64_t{1} << number % bits;
    const auto open = std::ranges::find_if(words_, [](std::uint64_t each) { return ~each != 0; });
    complete_ += static_cast<std::uint32_t>(open - words_.begin());
    words_.erase(words_.begin(), open);
  }

 private:
  static constexpr std::uint32_t bits = 64;
  std::uint32_t complete_ = 0;  // number of words without gaps before `words_`
  std::vector<std::uint64_t> words_;
};

// The state of a rank in an exchange that the core simulates as a whole.
struct RunningExchange {
  const ExchangeArgs* args = nullptr;  // null: the rank is in none
  Seconds posted_s = 0;                // when its receives were posted
  // The rank's clock once it has posted all sends and been charged for the receives so far.
  Seconds clock_s = 0;
  RankId next_to = 0;
  RankId to_send = 0;     // messages
  RankId to_receive = 0;  // messages that have not arrived
  AscendingSet matched;   // positions of sources in the order of receives
};

}  // namespace tutti::runtime
