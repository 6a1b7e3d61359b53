// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/time_spool.hpp"

namespace tutti::studies::replay {

// The lowest two bits of a time store whether the event is kept and whether a size follows it.
void TimeSpool::event(TraceRank rank, Ticks time, bool keeps) {
  // The shift overflows for a time beyond most_end (latest_time.hpp), but then the replay fails.
  push(ranks_[rank], static_cast<Ticks>(static_cast<std::uint64_t>(time) << 2 | (keeps ? 1 : 0)));
}

void TimeSpool::message_bytes(TraceRank rank, std::uint64_t bytes) {
  OfRank& mine = ranks_[rank];
  mine.buffer.back() |= 2;
  push(mine, static_cast<Ticks>(bytes));
}

TimeSpool::At TimeSpool::next(TraceRank rank) {
  OfRank& mine = ranks_[rank];
  const Ticks packed = pop(mine);
  At at{.time = packed >> 2, .keep = (packed & 1) != 0};
  if ((packed & 2) != 0) at.bytes = static_cast<std::uint64_t>(pop(mine));
  return at;
}

void TimeSpool::push(OfRank& rank, Ticks value) {
  if (rank.buffer.size() == block) {
    rank.blocks.push_back(file_.append(rank.buffer.data(), block * sizeof(Ticks)));
    rank.buffer.clear();
  }
  rank.buffer.push_back(value);
}

Ticks TimeSpool::pop(OfRank& rank) {
  if (rank.in_last == 0 || rank.at == rank.buffer.size()) refill(rank);
  return rank.buffer[rank.at++];
}

// Ranks that were not read yet still have values in their write buffer.
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
