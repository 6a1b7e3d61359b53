// SPDX-License-Identifier: BSD-3-Clause
// The mock-ups of MPI_Allreduce, MPI_Reduce, MPI_Reduce_scatter_block and MPI_Scan.
#include "algorithms/guidelines/mockups.hpp"
#include "algorithms/guidelines/run_call.hpp"
#include "algorithms/reduction.hpp"

namespace tutti::algorithms::guidelines {
namespace {

// MPI_Allreduce: GL5 to GL7.

InnerCalls reduce_bcast(const CollectiveArgs& args, int /*procs*/) {
  const CollectiveArgs vector = inner_args(args, args.message_bytes);
  return {{{"reduce", vector}, {"bcast", vector}}};
}
InnerCalls block_allgather(const CollectiveArgs& args, int procs) {
  const CollectiveArgs block = inner_args(args, Padded(args, procs).block_bytes);
  return {{{"reduce_scatter_block", block}, {"allgather", block}}};
}
InnerCalls scatter_allgatherv(const CollectiveArgs& args, int procs) {
  const auto counts = chunked_counts(args, procs);
  return {with_counts({"reduce_scatter", inner_args(args, args.message_bytes)}, counts),
          with_counts({"allgatherv", inner_args(args, args.message_bytes / procs)}, counts)};
}

// Each rank's part of the result arrives at its final place in the receive buffer; the allgatherv
// is in-place.
Task run_scatter_allgatherv(Rank& me, CollectiveArgs args) {
  const auto calls = scatter_allgatherv(args, me.size());
  const Slice own{.offset = calls[0].counts->offset(me.id()), .buffer = recv_buffer};
  co_await run_call(me, calls[0], {.recv = own});
  co_await run_call(me, calls[1], {.send = own});
}

// MPI_Reduce: GL14 to GL16, and one that the library added later (R1).

InnerCall1 allreduce(const CollectiveArgs& args, int /*procs*/) {
  return {{{"allreduce", inner_args(args, args.message_bytes)}}};
}
InnerCalls block_gather(const CollectiveArgs& args, int procs) {
  const CollectiveArgs block = inner_args(args, Padded(args, procs).block_bytes);
  return {{{"reduce_scatter_block", block}, {"gather", rooted_args(args, block.message_bytes)}}};
}
InnerCalls scatter_gatherv(const CollectiveArgs& args, int procs) {
  const auto counts = chunked_counts(args, procs);
  return {with_counts({"reduce_scatter", inner_args(args, args.message_bytes)}, counts),
          with_counts({"gatherv", rooted_args(args, args.message_bytes / procs)}, counts)};
}
InnerCall1 scatter(const CollectiveArgs& args, int procs) {
  return {with_counts({"reduce_scatter", inner_args(args, args.message_bytes)},
                      counts_at_root(args, procs))};
}

ExtraMemory part_and_vectors(const CollectiveArgs& args, int procs) {
  const std::int64_t elements = args.message_bytes / args.element_bytes;
  const std::int64_t chunk = chunk_elements(args);
  const std::int64_t most = (elements / (chunk * procs) + 1) * chunk;
  return {.message_bytes = most * args.element_bytes,
          .int_bytes = count_vectors<2>(args, procs).int_bytes};
}

// MPI_Reduce_scatter_block (GL17 to GL19) and MPI_Scan (GL20).

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

std::vector<Mockup> reducing_mockups() {
  return {
      mockup<reduce_bcast>({"GL5"}),
      mockup<block_allgather>({"GL6", run_padded<block_allgather>, padded_memory}),
      mockup<scatter_allgatherv>({"GL7", run_scatter_allgatherv, count_vectors<2>}),
      mockup<allreduce>({"GL14", run_for_root<allreduce>, one_message}),
      mockup<block_gather>({"GL15", run_padded<block_gather>, padded_memory}),
      mockup<scatter_gatherv>({"GL16", run_through_buffer<scatter_gatherv>, part_and_vectors}),
      mockup<scatter>({"R1", nullptr, count_vectors<1>}),
      mockup<reduce_scatter>({"GL17", run_through_buffer<reduce_scatter>, message_of_each}),
      mockup<reducescatter>({"GL18", nullptr, count_vectors<1>}),
      mockup<blocks_allreduce>({"GL19", run_blocks_allreduce, message_of_each}),
      scan_mockup({"GL20", run_exscan}),
  };
}

}  // namespace tutti::algorithms::guidelines
