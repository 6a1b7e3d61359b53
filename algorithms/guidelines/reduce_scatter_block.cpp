// SPDX-License-Identifier: BSD-3-Clause
// Mock-ups of MPI_Reduce_scatter_block (GL17 to GL19) and MPI_Scan (GL20).
#include "algorithms/guidelines/mockups.hpp"
#include "algorithms/guidelines/run_call.hpp"
#include "algorithms/reduction.hpp"

namespace tutti::algorithms::guidelines {
namespace {

InnerCalls reduce_scatter(const CollectiveArgs& args, int procs) {
  return {{{"reduce", inner_args(args, procs * args.message_bytes)},
           {"scatter", inner_args(args, args.message_bytes)}}};
}
InnerCall1 reducescatter(const CollectiveArgs& args, int procs) {
  return {{{"reduce_scatter", inner_args(args, procs * args.message_bytes)}}};
}
InnerCall1 blocks_allreduce(const CollectiveArgs& args, int procs) {
  return {{{"allreduce", inner_args(args, procs * args.message_bytes)}}};
}
InnerCall1 exscan(const CollectiveArgs& args, int /*procs*/) {
  return {{{"exscan", inner_args(args, args.message_bytes)}}};
}

Task run_reduce_scatter(Rank& me, CollectiveArgs args) {
  const auto calls = reduce_scatter(args, me.size());
  const Slice vector{.buffer = first_buffer};
  co_await run_call(me, calls[0], {.recv = vector});
  co_await run_call(me, calls[1], {.send = vector});
}

Task run_blocks_allreduce(Rank& me, CollectiveArgs args) {
  const auto calls = blocks_allreduce(args, me.size());
  co_await run_call(me, calls[0], {.recv = {.buffer = first_buffer}});
  const Bytes block = args.message_bytes;
  me.copy(Slice{0, block, recv_buffer}, Slice{me.id() * block, block, first_buffer});
}

// MPI_Reduce_local takes the own vector as its left operand, where the prefix should be. The result
// is correct only if the operation commutes.
Task run_exscan(Rank& me, CollectiveArgs args) {
  const auto calls = exscan(args, me.size());
  co_await run_call(me, calls[0]);
  const Slice prefix{0, args.message_bytes, recv_buffer};
  const Slice own{0, args.message_bytes, send_buffer};
  if (me.id() == 0)
    me.copy(prefix, own);
  else
    me.combine(prefix, own, Operand::left);
}

Seconds exscan_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const bool combines = args.procs > 1;
  return selection::cost_in_turn<exscan>(args, cost) +
         (combines ? cost.combine(args.call.message_bytes) : 0);
}

Algorithm scan_algorithm() {
  Algorithm algorithm = made_of_calls<exscan>(
      {.collective = "scan",
       .name = "scan_as_exscan_reducelocal",
       .restriction = reduction::needs_commutative,
       .summary = "an exscan, then a local combination of its result with the own vector",
       .program = run_exscan,
       .runs = reduction::is_commutative});
  algorithm.cost = exscan_cost;
  return algorithm;
}

}  // namespace

const Mockup reducescatterblock_as_reduce_scatter{
    .guideline = "GL17",
    .id = 1,
    .algorithm = made_of_calls<reduce_scatter>({.collective = "reduce_scatter_block",
                                                .name = "reducescatterblock_as_reduce_scatter",
                                                .summary = "a reduction to rank 0, then a scatter",
                                                .program = run_reduce_scatter}),
    .calls = listed<reduce_scatter>,
    .extra = message_of_each,
};
const Mockup reducescatterblock_as_reducescatter{
    .guideline = "GL18",
    .id = 2,
    .algorithm = made_of_calls<reducescatter>({.collective = "reduce_scatter_block",
                                               .name = "reducescatterblock_as_reducescatter",
                                               .summary = "a reduce_scatter with equal counts",
                                               .program = run_in_turn<reducescatter>}),
    .calls = listed<reducescatter>,
    .extra = count_vectors<1>,
};
const Mockup reducescatterblock_as_allreduce{
    .guideline = "GL19",
    .id = 3,
    .algorithm = made_of_calls<blocks_allreduce>(
        {.collective = "reduce_scatter_block",
         .name = "reducescatterblock_as_allreduce",
         .summary = "an allreduce; each rank keeps its own block of the result",
         .program = run_blocks_allreduce}),
    .calls = listed<blocks_allreduce>,
    .extra = message_of_each,
};
const Mockup scan_as_exscan_reducelocal{
    .guideline = "GL20",
    .id = 1,
    .algorithm = scan_algorithm(),
    .calls = listed<exscan>,
    .extra = no_memory,
};

}  // namespace tutti::algorithms::guidelines
