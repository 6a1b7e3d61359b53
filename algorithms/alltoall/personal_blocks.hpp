// SPDX-License-Identifier: BSD-3-Clause
// The blocks of an alltoall from the view of one rank: it sends blocks of its own size, the i-th to
// rank i, and receives a block of each rank's size; or the blocks of PeerCounts.
#pragma once

#include "algorithms/rank_blocks.hpp"

namespace tutti::algorithms {

class PersonalBlocks : public runtime::ExchangeBlocks {
 public:
  PersonalBlocks(const Rank& me, const CollectiveArgs& args)
      : blocks_(RankBlocks::of_blocks(args, me.size())), mine_(blocks_.bytes(me.id())) {
    const PeerCounts* peers = args.counts == nullptr ? nullptr : args.counts->peers();
    if (peers == nullptr) return;
    const auto rank = static_cast<std::size_t>(me.id());
    sent_ = &peers->sent[rank];
    received_ = &peers->received[rank];
  }

  Slice to(RankId rank) const final {
    if (sent_ == nullptr) return {rank * mine_, mine_, runtime::send_buffer};
    return {sent_->offset(rank), sent_->bytes(rank), runtime::send_buffer};
  }
  Slice from(RankId rank) const final {
    if (received_ == nullptr) return blocks_.block(rank);
    return {received_->offset(rank), received_->bytes(rank), runtime::recv_buffer};
  }
  // The block that a rank sends to itself.
  void copy_own(Rank& me) const { me.copy(from(me.id()), to(me.id())); }

 private:
  RankBlocks blocks_;
  Bytes mine_;
  const Counts* sent_ = nullptr;      // by receiver; null: mine_ for each
  const Counts* received_ = nullptr;  // by sender; null: blocks_
};

// An exchange whose receives start with the next rank in ascending order, and whose sends start
// with the previous rank in descending order.
inline runtime::ExchangeArgs descending_sends(const Rank& me, const PersonalBlocks& blocks) {
  const RankId procs = me.size();
  return {.blocks = blocks,
          .receives = {.first = (me.id() + 1) % procs, .step = 1},
          .sends = {.first = (me.id() + procs - 1) % procs, .step = -1}};
}

}  // namespace tutti::algorithms
