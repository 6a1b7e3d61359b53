// SPDX-License-Identifier: BSD-3-Clause
// Non-overlapping reduce_scatter and basic linear reduce_scatter_block: a reduction of the whole
// vector to rank 0, then a scatter(v) from there, each with the algorithm that the decision rules
// choose.
#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

Task run_reduce_and_deal(Rank& me, selection::InnerCalls calls) {
  const Slice vector = reduction::vector_in(runtime::scratch_buffer, calls[0].args.message_bytes);
  Nested first(me, {.recv = vector});
  co_await selection::run_decided(calls[0].collective, first.rank(), calls[0].args);
  Nested second(me, {.send = vector});
  co_await selection::run_decided(calls[1].collective, second.rank(), calls[1].args);
}

template <auto calls_of>
Task reduce_and_deal(Rank& me, CollectiveArgs args) {
  return run_reduce_and_deal(me, calls_of(args, me.size()));
}

selection::InnerCalls reduce_then_scatterv(const CollectiveArgs& args, int procs) {
  const auto reduced = selection::inner_args(args, RankBlocks::of_vector(args, procs).total());
  const DealtCall scattered = dealt_call(args, procs);
  return {{{"reduce", reduced}, {"scatterv", scattered.args, scattered.table}}};
}

selection::InnerCalls reduce_then_scatter(const CollectiveArgs& args, int procs) {
  return {{{"reduce", selection::inner_args(args, procs * args.message_bytes)},
           {"scatter", selection::inner_args(args, args.message_bytes)}}};
}

}  // namespace

const Algorithm reduce_scatter::non_overlapping{
    .program = reduction::program<reduce_and_deal<reduce_then_scatterv>>,
    .cost = reduction::cost<selection::cost_in_turn<reduce_then_scatterv>>,
    .messages = reduction::messages<selection::messages_in_turn<reduce_then_scatterv>>,
    .made_of = reduction::made_of<selection::made_in_turn<reduce_then_scatterv>>,
};

const Algorithm reduce_scatter_block::basic_linear{
    .program = reduction::program<reduce_and_deal<reduce_then_scatter>>,
    .cost = reduction::cost<selection::cost_in_turn<reduce_then_scatter>>,
    .messages = reduction::messages<selection::messages_in_turn<reduce_then_scatter>>,
    .made_of = reduction::made_of<selection::made_in_turn<reduce_then_scatter>>,
};

}  // namespace tutti::algorithms
