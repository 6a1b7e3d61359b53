// SPDX-License-Identifier: BSD-3-Clause
// Consecutive blocks that may wrap around after the last one.
#pragma once

#include "algorithms/rank_blocks.hpp"

namespace tutti::algorithms {

// `count` blocks starting at `first`, wrapping around after the last one, in the receive buffer. If
// it wraps, it is packed into one message in the buffer `packed`, and unpacked from there.
class CyclicRun {
 public:
  CyclicRun(const RankBlocks& blocks, std::int64_t first, std::int64_t count)
      : wraps_(first + count > blocks.count()),
        until_last_(blocks.run(first, std::min(count, blocks.count() - first))),
        from_first_(blocks.run(0, count - std::min(count, blocks.count() - first))) {}

  // The buffer from which a message of the run is sent, or into which it is received.
  Slice message(std::int32_t packed) const {
    if (!is_split()) return until_last_.bytes > 0 ? until_last_ : from_first_;
    return {0, until_last_.bytes + from_first_.bytes, packed};
  }
  void pack(Rank& me, std::int32_t into) const {
    if (!is_split()) return;
    const Slice packed = message(into);
    me.copy(packed.part(0, until_last_.bytes), until_last_);
    me.copy(packed.part(until_last_.bytes, from_first_.bytes), from_first_);
  }
  void unpack(Rank& me, std::int32_t from) const {
    if (!is_split()) return;
    const Slice packed = message(from);
    me.copy(until_last_, packed.part(0, until_last_.bytes));
    me.copy(from_first_, packed.part(until_last_.bytes, from_first_.bytes));
  }
  bool wraps() const { return wraps_; }
  // The two pieces; the second one is empty if the run does not wrap.
  const Slice& until_last() const { return until_last_; }
  const Slice& from_first() const { return from_first_; }

 private:
  bool is_split() const { return until_last_.bytes > 0 && from_first_.bytes > 0; }

  bool wraps_;
  Slice until_last_;
  Slice from_first_;
};

}  // namespace tutti::algorithms
