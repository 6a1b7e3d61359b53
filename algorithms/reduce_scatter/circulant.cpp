// SPDX-License-Identifier: BSD-3-Clause
// Reduce-scatter over a circulant graph (circulant.hpp): blocks are rotated so that the own one is
// the first; in round k = q-1 .. 0 a rank sends its partial results of the blocks skip(k) ..
// skip(k+1)-1 to the rank skip(k) above, and combines as many from the rank skip(k) below with its
// first ones. P-1 blocks in q = ceil(log2 P) rounds for every P. Derived: for each round exchange +
// c of skip(k+1) - skip(k) blocks.
#include "algorithms/circulant.hpp"

#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace tutti::algorithms {
namespace {

using BlocksOf = RankBlocks (*)(const CollectiveArgs& args, std::int64_t procs);

template <BlocksOf blocks_of>
Task combine_around_graph(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = blocks_of(args, me.size());
  co_await circulant::combine_rounds(me, blocks);
  const Bytes own = blocks.bytes(me.id());
  me.copy(Slice{0, own, runtime::recv_buffer}, Slice{0, own, circulant::sums_buffer});
}

template <BlocksOf blocks_of>
Seconds combine_around_graph_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return circulant::combine_rounds_cost(blocks_of(args.call, args.procs), cost);
}

template <BlocksOf blocks_of>
Algorithm circulant_with() {
  return {.restriction = reduction::needs_commutative,
          .program = reduction::program<combine_around_graph<blocks_of>>,
          .cost = reduction::cost<combine_around_graph_cost<blocks_of>>,
          .messages = reduction::messages<circulant::rounds_messages>,
          .runs = reduction::is_commutative};
}

}  // namespace

const Algorithm reduce_scatter::circulant = circulant_with<RankBlocks::of_vector>();
const Algorithm reduce_scatter_block::circulant = circulant_with<RankBlocks::of_blocks>();

}  // namespace tutti::algorithms
