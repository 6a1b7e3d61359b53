// SPDX-License-Identifier: BSD-3-Clause
// Messages along an in-order binomial tree in which each rank has a block: the blocks of a rank's
// subtree are a contiguous run of shifted ranks (gather, scatter).
#pragma once

#include "algorithms/models/message_cost.hpp"
#include "algorithms/trees.hpp"

namespace tutti::algorithms::trees {

// Number of ranks in the subtree of a rank, including itself.
std::int64_t in_order_subtree(const Position& at);

// The messages that the root sends or receives, one after the other: min(2^j, P - 2^j) blocks per
// child, P-1 in total:
//   Hockney D l + (P-1) m/b, LogGP D (L + 2 o - G) + (P-1) m G          D = ceil(log2 P)
// This is the critical path of a gather, since a subtree of 2^j ranks is gathered as soon as the
// root has its first 2^j blocks, and of a scatter that serves the largest subtree first.
Seconds in_order_runs_cost(const ModelArgs& args, const models::MessageCost& cost);

}  // namespace tutti::algorithms::trees
