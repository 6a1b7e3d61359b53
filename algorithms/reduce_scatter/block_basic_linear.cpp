// SPDX-License-Identifier: BSD-3-Clause
// Basic linear reduce_scatter_block: a reduction to rank 0, then a scatter from there, each by the
// algorithm that the decision rules choose.
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/reduction.hpp"
#include "algorithms/selection/in_turn.hpp"

namespace tutti::algorithms {
namespace {

selection::InnerCalls calls_of(const CollectiveArgs& args, int procs) {
  const auto with_bytes = [&](Bytes bytes) -> CollectiveArgs {
    return {.message_bytes = bytes,
            .element_bytes = args.element_bytes,
            .commutative = args.commutative,
            .selection = args.selection};
  };
  return {{{"reduce", with_bytes(procs * args.message_bytes)},
           {"scatter", with_bytes(args.message_bytes)}}};
}

runtime::Task reduce_scatter_block_basic_linear(runtime::Rank& me, CollectiveArgs args) {
  const selection::InnerCalls calls = calls_of(args, me.size());
  const runtime::Slice vector =
      reduction::vector_in(runtime::scratch_buffer, calls[0].args.message_bytes);
  runtime::Nested first(me, {.recv = vector});
  co_await selection::run_decided(calls[0].collective, first.rank(), calls[0].args);
  runtime::Nested second(me, {.send = vector});
  co_await selection::run_decided(calls[1].collective, second.rank(), calls[1].args);
}

}  // namespace

const Algorithm reduce_scatter_block::basic_linear{
    .collective = "reduce_scatter_block",
    .name = "basic_linear",
    .id = 1,
    .reference = "coll_base_reduce_scatter_block.c",
    .summary = "a reduction to rank 0, then a scatter, as the decision rules choose them",
    .program = reduction::program<reduce_scatter_block_basic_linear>,
    .cost = reduction::cost<selection::cost_in_turn<calls_of>>,
    .messages = reduction::messages<selection::messages_in_turn<calls_of>>,
    .made_of = reduction::made_of<selection::made_in_turn<calls_of>>,
};

}  // namespace tutti::algorithms
