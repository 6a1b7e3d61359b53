// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/allgatherv/ring_of_pieces.hpp"

namespace tutti::algorithms {
namespace {

// The pieces that a rank sends or receives: those of the blocks first, first - 1, ..., except block
// `last`.
class Pieces {
 public:
  Pieces(const RingOfPieces& ring, std::int64_t first, std::int64_t last)
      : ring_(ring), block_(first), last_(last) {}

  bool ended() const { return block_ == last_; }
  // An empty slice if there are no more pieces.
  Slice next() {
    if (ended()) return {};
    const Slice whole = ring_.block(block_);
    const Slice piece = whole.part(done_, std::min(ring_.piece, whole.bytes - done_));
    done_ += piece.bytes;
    if (done_ == whole.bytes) {
      block_ = (block_ + ring_.procs - 1) % ring_.procs;
      done_ = 0;
    }
    return piece;
  }

 private:
  const RingOfPieces& ring_;
  std::int64_t block_;
  std::int64_t last_;
  Bytes done_ = 0;
};

Task run_ring(Rank& me, RingOfPieces ring, StepSample* sample, std::size_t phase) {
  if (me.size() == 1) co_return;
  const RankId left = left_of(me.id(), 1, me.size());
  const RankId right = right_of(me.id(), 1, me.size());
  Pieces sent(ring, me.id(), right);
  Pieces received(ring, left, me.id());
  // Ranks with blocks of different sizes do not know the number of steps in advance.
  constexpr auto unknown = std::numeric_limits<std::int64_t>::max();
  for (StepLoop steps(me, sample, phase, unknown);
       steps.next() && !(sent.ended() && received.ended());) {
    const Slice coming = received.next();
    const Slice leaving = sent.next();
    Request request;
    if (coming.bytes > 0) request = me.irecv({.from = left, .data = coming});
    if (leaving.bytes > 0) co_await me.send({.to = right, .data = leaving});
    if (coming.bytes > 0) co_await me.wait(request);
  }
}

}  // namespace

Task pass_pieces(Rank& me, RingOfPieces ring, StepSample* sample, std::size_t phase) {
  return run_ring(me, std::move(ring), sample, phase);
}

Bytes ring_piece(Bytes longest, const CollectiveArgs& args) {
  if (args.segment_bytes <= 0 || longest <= args.segment_bytes) return longest;
  return std::max<Bytes>(1, args.segment_bytes / args.element_bytes) * args.element_bytes;
}

Seconds pieces_cost(Bytes bytes, Bytes piece, const models::MessageCost& cost) {
  if (bytes == 0) return 0;
  const Bytes rest = bytes % piece;
  return static_cast<double>(bytes / piece) * cost.hop(piece) + (rest > 0 ? cost.hop(rest) : 0);
}

}  // namespace tutti::algorithms
