// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/block_halving.hpp"

#include "algorithms/reduction.hpp"
#include "algorithms/segments.hpp"

namespace tutti::algorithms {

BlockHalves::BlockHalves(const CollectiveArgs& args, const Fold& fold, std::int32_t buffer)
    : blocks_(RankBlocks::of_vector(args, fold.size())), buffer_(buffer) {}

Slice BlockHalves::after(RankId v, int steps) const {
  std::int64_t first = 0;
  std::int64_t count = blocks_.count();
  for (int step = 0; step < steps; ++step) {
    count /= 2;
    if ((v >> step) % 2 == 1) first += count;
  }
  return blocks_.run(first, count, buffer_);
}

bool can_halve_blocks(const CollectiveArgs& args, int procs) {
  return args.commutative && elements_in(args.message_bytes, args.element_bytes) >=
                                 std::int64_t{std::bit_floor(static_cast<unsigned>(procs))};
}

namespace {

Slice arriving(const Slice& part) { return {part.offset, part.bytes, runtime::scratch_buffer + 1}; }

}  // namespace

Task halve_in_blocks(Rank& me, CollectiveArgs args, Fold fold, std::int32_t buffer) {
  const BlockHalves halves(args, fold, buffer);
  if (buffer != runtime::recv_buffer) me.allocate(args.message_bytes);
  me.allocate(args.message_bytes);
  me.copy(halves.whole(), reduction::vector_in(runtime::send_buffer, args.message_bytes));
  if (!fold.stays(me.id())) {
    co_await me.send({.to = me.id() ^ 1, .data = halves.whole()});
    co_return;
  }
  if (fold.in_pair(me.id())) {
    co_await me.recv({.from = me.id() ^ 1, .data = arriving(halves.whole())});
    me.combine(halves.whole(), arriving(halves.whole()), Operand::left);
  }
  const RankId v = fold.number(me.id());
  for (int step = 0; step < fold.steps(); ++step) {
    const RankId partner = fold.rank(v ^ (RankId{1} << step));
    const Slice kept = halves.kept(v, step);
    co_await me.sendrecv(
        {.to = partner, .send = halves.sent(v, step), .from = partner, .recv = arriving(kept)});
    me.combine(kept, arriving(kept), Operand::left);
  }
}

Seconds halve_in_blocks_cost(const ModelArgs& args, const Fold& fold,
                             const models::MessageCost& cost) {
  const BlockHalves halves(args.call, fold, runtime::recv_buffer);
  const Bytes m = args.call.message_bytes;
  Seconds total_s = fold.pairs() > 0 ? cost.hop(m) + cost.combine(m) : 0;
  for (int step = 0; step < fold.steps(); ++step) {
    const Bytes bytes = halves.longest_bytes(step);
    total_s += cost.exchange(bytes) + cost.combine(bytes);
  }
  return total_s;
}

std::int64_t halve_in_blocks_messages(const Fold& fold) {
  return fold.pairs() + std::int64_t{fold.size()} * fold.steps();
}

}  // namespace tutti::algorithms
