// SPDX-License-Identifier: BSD-3-Clause
// Exchanges with all other ranks: a rank posts a receive from each and a send to each, and waits
// for all of them. Programs describe them as a whole (Rank::exchange), so that the core can
// simulate them without two requests for each pair of ranks.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

// What a rank receives from and sends to each other rank.
class ExchangeBlocks {
 public:
  virtual ~ExchangeBlocks() = default;
  virtual Slice from(RankId rank) const = 0;
  virtual Slice to(RankId rank) const = 0;
};

// All other ranks, starting with `first` and in steps of 1 or -1 around the ring of ranks.
struct ExchangeOrder {
  RankId first = 0;
  RankId step = 1;

  RankId next(RankId rank, RankId procs) const {
    if (step > 0) return rank + 1 == procs ? 0 : rank + 1;
    return rank == 0 ? procs - 1 : rank - 1;
  }
};

struct ExchangeArgs {
  const ExchangeBlocks& blocks;  // must outlive the wait
  ExchangeOrder receives;
  ExchangeOrder sends;
  bool alternates = false;  // posts a receive, a send, a receive, ...; else all receives first
};

}  // namespace tutti::runtime
