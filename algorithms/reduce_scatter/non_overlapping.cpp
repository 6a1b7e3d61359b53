// SPDX-License-Identifier: BSD-3-Clause
// Non-overlapping reduce_scatter: a reduction to rank 0, then a scatterv from there, each by the
// algorithm that the decision rules choose.
// Derived: the sum of both.
#include "algorithms/dealt_counts.hpp"
#include "algorithms/rank_blocks.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/reduction.hpp"
#include "algorithms/selection/decided.hpp"

namespace tutti::algorithms {
namespace {

CollectiveArgs whole_vector(const CollectiveArgs& args, int procs) {
  return {.message_bytes = RankBlocks::of_vector(args, procs).total(),
          .element_bytes = args.element_bytes,
          .commutative = args.commutative};
}

runtime::Task reduce_scatter_non_overlapping(runtime::Rank& me, CollectiveArgs args) {
  const CollectiveArgs reduced = whole_vector(args, me.size());
  const DealtCall scattered = dealt_call(args, me.size());
  const runtime::Slice vector =
      reduction::vector_in(runtime::scratch_buffer, reduced.message_bytes);
  runtime::Nested first(me, {.recv = vector});
  co_await selection::run_decided("reduce", first.rank(), reduced);
  runtime::Nested second(me, {.send = vector});
  co_await selection::run_decided("scatterv", second.rank(), scattered.args);
}

Seconds reduce_scatter_non_overlapping_cost(const ModelArgs& args,
                                            const models::MessageCost& cost) {
  const DealtCall scattered = dealt_call(args.call, args.procs);
  const CollectiveArgs reduced = whole_vector(args.call, args.procs);
  return selection::cost_of_decided("reduce", {args.procs, reduced, args.combine_Bps}, cost) +
         selection::cost_of_decided("scatterv", {args.procs, scattered.args}, cost);
}

std::int64_t reduce_scatter_non_overlapping_messages(const ModelArgs& args) {
  const DealtCall scattered = dealt_call(args.call, args.procs);
  const CollectiveArgs reduced = whole_vector(args.call, args.procs);
  return selection::messages_of_decided("reduce", {args.procs, reduced}) +
         selection::messages_of_decided("scatterv", {args.procs, scattered.args});
}

}  // namespace

const Algorithm reduce_scatter::non_overlapping{
    .collective = "reduce_scatter",
    .name = "non-overlapping",
    .id = 1,
    .reference = "coll_base_reduce_scatter.c",
    .summary = "a reduction to rank 0, then a scatterv, as the decision rules choose them",
    .program = reduction::program<reduce_scatter_non_overlapping>,
    .cost = reduction::cost<reduce_scatter_non_overlapping_cost>,
    .messages = reduction::messages<reduce_scatter_non_overlapping_messages>,
};

}  // namespace tutti::algorithms
