// SPDX-License-Identifier: BSD-3-Clause
// Broadcasts of whole messages down a Bine tree (algorithms/bine.hpp): in each step every rank that
// has the message sends it to its partner. Distances increase in bine_lat and decrease in the
// others. bine_lat, bine_lat_reversed and bine_lat_i_new post all sends and then wait for them;
// bine_lat_new sends one after the other.
//   As binomial: Hockney D (l + m/b), LogGP D (L + 2 o + (m-1) G), D = log2 P

#include "algorithms/bine.hpp"

#include "algorithms/bcast/bcast.hpp"
#include "algorithms/bcast/tree_bcast.hpp"

namespace tutti::algorithms {
namespace {

using bine::Distances;

template <Distances distances>
Task bcast_down_bine_tree(Rank& me, CollectiveArgs args) {
  return tree_bcast(me, args, bine::tree(trees::position_of(me, args.root), distances));
}

Task bcast_bine_one_by_one(Rank& me, CollectiveArgs args) {
  const trees::Node node = bine::tree(trees::position_of(me, args.root), Distances::halving);
  const Slice message{.bytes = args.message_bytes, .buffer = runtime::recv_buffer};
  if (node.parent != trees::no_parent) co_await me.recv({.from = node.parent, .data = message});
  for (const RankId child : node.children) co_await me.send({.to = child, .data = message});
}

Seconds bcast_bine_lat_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return bine::steps_of(args.procs) * cost.hop(args.call.message_bytes);
}

// The first rank of each level has one child less than that of the level above.
models::StageForm bcast_bine_lat_stages(const ModelArgs& args, const models::Gamma& gamma) {
  std::vector<models::TreeLevels> levels;
  for (int children = bine::steps_of(args.procs); children > 0; --children)
    levels.push_back({.levels = 1, .children = static_cast<double>(children)});
  return models::tree_stages(levels, segments_of(args.call), gamma);
}

}  // namespace

const Algorithm bcast::bine_lat =
    bine::published(bine::power_of_two, bcast_down_bine_tree<Distances::doubling>,
                    bcast_bine_lat_cost, one_per_other, bcast_bine_lat_stages);

const Algorithm bcast::bine_lat_reversed =
    bine::published(bine::power_of_two, bcast_down_bine_tree<Distances::halving>,
                    bcast_bine_lat_cost, one_per_other, bcast_bine_lat_stages);

const Algorithm bcast::bine_lat_new =
    bine::published(bine::power_of_two, bcast_bine_one_by_one, bcast_bine_lat_cost, one_per_other,
                    bcast_bine_lat_stages);

const Algorithm bcast::bine_lat_i_new =
    bine::published(bine::power_of_two, bcast_down_bine_tree<Distances::halving>,
                    bcast_bine_lat_cost, one_per_other, bcast_bine_lat_stages);

}  // namespace tutti::algorithms
