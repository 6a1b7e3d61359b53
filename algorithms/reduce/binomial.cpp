// SPDX-License-Identifier: BSD-3-Clause
// Binomial tree reduction in the in-order tree: child v + 2^j of a rank sends the result of the run
// of 2^j ranks that starts with it; nearer children come first.
// Derived: the mirror image of Table 4.1's binomial broadcast with one operation per message; a
// nearer child is ready one level earlier. d = ceil(log2 P):
//   d (hop + combine) + (ns-1) d (next + combine)

#include "algorithms/algorithm.hpp"
#include "algorithms/reduce/tree_reduce.hpp"

namespace tutti::algorithms {
namespace {

Task reduce_binomial(Rank& me, CollectiveArgs args) {
  return tree_reduce(me, args, trees::in_order_binomial(trees::position_of(me, args.root)));
}

Seconds reduce_binomial_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const double depth = doubling_rounds(args.procs);
  return way_up_cost(segments_of(args.call),
                     {.hops = depth, .combines = depth, .root_children = depth}, cost);
}

}  // namespace

const Algorithm reduce::binomial = up_a_tree({
    .program = reduction::program<reduce_binomial>,
    .cost = reduction::cost<reduce_binomial_cost>,
});

}  // namespace tutti::algorithms
