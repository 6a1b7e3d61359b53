// SPDX-License-Identifier: BSD-3-Clause
// Linear scan: each rank receives the prefix from the rank below, combines it with its own vector
// and sends the result to the rank above. Preserves the order of the operands. Derived: (P-1)
// (hop(m) + combine(m)).
#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

Task scan_linear(Rank& me, CollectiveArgs args) {
  const Slice prefix = reduction::vector_in(runtime::recv_buffer, args.message_bytes);
  const Slice below = reduction::vector_in(runtime::scratch_buffer, args.message_bytes);
  me.copy(prefix, reduction::vector_in(runtime::send_buffer, args.message_bytes));
  if (me.id() > 0) {
    co_await me.recv({.from = me.id() - 1, .data = below});
    me.combine(prefix, below, Operand::left);
  }
  if (me.id() + 1 < me.size()) co_await me.send({.to = me.id() + 1, .data = prefix});
}

Seconds scan_linear_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes m = args.call.message_bytes;
  return (args.procs - 1) * (cost.hop(m) + cost.combine(m));
}

}  // namespace

const Algorithm scan::linear{
    .program = reduction::program<scan_linear>,
    .cost = reduction::cost<scan_linear_cost>,
    .messages = reduction::messages<one_per_other>,
};

}  // namespace tutti::algorithms
