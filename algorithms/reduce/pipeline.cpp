// SPDX-License-Identifier: BSD-3-Clause
// Pipeline reduction along a single line of ranks to the root; every rank combines its own vector.
// Derived: (P-1) (hop + combine) for the first segment, then (ns-1) (next + combine).
#include "algorithms/algorithm.hpp"
#include "algorithms/reduce/tree_reduce.hpp"

namespace tutti::algorithms {
namespace {

Task reduce_pipeline(Rank& me, CollectiveArgs args) {
  return tree_reduce(me, args, trees::pipeline(trees::position_of(me, args.root)));
}

Seconds reduce_pipeline_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const double others = args.procs - 1.0;
  return way_up_cost(segments_of(args.call),
                     {.hops = others, .combines = others, .root_children = 1}, cost);
}

}  // namespace

const Algorithm reduce::pipeline = up_a_tree({
    .program = reduction::program<reduce_pipeline>,
    .cost = reduction::cost<reduce_pipeline_cost>,
});

}  // namespace tutti::algorithms
