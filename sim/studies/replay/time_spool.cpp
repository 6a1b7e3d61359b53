// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/replay/time_spool.hpp"

#include "sim/base/check.hpp"

namespace tutti::studies::replay {

// The lowest bit says whether the event is kept.
void TimeSpool::event(TraceRank rank, Ticks time, bool keeps) {
  OfRank& mine = ranks_[rank];
  if (mine.buffer.size() == block) {
    mine.blocks.push_back(file_.append(mine.buffer.data(), block * sizeof(Ticks)));
    mine.buffer.clear();
  }
  mine.buffer.push_back(time * 2 + (keeps ? 1 : 0));
}

TimeSpool::At TimeSpool::next(TraceRank rank) {
  OfRank& mine = ranks_[rank];
  if (mine.in_last == 0 || mine.at == mine.buffer.size()) refill(mine);
  const Ticks packed = mine.buffer[mine.at++];
  return {.time = packed >> 1, .keep = (packed & 1) != 0};
}

// Ranks that were not read yet are still being filled.
void TimeSpool::rewind() {
  for (OfRank& rank : ranks_) {
    if (rank.in_last == 0) continue;
    rank.next_block = 0;
    rank.at = 0;
    rank.buffer.clear();
  }
}

void TimeSpool::refill(OfRank& rank) {
  if (rank.in_last == 0) {
    rank.in_last = rank.buffer.size();
    rank.blocks.push_back(file_.append(rank.buffer.data(), rank.in_last * sizeof(Ticks)));
  }
  TUTTI_CHECK(rank.next_block < rank.blocks.size(), "as many times as events");
  const bool is_last = rank.next_block + 1 == rank.blocks.size();
  rank.buffer.resize(is_last ? rank.in_last : block);
  file_.read(rank.blocks[rank.next_block++], rank.buffer.data(),
             rank.buffer.size() * sizeof(Ticks));
  rank.at = 0;
}

}  // namespace tutti::studies::replay
