// SPDX-License-Identifier: BSD-3-Clause
// K-nomial tree broadcast: a binomial tree of radix k (`fanout`; 0 means Open MPI's default 4).
// Costs are derived. The tree has d = ceil(log_k P) levels of digits; the root has C children, k-1
// on each level except the top one, which is limited by P. The rank with the largest digits is
// served last on every level: d hops and the C - d sends before them.
//   Hockney  ns C (l + ms/b)
//   LogGP    d (L + 2 o + (ms-1) G) + (C-d + (ns-1) C) (g + (ms-1) G)
// k = 2 is the binomial tree, k >= P the linear broadcast.

#include "algorithms/bcast/bcast.hpp"
#include "algorithms/bcast/tree_bcast.hpp"

namespace tutti::algorithms {
namespace {

constexpr int default_radix = 4;  // coll_tuned_bcast_knomial_radix

Task bcast_knomial(Rank& me, CollectiveArgs args) {
  return tree_bcast(
      me, args, trees::knomial(trees::position_of(me, args.root), fanout_or(default_radix, args)));
}

Seconds bcast_knomial_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const auto shape = trees::knomial_shape(args.procs, fanout_or(default_radix, args.call));
  return segmented_cost(segments_of(args.call), shape, cost);
}

models::StageForm bcast_knomial_stages(const ModelArgs& args, const models::Gamma& gamma) {
  const auto levels = levels_by_first_child([&](RankId rank) {
    return trees::knomial({.rank = rank, .procs = args.procs, .root = 0},
                          fanout_or(default_radix, args.call));
  });
  return models::tree_stages(levels, segments_of(args.call), gamma);
}

}  // namespace

const Algorithm bcast::knomial{
    .segmented = true,
    .default_fanout = default_radix,
    .least_fanout = 2,
    .program = bcast_knomial,
    .cost = bcast_knomial_cost,
    .stages = bcast_knomial_stages,
    .messages = tree_bcast_messages,
};

}  // namespace tutti::algorithms
