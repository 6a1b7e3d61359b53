// SPDX-License-Identifier: BSD-3-Clause
// Allreduce as a reduce_scatter of the evenly distributed vector, then an allgather of the blocks
// (allgatherv if their sizes differ), each with the algorithm that the decision rules choose. Not
// an algorithm of Open MPI, but a result of the PGMPITuneLib paper (Hunold and Carpen-Amarie,
// section 4.4.2).
#include "algorithms/allreduce/allreduce.hpp"

namespace tutti::algorithms {
namespace {

selection::InnerCalls reduce_scatter_then_allgather(const CollectiveArgs& args, int procs) {
  const auto scattered = selection::inner_args(args, args.message_bytes);
  const DealtCall gathered = dealt_call(scattered, procs);
  const std::string_view gathering = gathered.table == nullptr ? "allgather" : "allgatherv";
  return {{{"reduce_scatter", scattered}, {gathering, gathered.args, gathered.table}}};
}

Task allreduce_reduce_scatter_allgather(Rank& me, CollectiveArgs args) {
  const selection::InnerCalls calls = reduce_scatter_then_allgather(args, me.size());
  const Bytes own = RankBlocks::of_vector(calls[0].args, me.size()).bytes(me.id());
  const Slice block = reduction::vector_in(runtime::scratch_buffer, own);
  Nested first(me, {.recv = block});
  co_await selection::run_decided(calls[0].collective, first.rank(), calls[0].args);
  Nested second(me, {.send = block});
  co_await selection::run_decided(calls[1].collective, second.rank(), calls[1].args);
}

}  // namespace

const Algorithm allreduce::reduce_scatter_allgather{
    .program = reduction::program<allreduce_reduce_scatter_allgather>,
    .cost = reduction::cost<selection::cost_in_turn<reduce_scatter_then_allgather>>,
    .messages = reduction::messages<selection::messages_in_turn<reduce_scatter_then_allgather>>,
    .made_of = reduction::made_of<selection::made_in_turn<reduce_scatter_then_allgather>>,
};

}  // namespace tutti::algorithms
