// SPDX-License-Identifier: BSD-3-Clause
// Bine reductions (algorithms/bine.hpp). bine_lat: in step s = 0, 1, ... half of the ranks with
// vectors send them to their parents in a Bine tree. bine_bdw: a reduce_scatter over a Bine
// butterfly with P blocks of the vector, then the blocks are gathered in reverse order, and each
// rank sends once. Ranks are shifted by the root.
// Derived, D = log2 P: bine_lat D (hop(m) + combine(m)); bine_bdw the reduce_scatter, then
// hop(m / 2^s) for s = D .. 1.
#include "algorithms/bine.hpp"

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

using bine::Butterfly;
using bine::Distances;
using bine::Numbering;

std::int32_t buffer_of_sum(const Rank& me, const CollectiveArgs& args) {
  return me.id() == args.root ? runtime::recv_buffer : runtime::scratch_buffer;
}

// The vector in which a rank sums up, with the rank's own vector.
Slice started_sum(Rank& me, const CollectiveArgs& args) {
  const Slice sum = reduction::vector_in(buffer_of_sum(me, args), args.message_bytes);
  me.allocate(args.message_bytes);
  if (me.id() != args.root) me.allocate(args.message_bytes);
  me.copy(sum, reduction::vector_in(runtime::send_buffer, args.message_bytes));
  return sum;
}

Task reduce_bine_lat(Rank& me, CollectiveArgs args) {
  const trees::Node node = bine::tree(trees::position_of(me, args.root), Distances::halving);
  const Slice sum = started_sum(me, args);
  const Slice incoming = reduction::vector_in(bine::incoming_buffer, args.message_bytes);
  for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) {
    co_await me.recv({.from = *child, .data = incoming});
    me.combine(sum, incoming, Operand::left);
  }
  if (node.parent != trees::no_parent) co_await me.send({.to = node.parent, .data = sum});
}

Task gather_sums(Rank& me, const Butterfly& butterfly, RankBlocks blocks, std::int32_t buffer) {
  const RankId number = butterfly.number();
  for (int step = butterfly.steps() - 1; step >= 0; --step) {
    const RankId partner = butterfly.partner(step);
    if (number >> (butterfly.steps() - 1 - step) & 1) {
      co_await me.send({.to = partner, .data = slice_of(blocks, butterfly.kept(step), buffer)});
      co_return;
    }
    co_await me.recv({.from = partner, .data = slice_of(blocks, butterfly.sent(step), buffer)});
  }
}

Task reduce_bine_bdw(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_vector(args, me.size());
  const std::int32_t buffer = started_sum(me, args).buffer;
  const Butterfly butterfly(trees::position_of(me, args.root), Numbering::remapped);
  co_await bine::scatter_sums(me, butterfly, blocks, buffer);
  co_await gather_sums(me, butterfly, blocks, buffer);
}

Seconds reduce_bine_lat_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes m = args.call.message_bytes;
  return bine::steps_of(args.procs) * (cost.hop(m) + cost.combine(m));
}

Seconds reduce_bine_bdw_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const RankBlocks blocks = RankBlocks::of_vector(args.call, args.procs);
  Seconds total_s = bine::scatter_sums_cost(blocks, cost);
  for (std::int64_t count = 1; count < args.procs; count *= 2)
    total_s += cost.hop(blocks.longest_run(count));
  return total_s;
}

std::int64_t reduce_bine_bdw_messages(const ModelArgs& args) {
  return bine::butterfly_messages(args) + args.procs - 1;
}

}  // namespace

const Algorithm reduce::bine_lat =
    bine::published(bine::commutative_power_of_two, reduction::program<reduce_bine_lat>,
                    reduction::cost<reduce_bine_lat_cost>, reduction::messages<one_per_other>);

const Algorithm reduce::bine_bdw = bine::published(
    bine::commutative_power_of_two, reduction::program<reduce_bine_bdw>,
    reduction::cost<reduce_bine_bdw_cost>, reduction::messages<reduce_bine_bdw_messages>);

}  // namespace tutti::algorithms
