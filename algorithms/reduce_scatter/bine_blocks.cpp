// SPDX-License-Identifier: BSD-3-Clause
// Reduce_scatters over a Bine butterfly (algorithms/bine.hpp) with one message per block, so that
// blocks stay in the order of ranks. In the last step a rank receives its own block where the
// result belongs.
// Derived, D = ceil(log2 P): D exchange(x) + (P-1-D) next(x) + (P-1) combine(x), x the longest
// block
#include "algorithms/bine.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace tutti::algorithms {
namespace {

using bine::Butterfly;
using bine::Numbering;

constexpr std::int32_t block_sums = runtime::scratch_buffer;

// Two buffers of the whole vector; the first one gets the rank's own.
RankBlocks start_block_sums(Rank& me, const CollectiveArgs& args) {
  const RankBlocks blocks = RankBlocks::of_vector(args, me.size());
  for (int buffer = 0; buffer < 2; ++buffer) me.allocate(blocks.total());
  me.copy(Slice{0, blocks.total(), block_sums}, Slice{0, blocks.total(), runtime::send_buffer});
  return blocks;
}

Task reduce_scatter_bine_any_even(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = start_block_sums(me, args);
  co_await bine::scatter_sums_in_blocks(me, blocks, block_sums,
                                        Slice{0, blocks.bytes(me.id()), runtime::recv_buffer});
}

Task reduce_scatter_bine_in_blocks(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = start_block_sums(me, args);
  const Butterfly butterfly(trees::position_of(me, 0), Numbering::remapped);
  const Slice result{0, blocks.bytes(me.id()), runtime::recv_buffer};
  std::vector<Request> receives;
  std::vector<Request> sends;
  for (int step = 0; step < butterfly.steps(); ++step) {
    const RankId partner = butterfly.partner(step);
    const auto kept = butterfly.kept(step);
    const auto sent = butterfly.sent(step);
    const bool is_last = kept.count == 1;
    const auto rank_at = [&](const Butterfly::Run& run, RankId i) {
      return butterfly.numbers().rank(run.first + i);
    };
    const auto arriving = [&](RankId i) {
      return is_last ? result : blocks.block(rank_at(kept, i), bine::incoming_buffer);
    };
    receives.clear();
    sends.clear();
    for (RankId i = 0; i < kept.count; ++i)
      receives.push_back(me.irecv({.from = partner, .data = arriving(i)}));
    for (RankId i = 0; i < sent.count; ++i)
      sends.push_back(
          me.isend({.to = partner, .data = blocks.block(rank_at(sent, i), block_sums)}));
    for (RankId i = 0; i < kept.count; ++i) {
      const Slice held = blocks.block(rank_at(kept, i), block_sums);
      co_await me.wait(receives[static_cast<std::size_t>(i)]);
      me.combine(is_last ? result : held, is_last ? held : arriving(i), Operand::left);
    }
    co_await me.wait_all(sends);
  }
}

Seconds reduce_scatter_in_blocks_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes bytes = RankBlocks::of_vector(args.call, args.procs).longest();
  return bine::in_blocks_cost(args.procs, bytes, cost) + (args.procs - 1) * cost.combine(bytes);
}

}  // namespace

const Algorithm reduce_scatter::bine_block_by_block = bine::published(
    bine::commutative_power_of_two, reduction::program<reduce_scatter_bine_in_blocks>,
    reduction::cost<reduce_scatter_in_blocks_cost>, reduction::messages<one_per_pair>);

const Algorithm reduce_scatter::bine_block_by_block_any_even = bine::published(
    bine::commutative_even, reduction::program<reduce_scatter_bine_any_even>,
    reduction::cost<reduce_scatter_in_blocks_cost>, reduction::messages<one_per_pair>);

}  // namespace tutti::algorithms
