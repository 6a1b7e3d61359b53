// SPDX-License-Identifier: BSD-3-Clause
// Chain broadcast: the root feeds the heads of `fanout` lines of ranks; each rank forwards.
//   Table 4.1 (fan-out 1, one segment): Hockney (P-1) (l + m/b), LogGP (P-1) (L + 2 o + (m-1) G)
// Derived for f lines: line i (from 0) starts i sends later; the last line to end is the last one
// of length q = ceil((P-1)/f) or the last of the others (length q-1). Then ns-1 segments follow at
// intervals of f sends of the root. f = 1 gives the known (P-1 + ns-1) steps of a pipeline.

#include "algorithms/bcast/bcast.hpp"
#include "algorithms/bcast/tree_bcast.hpp"

namespace tutti::algorithms {

Task bcast_chain(Rank& me, CollectiveArgs args) {
  return tree_bcast(me, args, trees::chain(trees::position_of(me, args.root), args.fanout));
}

Seconds bcast_chain_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Segments segments = segments_of(args.call);
  const Seconds hop_s = cost.hop(segments.longest_bytes());
  const Seconds next_s = cost.next(segments.longest_bytes());
  const int fanout = trees::effective_fanout(args.procs, args.call.fanout);
  const int shortest = (args.procs - 1) / fanout;
  const int longer_lines = (args.procs - 1) % fanout;
  Seconds fill_s = (fanout - 1) * next_s + shortest * hop_s;
  if (longer_lines > 0)
    fill_s = std::max(fill_s, (longer_lines - 1) * next_s + (shortest + 1) * hop_s);
  return segmented_cost(segments, {.fill_s = fill_s, .root_children = double(fanout)}, cost);
}

models::StageForm bcast_chain_stages(const ModelArgs& args, const models::Gamma& gamma) {
  const int fanout = trees::effective_fanout(args.procs, args.call.fanout);
  const int longest = (args.procs - 1 + fanout - 1) / fanout;
  std::vector<models::TreeLevels> levels{{.levels = 1, .children = double(fanout)}};
  if (longest > 1) levels.push_back({.levels = longest - 1, .children = 1});
  return models::tree_stages(levels, segments_of(args.call), gamma);
}

const Algorithm bcast::chain{
    .segmented = true,
    .default_fanout = 4,
    .program = bcast_chain,
    .cost = bcast_chain_cost,
    .stages = bcast_chain_stages,
    .messages = tree_bcast_messages,
};

}  // namespace tutti::algorithms
