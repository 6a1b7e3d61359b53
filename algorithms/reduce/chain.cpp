// SPDX-License-Identifier: BSD-3-Clause
// Chain reduction: vectors travel along `fanout` lines of ranks to the root, and every rank
// combines its own vector. Derived for f lines of at most q = ceil((P-1)/f) ranks: q messages and
// q-1 operations along a line; the root receives from the lines one after the other, with f
// operations. Then ns-1 segments follow at intervals of f receives and operations of the root:
//   q hop + (f-1) next + (q-1+f) combine + (ns-1) f (next + combine)
#include "algorithms/algorithm.hpp"
#include "algorithms/reduce/tree_reduce.hpp"

namespace tutti::algorithms {
namespace {

Task reduce_chain(Rank& me, CollectiveArgs args) {
  return tree_reduce(me, args, trees::chain(trees::position_of(me, args.root), args.fanout));
}

Seconds reduce_chain_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const int fanout = trees::effective_fanout(args.procs, args.call.fanout);
  const int longest = (args.procs - 1 + fanout - 1) / fanout;
  return way_up_cost(segments_of(args.call),
                     {.hops = double(longest),
                      .nexts = fanout - 1.0,
                      .combines = longest - 1.0 + fanout,
                      .root_children = double(fanout)},
                     cost);
}

}  // namespace

const Algorithm reduce::chain = up_a_tree({
    .default_fanout = 4,
    .program = reduction::program<reduce_chain>,
    .cost = reduction::cost<reduce_chain_cost>,
});

}  // namespace tutti::algorithms
