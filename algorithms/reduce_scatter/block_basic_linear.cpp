// SPDX-License-Identifier: BSD-3-Clause
// Basic linear reduce_scatter_block: a reduction to rank 0, then a scatter from there, each by the
// algorithm that the decision rules choose.
// Derived: the sum of both.
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/reduction.hpp"
#include "algorithms/selection/decided.hpp"

namespace tutti::algorithms {
namespace {

// `bytes`: of the whole vector for the reduction, of a block for the scatter.
CollectiveArgs with_bytes(const CollectiveArgs& args, Bytes bytes) {
  return {
      .message_bytes = bytes, .element_bytes = args.element_bytes, .commutative = args.commutative};
}

Bytes vector_bytes(const CollectiveArgs& args, int procs) { return procs * args.message_bytes; }

}  // namespace

runtime::Task reduce_scatter_block_basic_linear(runtime::Rank& me, CollectiveArgs args) {
  const runtime::Slice vector =
      reduction::vector_in(runtime::scratch_buffer, vector_bytes(args, me.size()));
  runtime::Nested first(me, {.recv = vector});
  co_await selection::run_decided("reduce", first.rank(), with_bytes(args, vector.bytes));
  runtime::Nested second(me, {.send = vector});
  co_await selection::run_decided("scatter", second.rank(), with_bytes(args, args.message_bytes));
}

Seconds reduce_scatter_block_basic_linear_cost(const ModelArgs& args,
                                               const models::MessageCost& cost) {
  ModelArgs inner = args;
  inner.call = with_bytes(args.call, vector_bytes(args.call, args.procs));
  const Seconds reduce_s = selection::cost_of_decided("reduce", inner, cost);
  inner.call = with_bytes(args.call, args.call.message_bytes);
  return reduce_s + selection::cost_of_decided("scatter", inner, cost);
}

std::int64_t reduce_scatter_block_basic_linear_messages(const ModelArgs& args) {
  ModelArgs inner = args;
  inner.call = with_bytes(args.call, vector_bytes(args.call, args.procs));
  const std::int64_t reduce = selection::messages_of_decided("reduce", inner);
  inner.call = with_bytes(args.call, args.call.message_bytes);
  return reduce + selection::messages_of_decided("scatter", inner);
}

const Algorithm reduce_scatter_block::basic_linear{
    .collective = "reduce_scatter_block",
    .name = "basic_linear",
    .id = 1,
    .reference = "coll_base_reduce_scatter_block.c",
    .summary = "a reduction to rank 0, then a scatter, as the decision rules choose them",
    .program = reduction::program<reduce_scatter_block_basic_linear>,
    .cost = reduction::cost<reduce_scatter_block_basic_linear_cost>,
    .messages = reduction::messages<reduce_scatter_block_basic_linear_messages>,
};

}  // namespace tutti::algorithms
