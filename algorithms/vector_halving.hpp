// SPDX-License-Identifier: BSD-3-Clause
// The first part of Rabenseifner's reduce and allreduce: P is folded to a power of two (pairs
// exchange halves, the even rank gets the odd rank's result), then in step s partners v and v xor
// 2^s exchange halves of the parts that they are responsible for. Finally each rank has its part of
// the result.
#pragma once

#include "algorithms/fold.hpp"
#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms {

// The parts of the vector. A vector with an odd number of elements is divided before its middle
// element.
class VectorHalves {
 public:
  VectorHalves(const CollectiveArgs& args, std::int32_t buffer);

  // The parts that number v keeps and sends in a step; its partner keeps and sends the opposite
  // ones.
  Slice kept(RankId v, int step) const { return after(v, step + 1); }
  Slice sent(RankId v, int step) const { return after(v ^ (RankId{1} << step), step + 1); }
  // The longest part that any rank keeps or sends.
  Bytes longest_bytes(int step) const;
  Slice whole() const { return after(0, 0); }
  Slice lower_half() const { return after(0, 1); }
  Slice upper_half() const { return after(1, 1); }

 private:
  Slice after(RankId v, int steps) const;

  std::int64_t elements_;
  Bytes element_bytes_;
  std::int32_t buffer_;
};

// The fold that both algorithms use.
inline Fold rabenseifner_fold(RankId procs) { return {procs, Fold::Stays::even}; }
// Whether the operation is commutative and there is an element for each rank that the fold keeps.
// Otherwise both algorithms silently fall back to linear algorithms.
bool can_halve_vector(const CollectiveArgs& args, int procs);

// Works in `buffer`; ranks that drop out are done after the fold.
Task halve_vector(Rank& me, CollectiveArgs args, std::int32_t buffer);

// Derived. Fold, if P is not a power of two: exchange(m/2) + combine(m/2) + hop(m/2); then the
// steps:
//   sum over s of exchange(m / 2^s) + combine(m / 2^s), s = 1 .. floor(log2 P)
Seconds halve_vector_cost(const ModelArgs& args, const models::MessageCost& cost);
// Three messages per pair, then one per rank and step.
std::int64_t halve_vector_messages(const ModelArgs& args);

}  // namespace tutti::algorithms
