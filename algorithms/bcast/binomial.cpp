// SPDX-License-Identifier: BSD-3-Clause
// Binomial tree broadcast: in every step each rank that has the message sends it to one more rank.
// With d = ceil(log2 P):
//   Table 4.1 (one segment): Hockney d (l + m/b), LogGP d (L + 2 o + (m-1) G)
// Derived for ns segments: the root has d children, so segments follow at intervals of d sends:
//   Hockney ns d (l + ms/b), LogGP d (L + 2 o + (ms-1) G) + (ns-1) d (g + (ms-1) G)

#include "algorithms/bcast/bcast.hpp"
#include "algorithms/bcast/tree_bcast.hpp"

namespace tutti::algorithms {
namespace {

Task bcast_binomial(Rank& me, CollectiveArgs args) {
  return tree_bcast(me, args, trees::balanced_binomial(trees::position_of(me, args.root)));
}

Seconds bcast_binomial_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Segments segments = segments_of(args.call);
  const double depth = doubling_rounds(args.procs);
  const Seconds fill_s = depth * cost.hop(segments.longest_bytes());
  return segmented_cost(segments, {.fill_s = fill_s, .root_children = depth}, cost);
}

models::StageForm bcast_binomial_stages(const ModelArgs& args, const models::Gamma& gamma) {
  const auto levels = levels_by_first_child([&](RankId rank) {
    return trees::balanced_binomial({.rank = rank, .procs = args.procs, .root = 0});
  });
  return models::tree_stages(levels, segments_of(args.call), gamma);
}

}  // namespace

const Algorithm bcast::binomial{
    .segmented = true,
    .program = bcast_binomial,
    .cost = bcast_binomial_cost,
    .stages = bcast_binomial_stages,
    .messages = tree_bcast_messages,
};

}  // namespace tutti::algorithms
