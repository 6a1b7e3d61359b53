// SPDX-License-Identifier: BSD-3-Clause
// Direct messaging: each rank posts, for one other rank after the other, starting with its right
// neighbor, the receive of its block and the send of the own block; then it waits for all.
//   Derived: Hockney (P-1) (l + m/b), LogGP L + 2 o + (m-1) G + (P-2) (g + (m-1) G)
#include "algorithms/allgather/allgather.hpp"

namespace tutti::algorithms {
namespace {

// Each rank sends its own block to all others.
class SharedBlocks : public runtime::ExchangeBlocks {
 public:
  SharedBlocks(const Rank& me, const CollectiveArgs& args)
      : blocks_(RankBlocks::of_blocks(args, me.size())), own_bytes_(args.message_bytes) {}
  Slice from(RankId rank) const final { return blocks_.block(rank); }
  Slice to(RankId) const final { return {.bytes = own_bytes_, .buffer = runtime::send_buffer}; }
  void copy_own(Rank& me) const { copy_own_block(me, blocks_); }

 private:
  RankBlocks blocks_;
  Bytes own_bytes_;
};

Task exchange_directly(Rank& me, CollectiveArgs args) {
  const SharedBlocks blocks(me, args);
  blocks.copy_own(me);
  const runtime::ExchangeOrder ascending{.first = (me.id() + 1) % me.size()};
  co_await me.exchange(
      {.blocks = blocks, .receives = ascending, .sends = ascending, .alternates = true});
}

}  // namespace

const Algorithm allgather::direct_messaging{
    .posts_to_all = true,
    .posts_by_distance = true,
    .program = exchange_directly,
    .cost = train_cost,
    .messages = one_per_pair,
};

}  // namespace tutti::algorithms
