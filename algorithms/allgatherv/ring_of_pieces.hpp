// SPDX-License-Identifier: BSD-3-Clause
// MPICH's ring of blocks in pieces, the second part of its allreduce ring as well: in every step a
// rank sends its next piece to its right neighbor and receives the next one from its left neighbor.
// An empty block is one empty piece: it takes a step, but no message.
#pragma once

#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms {

struct RingOfPieces {
  std::int64_t procs = 1;
  Bytes piece = 0;  // the largest piece; 0 if all blocks are empty
  std::function<Slice(std::int64_t rank)> block = nullptr;
};

// Every rank has its own block at the beginning and all blocks at the end. `sample`: if set, it
// runs the steps of this phase.
Task pass_pieces(Rank& me, RingOfPieces ring, StepSample* sample = nullptr, std::size_t phase = 0);

// The largest piece of blocks of at most `longest` bytes: whole elements up to the segment size, at
// least one. Without segments: `longest`.
Bytes ring_piece(Bytes longest, const CollectiveArgs& args);
inline std::int64_t pieces_in(Bytes bytes, Bytes piece) {
  return bytes == 0 ? 0 : (bytes + piece - 1) / piece;
}
// A hop of each piece of a block.
Seconds pieces_cost(Bytes bytes, Bytes piece, const models::MessageCost& cost);

}  // namespace tutti::algorithms
