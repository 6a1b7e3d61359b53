// SPDX-License-Identifier: BSD-3-Clause
// Binary tree reduction: every rank combines the vectors of two children with its own.
// Derived: the mirror image of Table 4.1's binary broadcast with one operation per message, and d =
// ceil(log2(P+1)) - 1 levels:
//   d (hop + next + 2 combine) + (ns-1) 2 (next + combine)
#include "algorithms/algorithm.hpp"
#include "algorithms/reduce/tree_reduce.hpp"

namespace tutti::algorithms {
namespace {

Task reduce_binary(Rank& me, CollectiveArgs args) {
  return tree_reduce(me, args, trees::binary(trees::position_of(me, args.root)));
}

}  // namespace

const Algorithm reduce::binary = up_a_tree({
    .program = reduction::program<reduce_binary>,
    .cost = reduction::cost<two_children_cost>,
});

}  // namespace tutti::algorithms
