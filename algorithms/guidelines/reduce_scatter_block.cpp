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

Mockup scan_mockup(const MockupRow& row) {
  Mockup own = mockup<exscan>(row);
  own.algorithm.restriction = reduction::needs_commutative;
  own.algorithm.runs = reduction::is_commutative;
  own.algorithm.cost = exscan_cost;
  return own;
}

}  // namespace

std::vector<Mockup> reduce_scatter_block_mockups() {
  return {
      mockup<reduce_scatter>({"GL17", 1, "reduce_scatter_block",
                              "reducescatterblock_as_reduce_scatter",
                              "a reduction to rank 0, then a scatter",
                              run_through_buffer<reduce_scatter>, message_of_each}),
      mockup<reducescatter>({"GL18", 2, "reduce_scatter_block",
                             "reducescatterblock_as_reducescatter",
                             "a reduce_scatter with equal counts", nullptr, count_vectors<1>}),
      mockup<blocks_allreduce>({"GL19", 3, "reduce_scatter_block",
                                "reducescatterblock_as_allreduce",
                                "an allreduce; each rank keeps its own block of the result",
                                run_blocks_allreduce, message_of_each}),
      scan_mockup({"GL20", 1, "scan", "scan_as_exscan_reducelocal",
                   "an exscan, then a local combination of its result with the own vector",
                   run_exscan}),
  };
}

}  // namespace tutti::algorithms::guidelines
