// SPDX-License-Identifier: BSD-3-Clause
// Allreduce by an allgather of all vectors, with the algorithm that the decision rules choose, then
// a local reduction of P vectors: fewer messages one after the other, but P times the data.
// Derived: the allgather of m bytes per rank, and (P-1) combine(m).
#include "algorithms/allreduce/allreduce.hpp"

namespace tutti::algorithms {
namespace {

selection::InnerCall1 allgather_vectors(const CollectiveArgs& args, int /*procs*/) {
  return {{{"allgather", selection::inner_args(args, args.message_bytes)}}};
}

Task allreduce_allgather_reduce(Rank& me, CollectiveArgs args) {
  const Bytes bytes = args.message_bytes;
  const Slice mine = reduction::vector_in(runtime::scratch_buffer, bytes);
  const std::int32_t all = runtime::scratch_buffer + 1;
  me.allocate(me.size() * bytes);
  me.allocate(bytes);
  me.copy(mine, reduction::vector_in(runtime::send_buffer, bytes));
  const auto calls = allgather_vectors(args, me.size());
  {
    Nested inner(me, {.recv = {.buffer = all}, .send = mine});
    co_await selection::run_decided(calls[0].collective, inner.rank(), calls[0].args);
  }
  const Slice sum = reduction::vector_in(all, bytes);
  for (RankId rank = 1; rank < me.size(); ++rank)
    me.combine(sum, {rank * bytes, bytes, all}, Operand::left);
  me.copy(reduction::vector_in(runtime::recv_buffer, bytes), sum);
}

Seconds allreduce_allgather_reduce_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return selection::cost_in_turn<allgather_vectors>(args, cost) +
         (args.procs - 1) * cost.combine(args.call.message_bytes);
}

}  // namespace

const Algorithm allreduce::allgather_reduce{
    .restriction = reduction::needs_commutative,
    .program = reduction::program<allreduce_allgather_reduce>,
    .cost = reduction::cost<allreduce_allgather_reduce_cost>,
    .messages = reduction::messages<selection::messages_in_turn<allgather_vectors>>,
    .made_of = reduction::made_of<selection::made_in_turn<allgather_vectors>>,
    .runs = reduction::is_commutative,
};

}  // namespace tutti::algorithms
