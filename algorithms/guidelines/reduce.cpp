// SPDX-License-Identifier: BSD-3-Clause
// Mock-ups of MPI_Reduce: GL14 to GL16, and one that the library added later (R1).
#include "algorithms/guidelines/mockups.hpp"
#include "algorithms/guidelines/run_call.hpp"

namespace tutti::algorithms::guidelines {
namespace {

InnerCall1 allreduce(const CollectiveArgs& args, int /*procs*/) {
  return {{{"allreduce", inner_args(args, args.message_bytes)}}};
}
InnerCalls block_gather(const CollectiveArgs& args, int procs) {
  const CollectiveArgs block = inner_args(args, Padded(args, procs).block_bytes);
  CollectiveArgs gathered = block;
  gathered.root = args.root;
  return {{{"reduce_scatter_block", block}, {"gather", gathered}}};
}
InnerCalls scatter_gatherv(const CollectiveArgs& args, int procs) {
  const auto counts = chunked_counts(args, procs);
  CollectiveArgs scattered = inner_args(args, args.message_bytes);
  CollectiveArgs gathered = inner_args(args, args.message_bytes / procs);
  scattered.counts = gathered.counts = counts.get();
  gathered.root = args.root;
  return {{{"reduce_scatter", scattered, counts}, {"gatherv", gathered, counts}}};
}
InnerCall1 scatter(const CollectiveArgs& args, int procs) {
  const auto counts = counts_at_root(args, procs);
  CollectiveArgs scattered = inner_args(args, args.message_bytes);
  scattered.counts = counts.get();
  return {{{"reduce_scatter", scattered, counts}}};
}

// All ranks receive the result; all but the root in an auxiliary buffer.
Task run_allreduce(Rank& me, CollectiveArgs args) {
  const auto calls = allreduce(args, me.size());
  const bool is_root = me.id() == args.root;
  co_await run_call(me, calls[0], {.recv = {.buffer = is_root ? recv_buffer : first_buffer}});
}

Task run_block_gather(Rank& me, CollectiveArgs args) {
  const Padded padded(args, me.size());
  padded.fill(me, first_buffer, send_buffer);
  const auto calls = block_gather(args, me.size());
  const Slice vector{.buffer = first_buffer};
  const Slice block{.buffer = second_buffer};
  co_await run_call(me, calls[0], {.send = vector, .recv = block});
  co_await run_call(me, calls[1], {.send = block, .recv = vector});
  if (me.id() == args.root)
    me.copy(Slice{0, args.message_bytes, recv_buffer}, Slice{0, args.message_bytes, first_buffer});
}

Task run_scatter_gatherv(Rank& me, CollectiveArgs args) {
  const auto calls = scatter_gatherv(args, me.size());
  const Slice own{.buffer = first_buffer};
  co_await run_call(me, calls[0], {.recv = own});
  co_await run_call(me, calls[1], {.send = own});
}

ExtraMemory part_and_vectors(const CollectiveArgs& args, int procs) {
  const std::int64_t elements = args.message_bytes / args.element_bytes;
  const std::int64_t most = (elements / (chunk_elements * procs) + 1) * chunk_elements;
  return {.message_bytes = most * args.element_bytes,
          .int_bytes = count_vectors<2>(args, procs).int_bytes};
}

}  // namespace

const Mockup reduce_as_allreduce{
    .guideline = "GL14",
    .id = 1,
    .algorithm = made_of_calls<allreduce>(
        {.collective = "reduce",
         .name = "reduce_as_allreduce",
         .summary = "an allreduce whose result all ranks but the root discard",
         .program = run_allreduce}),
    .calls = listed<allreduce>,
    .extra = one_message,
};
const Mockup reduce_as_reducescatterblock_gather{
    .guideline = "GL15",
    .id = 2,
    .algorithm = made_of_calls<block_gather>(
        {.collective = "reduce",
         .name = "reduce_as_reducescatterblock_gather",
         .summary = "a reduce_scatter_block of the padded vector, then a gather",
         .program = run_block_gather}),
    .calls = listed<block_gather>,
    .extra = padded_memory,
};
const Mockup reduce_as_reducescatter_gatherv{
    .guideline = "GL16",
    .id = 3,
    .algorithm = made_of_calls<scatter_gatherv>(
        {.collective = "reduce",
         .name = "reduce_as_reducescatter_gatherv",
         .summary = "a reduce_scatter of chunks of 4 elements, then a gatherv",
         .program = run_scatter_gatherv}),
    .calls = listed<scatter_gatherv>,
    .extra = part_and_vectors,
};
const Mockup reduce_as_reducescatter{
    .guideline = "R1",
    .id = 4,
    .algorithm = made_of_calls<scatter>(
        {.collective = "reduce",
         .name = "reduce_as_reducescatter",
         .summary = "a reduce_scatter that assigns the whole vector to the root",
         .program = run_in_turn<scatter>}),
    .calls = listed<scatter>,
    .extra = count_vectors<1>,
};

}  // namespace tutti::algorithms::guidelines
