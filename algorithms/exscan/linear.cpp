// SPDX-License-Identifier: BSD-3-Clause
// Linear exclusive scan: each rank receives the prefix of the lower ranks, which is its result,
// combines it with its own vector and sends it to the next rank. Preserves the order of the
// operands. Derived: (P-1) hop(m) + (P-2) combine(m); the first and the last rank do not combine.
#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

Task exscan_linear(Rank& me, CollectiveArgs args) {
  const Slice mine = reduction::vector_in(runtime::send_buffer, args.message_bytes);
  const Slice prefix = reduction::vector_in(runtime::recv_buffer, args.message_bytes);
  const Slice with_mine = reduction::vector_in(runtime::scratch_buffer, args.message_bytes);
  const bool first = me.id() == 0;
  const bool last = me.id() + 1 == me.size();
  if (!first && !last) me.copy(with_mine, mine);
  if (!first) co_await me.recv({.from = me.id() - 1, .data = prefix});
  if (last) co_return;
  if (!first) me.combine(with_mine, prefix, Operand::left);
  co_await me.send({.to = me.id() + 1, .data = first ? mine : with_mine});
}

Seconds exscan_linear_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes m = args.call.message_bytes;
  return (args.procs - 1) * cost.hop(m) + (args.procs - 2) * cost.combine(m);
}

}  // namespace

const Algorithm exscan::linear{
    .program = reduction::program<exscan_linear, reduction::Alone::has_none>,
    .cost = reduction::cost<exscan_linear_cost>,
    .messages = reduction::messages<one_per_other>,
};

}  // namespace tutti::algorithms
