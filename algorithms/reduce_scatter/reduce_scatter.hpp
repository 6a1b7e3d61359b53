// SPDX-License-Identifier: BSD-3-Clause
// What several reduce_scatter algorithms share.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {

// Recursive doubling over blocks of any sizes: see reduce_scatter_block::recursive_doubling.
Task reduce_scatter_by_doubling(Rank& me, RankBlocks blocks, bool commutative);
std::int64_t reduce_scatter_by_doubling_messages(const ModelArgs& args);

}  // namespace tutti::algorithms
