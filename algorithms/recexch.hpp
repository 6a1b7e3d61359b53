// SPDX-License-Identifier: BSD-3-Clause
// MPICH's recursive exchange of radix k: recursive doubling with digits of base k instead of bits.
// The largest power of k ranks take part. Of the first ranks, k-1 of each k consecutive ones drop
// out: each sends its data to the rank that takes part, and gets the result at the end. In each
// phase, the k ranks whose numbers differ in one digit exchange data.
#pragma once

#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms {

class RecursiveExchange {
 public:
  // The radix is limited to P, and at least 2.
  RecursiveExchange(RankId procs, int radix);

  int radix() const { return static_cast<int>(radix_); }
  // Number of ranks that take part, its logarithm, and the number of ranks that drop out.
  RankId size() const { return static_cast<RankId>(size_); }
  int phases() const { return phases_; }
  RankId dropped() const { return static_cast<RankId>(dropped_); }

  bool takes_part(RankId rank) const { return rank >= folded_ || rank % radix_ == radix_ - 1; }
  // The rank that represents one that drops out.
  RankId representative(RankId rank) const;
  // The ranks that a rank represents, except itself, in descending order.
  std::vector<RankId> represented(RankId rank) const;

  // Convert the rank of a process that takes part to its number, and back.
  RankId number(RankId rank) const;
  RankId rank(std::int64_t number) const;
  // The other numbers that differ from `number` in digit `phase` only, ascending.
  std::vector<RankId> neighbors(RankId number, int phase) const;
  // The number with reversed digits.
  RankId reversed(RankId number) const;
  // The first number of the group of k^level consecutive numbers of `number`.
  std::int64_t group(RankId number, int level) const;
  std::int64_t group_size(int level) const;
  // The first rank that `number` represents; `number` may be size().
  RankId first_rank(std::int64_t number) const;

  // The largest number of ranks that one rank represents, except itself.
  RankId most_represented() const;
  // Number of messages of all phases.
  std::int64_t messages_of_phases() const {
    return std::int64_t{size()} * phases() * (radix() - 1);
  }

 private:
  std::int64_t radix_;
  std::int64_t size_ = 1;
  int phases_ = 0;
  std::int64_t dropped_;
  std::int64_t folded_;  // the number of first ranks among which some drop out
};

// The default of MPICH's MPIR_CVAR_*_RECEXCH_KVAL.
inline constexpr int default_exchange_radix = 2;

// The time of a phase in which k ranks exchange `bytes` with each other:
//   exchange(m) + (k-2) next(m)
Seconds phase_cost(const RecursiveExchange& exchange, Bytes bytes, const models::MessageCost& cost);

}  // namespace tutti::algorithms
