// SPDX-License-Identifier: BSD-3-Clause
// Adapts algorithms for power-of-two process counts to other counts: in each of the first pairs,
// one rank drops out after sending its data to the other; the remaining ranks are renumbered.
#pragma once

#include "sim/runtime/types.hpp"

namespace tutti::algorithms {

class Fold {
 public:
  enum class Stays { even, odd };  // which rank of a pair 2i, 2i + 1

  Fold(RankId procs, Stays stays)
      : size_(static_cast<RankId>(std::bit_floor(static_cast<unsigned>(procs)))),
        pairs_(procs - size_),
        odd_(stays == Stays::odd ? 1 : 0) {}

  // Number of ranks that stay (the largest power of two <= P), its logarithm, and the number of
  // ranks that drop out.
  RankId size() const { return size_; }
  int steps() const { return std::bit_width(static_cast<unsigned>(size_)) - 1; }
  RankId pairs() const { return pairs_; }

  bool in_pair(RankId rank) const { return rank < 2 * pairs_; }
  bool stays(RankId rank) const { return !in_pair(rank) || rank % 2 == odd_; }
  // Convert the rank of a process that stays to its new number, and back.
  RankId number(RankId rank) const { return in_pair(rank) ? rank / 2 : rank - pairs_; }
  RankId rank(RankId number) const { return number < pairs_ ? 2 * number + odd_ : number + pairs_; }
  // The first rank that `number` represents; `number` may be size().
  RankId first_rank(RankId number) const { return number < pairs_ ? 2 * number : number + pairs_; }

 private:
  RankId size_;
  RankId pairs_;
  RankId odd_;
};

}  // namespace tutti::algorithms
