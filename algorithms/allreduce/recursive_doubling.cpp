// SPDX-License-Identifier: BSD-3-Clause
// Allreduce by recursive doubling: in step d = 1, 2, 4, ... partners v and v xor d exchange their
// intermediate vectors and combine them. Preserves the order of the operands. If P is not a power
// of two, it is folded first: the even ranks of the first pairs send their vector to the odd ranks
// and receive the result at the end. Derived, with D = floor(log2 P): D (exchange(m) + combine(m))
// and, if P is not a power of two, 2 hop(m) + combine(m).

#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/fold.hpp"

namespace tutti::algorithms {

namespace {

Fold fold_of(RankId procs) { return {procs, Fold::Stays::odd}; }

}  // namespace

Task allreduce_recursive_doubling(Rank& me, CollectiveArgs args) {
  const Fold fold = fold_of(me.size());
  const Slice result = reduction::vector_in(runtime::recv_buffer, args.message_bytes);
  Slice mine = reduction::vector_in(runtime::scratch_buffer, args.message_bytes);
  Slice other = result;
  me.allocate(args.message_bytes);
  me.copy(mine, reduction::vector_in(runtime::send_buffer, args.message_bytes));
  if (!fold.stays(me.id())) {
    co_await me.send({.to = me.id() + 1, .data = mine});
    co_await me.recv({.from = me.id() + 1, .data = result});
    co_return;
  }
  if (fold.in_pair(me.id())) {
    co_await me.recv({.from = me.id() - 1, .data = other});
    me.combine(mine, other, Operand::left);
  }
  for (RankId distance = 1; distance < fold.size(); distance *= 2) {
    const RankId partner = fold.rank(fold.number(me.id()) ^ distance);
    co_await me.sendrecv({.to = partner, .send = mine, .from = partner, .recv = other});
    if (me.id() < partner) std::swap(mine, other);
    me.combine(mine, other, Operand::left);
  }
  if (fold.in_pair(me.id())) co_await me.send({.to = me.id() - 1, .data = mine});
  if (mine.buffer != result.buffer) me.copy(result, mine);
}

Seconds allreduce_recursive_doubling_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Fold fold = fold_of(args.procs);
  const Bytes m = args.call.message_bytes;
  return fold.steps() * (cost.exchange(m) + cost.combine(m)) +
         (fold.pairs() > 0 ? 2 * cost.hop(m) + cost.combine(m) : 0);
}

std::int64_t allreduce_recursive_doubling_messages(const ModelArgs& args) {
  const Fold fold = fold_of(args.procs);
  return std::int64_t{2} * fold.pairs() + std::int64_t{fold.size()} * fold.steps();
}

const Algorithm allreduce::recursive_doubling{
    .program = reduction::program<allreduce_recursive_doubling>,
    .cost = reduction::cost<allreduce_recursive_doubling_cost>,
    .messages = reduction::messages<allreduce_recursive_doubling_messages>,
};

}  // namespace tutti::algorithms
