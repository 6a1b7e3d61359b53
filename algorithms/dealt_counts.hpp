// SPDX-License-Identifier: BSD-3-Clause
// The counts of a vector that is dealt out among the ranks, for collectives inside that are given
// counts.
#pragma once

#include <memory>

#include "algorithms/collective.hpp"
#include "algorithms/counts.hpp"

namespace tutti::algorithms {

// The blocks of reduce_scatter's call (RankBlocks::of_vector) as the arguments of a collective in
// blocks. All ranks share the table; whoever makes the call holds it.
struct DealtCall {
  std::shared_ptr<const Counts> table;  // null: the blocks are equal, or the call has counts
  CollectiveArgs args;
};
DealtCall dealt_call(const CollectiveArgs& args, int procs);

}  // namespace tutti::algorithms
