// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/vector_halving.hpp"

#include "algorithms/reduction.hpp"
#include "algorithms/segments.hpp"

namespace tutti::algorithms {

VectorHalves::VectorHalves(const CollectiveArgs& args, std::int32_t buffer)
    : elements_(elements_in(args.message_bytes, args.element_bytes)),
      element_bytes_(args.element_bytes),
      buffer_(buffer) {}

Slice VectorHalves::after(RankId v, int steps) const {
  std::int64_t first = 0;
  std::int64_t count = elements_;
  for (int step = 0; step < steps; ++step) {
    const std::int64_t lower = count / 2;
    const bool upper = (v >> step) % 2 == 1;
    if (upper) first += lower;
    count = upper ? count - lower : lower;
  }
  return {first * element_bytes_, count * element_bytes_, buffer_};
}

Bytes VectorHalves::longest_bytes(int step) const {
  constexpr RankId always_upper = ~RankId{0} & 0x7fffffff;
  return kept(always_upper, step).bytes;
}

bool can_halve_vector(const CollectiveArgs& args, int procs) {
  return args.commutative &&
         elements_in(args.message_bytes, args.element_bytes) >= rabenseifner_fold(procs).size();
}

namespace {

Slice incoming(const Slice& part) { return {part.offset, part.bytes, runtime::scratch_buffer + 1}; }

Task exchange_and_combine(Rank& me, RankId partner, Slice sent, Slice kept) {
  co_await me.sendrecv({.to = partner, .send = sent, .from = partner, .recv = incoming(kept)});
  me.combine(kept, incoming(kept), Operand::left);
}

Task fold_pair(Rank& me, VectorHalves halves) {
  const bool odd = me.id() % 2 == 1;
  const RankId partner = me.id() ^ 1;
  const Slice upper = halves.upper_half();
  co_await exchange_and_combine(me, partner, odd ? halves.lower_half() : upper,
                                odd ? upper : halves.lower_half());
  if (odd)
    co_await me.send({.to = partner, .data = upper});
  else
    co_await me.recv({.from = partner, .data = upper});
}

}  // namespace

Task halve_vector(Rank& me, CollectiveArgs args, std::int32_t buffer) {
  const Fold fold = rabenseifner_fold(me.size());
  const VectorHalves halves(args, buffer);
  if (buffer != runtime::recv_buffer) me.allocate(args.message_bytes);
  me.allocate(args.message_bytes);
  me.copy(halves.whole(), reduction::vector_in(runtime::send_buffer, args.message_bytes));
  if (fold.in_pair(me.id())) co_await fold_pair(me, halves);
  if (!fold.stays(me.id())) co_return;
  const RankId v = fold.number(me.id());
  for (int step = 0; step < fold.steps(); ++step)
    co_await exchange_and_combine(me, fold.rank(v ^ (RankId{1} << step)), halves.sent(v, step),
                                  halves.kept(v, step));
}

Seconds halve_vector_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Fold fold = rabenseifner_fold(args.procs);
  const VectorHalves halves(args.call, runtime::recv_buffer);
  Seconds total_s = 0;
  if (fold.pairs() > 0) {
    const Bytes half = halves.longest_bytes(0);
    total_s += cost.exchange(half) + cost.combine(half) + cost.hop(half);
  }
  for (int step = 0; step < fold.steps(); ++step) {
    const Bytes bytes = halves.longest_bytes(step);
    total_s += cost.exchange(bytes) + cost.combine(bytes);
  }
  return total_s;
}

std::int64_t halve_vector_messages(const ModelArgs& args) {
  const Fold fold = rabenseifner_fold(args.procs);
  return std::int64_t{3} * fold.pairs() + std::int64_t{fold.size()} * fold.steps();
}

}  // namespace tutti::algorithms
