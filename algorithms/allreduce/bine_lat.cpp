// SPDX-License-Identifier: BSD-3-Clause
// Latency-optimal allreduces of Bine and Swing: as recursive_doubling, with the partners of
// algorithms/bine.hpp, and without preserving the order of the operands. Both send the same
// messages. Derived, with D = floor(log2 P): D (exchange(m) + combine(m)) and, if P is not a power
// of two, 2 hop(m) + combine(m).
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/bine.hpp"
#include "algorithms/fold.hpp"

namespace tutti::algorithms {
namespace {

Fold folded_odd(RankId procs) { return {procs, Fold::Stays::odd}; }

Task allreduce_bine_lat(Rank& me, CollectiveArgs args) {
  const Fold fold = folded_odd(me.size());
  const Slice result = reduction::vector_in(runtime::recv_buffer, args.message_bytes);
  const Slice mine = reduction::vector_in(runtime::scratch_buffer, args.message_bytes);
  me.allocate(args.message_bytes);
  me.copy(mine, reduction::vector_in(runtime::send_buffer, args.message_bytes));
  if (!fold.stays(me.id())) {
    co_await me.send({.to = me.id() + 1, .data = mine});
    co_await me.recv({.from = me.id() + 1, .data = result});
    co_return;
  }
  if (fold.in_pair(me.id())) {
    co_await me.recv({.from = me.id() - 1, .data = result});
    me.combine(mine, result, Operand::left);
  }
  for (int step = 0; step < fold.steps(); ++step) {
    const RankId partner = fold.rank(bine::partner(fold.number(me.id()), step, fold.size()));
    co_await me.sendrecv({.to = partner, .send = mine, .from = partner, .recv = result});
    me.combine(mine, result, Operand::left);
  }
  if (fold.in_pair(me.id())) co_await me.send({.to = me.id() - 1, .data = mine});
  me.copy(result, mine);
}

}  // namespace

const Algorithm allreduce::bine_lat{
    .restriction = reduction::needs_commutative,
    .program = reduction::program<allreduce_bine_lat>,
    .cost = reduction::cost<allreduce_recursive_doubling_cost>,
    .messages = reduction::messages<allreduce_recursive_doubling_messages>,
    .runs = reduction::is_commutative,
};

const Algorithm allreduce::swing_lat = allreduce::bine_lat;

}  // namespace tutti::algorithms
