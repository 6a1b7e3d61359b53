// SPDX-License-Identifier: BSD-3-Clause
// Allreduces over a Bine or Swing butterfly with the vector in P blocks: a reduce_scatter, then an
// allgather backwards. bine_bdw_static numbers the ranks by a table; Swing keeps the blocks in the
// order of ranks, so they are packed and unpacked; bine_block_by_block_any_even sends each block in
// a message of its own. Derived: the costs of both phases (algorithms/bine.hpp).
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/bine.hpp"

namespace tutti::algorithms {
namespace {

using bine::Butterfly;
using bine::Numbering;

void copy_vector(Rank& me, Bytes bytes) {
  me.copy(reduction::vector_in(runtime::recv_buffer, bytes),
          reduction::vector_in(runtime::send_buffer, bytes));
}

Task allreduce_bine_bdw_static(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_vector(args, me.size());
  const Butterfly butterfly(trees::position_of(me, 0), Numbering::by_smallest);
  me.allocate(blocks.run(0, me.size() / 2).bytes);
  copy_vector(me, args.message_bytes);
  co_await bine::scatter_sums(me, butterfly, blocks, runtime::recv_buffer);
  co_await bine::gather_blocks(me, butterfly, blocks, runtime::recv_buffer);
}

Task allreduce_swing_bdw(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_vector(args, me.size());
  const Butterfly butterfly(trees::position_of(me, 0), Numbering::remapped);
  for (int buffer = 0; buffer < 2; ++buffer) me.allocate(blocks.run(0, me.size() / 2).bytes);
  copy_vector(me, args.message_bytes);
  co_await bine::scatter_sums_packed(me, butterfly, blocks, runtime::recv_buffer);
  co_await bine::gather_packed(me, butterfly, blocks, runtime::recv_buffer);
}

Task allreduce_bine_any_even(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_vector(args, me.size());
  me.allocate(args.message_bytes);
  copy_vector(me, args.message_bytes);
  co_await bine::scatter_sums_in_blocks(me, blocks, runtime::recv_buffer);
  co_await bine::gather_in_blocks(me, blocks, runtime::recv_buffer);
}

Seconds allreduce_butterfly_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const RankBlocks blocks = RankBlocks::of_vector(args.call, args.procs);
  return bine::scatter_sums_cost(blocks, cost) + bine::gather_blocks_cost(blocks, cost);
}

std::int64_t allreduce_butterfly_messages(const ModelArgs& args) {
  return 2 * bine::butterfly_messages(args);
}

Seconds allreduce_in_blocks_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes bytes = RankBlocks::of_vector(args.call, args.procs).longest();
  return 2 * bine::in_blocks_cost(args.procs, bytes, cost) + (args.procs - 1) * cost.combine(bytes);
}

std::int64_t allreduce_in_blocks_messages(const ModelArgs& args) { return 2 * one_per_pair(args); }

}  // namespace

const Algorithm allreduce::bine_bdw_static = bine::published(
    bine::commutative_table, reduction::program<allreduce_bine_bdw_static>,
    reduction::cost<allreduce_butterfly_cost>, reduction::messages<allreduce_butterfly_messages>);

const Algorithm allreduce::bine_block_by_block_any_even = bine::published(
    bine::commutative_even, reduction::program<allreduce_bine_any_even>,
    reduction::cost<allreduce_in_blocks_cost>, reduction::messages<allreduce_in_blocks_messages>);

const Algorithm allreduce::swing_bdw = bine::published(
    bine::commutative_power_of_two, reduction::program<allreduce_swing_bdw>,
    reduction::cost<allreduce_butterfly_cost>, reduction::messages<allreduce_butterfly_messages>);

}  // namespace tutti::algorithms
