// SPDX-License-Identifier: BSD-3-Clause
// Allreduce as a reduce_scatter of the vector dealt out evenly, then an allgather of the blocks
// (allgatherv where they differ), each by the algorithm that the decision rules choose. No
// algorithm of Open MPI: a finding of Hunold and Carpen-Amarie's, section 4.4.2. Derived: the sum
// of both.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/dealt_counts.hpp"
#include "algorithms/rank_blocks.hpp"
#include "algorithms/reduction.hpp"
#include "algorithms/selection/decided.hpp"

namespace tutti::algorithms {
namespace {

CollectiveArgs whole_vector(const CollectiveArgs& args) {
  return {.message_bytes = args.message_bytes,
          .element_bytes = args.element_bytes,
          .commutative = args.commutative};
}

std::string_view gathering(const DealtCall& call) {
  return call.table == nullptr ? "allgather" : "allgatherv";
}

runtime::Task allreduce_reduce_scatter_allgather(runtime::Rank& me, CollectiveArgs args) {
  const CollectiveArgs scattered = whole_vector(args);
  const DealtCall gathered = dealt_call(scattered, me.size());
  const Bytes own = RankBlocks::of_vector(scattered, me.size()).bytes(me.id());
  const runtime::Slice block = reduction::vector_in(runtime::scratch_buffer, own);
  runtime::Nested first(me, {.recv = block});
  co_await selection::run_decided("reduce_scatter", first.rank(), scattered);
  runtime::Nested second(me, {.send = block});
  co_await selection::run_decided(gathering(gathered), second.rank(), gathered.args);
}

Seconds allreduce_reduce_scatter_allgather_cost(const ModelArgs& args,
                                                const models::MessageCost& cost) {
  const CollectiveArgs scattered = whole_vector(args.call);
  const DealtCall gathered = dealt_call(scattered, args.procs);
  return selection::cost_of_decided("reduce_scatter", {args.procs, scattered, args.combine_Bps},
                                    cost) +
         selection::cost_of_decided(gathering(gathered), {args.procs, gathered.args}, cost);
}

std::int64_t allreduce_reduce_scatter_allgather_messages(const ModelArgs& args) {
  const CollectiveArgs scattered = whole_vector(args.call);
  const DealtCall gathered = dealt_call(scattered, args.procs);
  return selection::messages_of_decided("reduce_scatter", {args.procs, scattered}) +
         selection::messages_of_decided(gathering(gathered), {args.procs, gathered.args});
}

}  // namespace

const Algorithm allreduce::reduce_scatter_allgather{
    .collective = "allreduce",
    .name = "reduce_scatter_allgather",
    .id = 0,
    .reference = "Hunold, Carpen-Amarie, HPC Asia 2018",
    .summary = "a reduce_scatter, then an allgather, as the decision rules choose them",
    .program = reduction::program<allreduce_reduce_scatter_allgather>,
    .cost = reduction::cost<allreduce_reduce_scatter_allgather_cost>,
    .messages = reduction::messages<allreduce_reduce_scatter_allgather_messages>,
};

}  // namespace tutti::algorithms
