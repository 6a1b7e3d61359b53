// SPDX-License-Identifier: BSD-3-Clause
// The blocks of an alltoall as one rank sees them: it sends blocks of its own length, of which the
// i-th is for rank i, and receives one of each rank's length.
#pragma once

#include "algorithms/rank_blocks.hpp"

namespace tutti::algorithms {

class PersonalBlocks {
 public:
  PersonalBlocks(const runtime::Rank& me, const CollectiveArgs& args)
      : blocks_(RankBlocks::of_blocks(args, me.size())), mine_(blocks_.bytes(me.id())) {}

  runtime::Slice to(runtime::RankId rank) const {
    return {rank * mine_, mine_, runtime::send_buffer};
  }
  runtime::Slice from(runtime::RankId rank) const { return blocks_.block(rank); }
  // What a rank sends to itself.
  void copy_own(runtime::Rank& me) const { me.copy(from(me.id()), to(me.id())); }

 private:
  RankBlocks blocks_;
  Bytes mine_;
};

}  // namespace tutti::algorithms
