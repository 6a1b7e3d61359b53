// SPDX-License-Identifier: BSD-3-Clause
// Allreduce over a circulant graph (circulant.hpp): the reduce-scatter of P parts of the vector,
// then its rounds backwards as an allgather. 2 q rounds and 2 (P-1) parts for every P.
// Derived: for each of q rounds 2 exchange + c of skip(k+1) - skip(k) parts.
#include "algorithms/circulant.hpp"

#include "algorithms/allreduce/allreduce.hpp"

namespace tutti::algorithms {
namespace {

Task allreduce_circulant(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_vector(args, me.size());
  co_await circulant::combine_rounds(me, blocks);
  co_await circulant::collect_rounds(me, blocks, circulant::sums_buffer);
  circulant::turn_back(me, blocks, circulant::sums_buffer, runtime::recv_buffer);
}

Seconds allreduce_circulant_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const RankBlocks blocks = RankBlocks::of_vector(args.call, args.procs);
  return circulant::combine_rounds_cost(blocks, cost) +
         circulant::collect_rounds_cost(blocks, cost);
}

std::int64_t allreduce_circulant_messages(const ModelArgs& args) {
  return 2 * circulant::rounds_messages(args);
}

}  // namespace

const Algorithm allreduce::circulant{
    .restriction = reduction::needs_commutative,
    .program = reduction::program<allreduce_circulant>,
    .cost = reduction::cost<allreduce_circulant_cost>,
    .messages = reduction::messages<allreduce_circulant_messages>,
    .runs = reduction::is_commutative,
};

}  // namespace tutti::algorithms
