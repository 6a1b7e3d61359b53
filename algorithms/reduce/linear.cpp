// SPDX-License-Identifier: BSD-3-Clause
// Linear reduction: the root receives the whole vector of each rank, starting with rank P-1 in
// descending order, and applies the operation after each. Preserves the order of the operands.
// Never segmented.
//   Hockney  (P-1) (l + m/b) + (P-1) m/c                                  c: combine bandwidth
//   LogGP    L + 2 o + (m-1) G + (P-2) (g + (m-1) G) + (P-1) m/c
// Derived: the mirror image of the linear broadcast with one operation per message.
#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

Task reduce_linear(Rank& me, CollectiveArgs args) {
  const Slice mine = reduction::vector_in(runtime::send_buffer, args.message_bytes);
  if (me.id() != args.root) {
    co_await me.send({.to = args.root, .data = mine});
    co_return;
  }
  const Slice result = reduction::vector_in(runtime::recv_buffer, args.message_bytes);
  const Slice incoming = reduction::vector_in(runtime::scratch_buffer, args.message_bytes);
  const RankId last = me.size() - 1;
  me.allocate(args.message_bytes);
  if (me.id() == last)
    me.copy(result, mine);
  else
    co_await me.recv({.from = last, .data = result});
  for (RankId from = last - 1; from >= 0; --from) {
    if (from != me.id()) co_await me.recv({.from = from, .data = incoming});
    me.combine(result, from == me.id() ? mine : incoming, Operand::left);
  }
}

Seconds reduce_linear_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes m = args.call.message_bytes;
  return cost.hop(m) + (args.procs - 2) * cost.next(m) + (args.procs - 1) * cost.combine(m);
}

}  // namespace

const Algorithm reduce::linear{
    .program = reduction::program<reduce_linear>,
    .cost = reduction::cost<reduce_linear_cost>,
    .messages = reduction::messages<one_per_other>,
};

}  // namespace tutti::algorithms
