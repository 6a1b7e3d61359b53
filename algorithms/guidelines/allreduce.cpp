// SPDX-License-Identifier: BSD-3-Clause
// Mock-ups of MPI_Allreduce: GL5 to GL7.
#include "algorithms/guidelines/mockups.hpp"
#include "algorithms/guidelines/run_call.hpp"

namespace tutti::algorithms::guidelines {
namespace {

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
  CollectiveArgs scattered = inner_args(args, args.message_bytes);
  CollectiveArgs gathered = inner_args(args, args.message_bytes / procs);
  scattered.counts = gathered.counts = counts.get();
  return {{{"reduce_scatter", scattered, counts}, {"allgatherv", gathered, counts}}};
}

Task run_block_allgather(Rank& me, CollectiveArgs args) {
  const Padded padded(args, me.size());
  padded.fill(me, first_buffer, send_buffer);
  const auto calls = block_allgather(args, me.size());
  const Slice vector{.buffer = first_buffer};
  const Slice block{.buffer = second_buffer};
  co_await run_call(me, calls[0], {.send = vector, .recv = block});
  co_await run_call(me, calls[1], {.send = block, .recv = vector});
  me.copy(Slice{0, args.message_bytes, recv_buffer}, Slice{0, args.message_bytes, first_buffer});
}

// Each rank's part of the result arrives at its final place in the receive buffer; the allgatherv
// is in-place.
Task run_scatter_allgatherv(Rank& me, CollectiveArgs args) {
  const auto calls = scatter_allgatherv(args, me.size());
  const Slice own{.offset = calls[0].counts->offset(me.id()), .buffer = recv_buffer};
  co_await run_call(me, calls[0], {.recv = own});
  co_await run_call(me, calls[1], {.send = own});
}

}  // namespace

const Mockup allreduce_as_reduce_bcast{
    .guideline = "GL5",
    .id = 1,
    .algorithm = made_of_calls<reduce_bcast>({.collective = "allreduce",
                                              .name = "allreduce_as_reduce_bcast",
                                              .summary = "a reduction to rank 0, then a broadcast",
                                              .program = run_in_turn<reduce_bcast>}),
    .calls = listed<reduce_bcast>,
    .extra = no_memory,
};
const Mockup allreduce_as_reducescatterblock_allgather{
    .guideline = "GL6",
    .id = 2,
    .algorithm = made_of_calls<block_allgather>(
        {.collective = "allreduce",
         .name = "allreduce_as_reducescatterblock_allgather",
         .summary = "a reduce_scatter_block of the padded vector, then an allgather",
         .program = run_block_allgather}),
    .calls = listed<block_allgather>,
    .extra = padded_memory,
};
const Mockup allreduce_as_reducescatter_allgatherv{
    .guideline = "GL7",
    .id = 3,
    .algorithm = made_of_calls<scatter_allgatherv>(
        {.collective = "allreduce",
         .name = "allreduce_as_reducescatter_allgatherv",
         .summary = "a reduce_scatter of chunks of 4 elements, then an in-place allgatherv",
         .program = run_scatter_allgatherv}),
    .calls = listed<scatter_allgatherv>,
    .extra = count_vectors<2>,
};

}  // namespace tutti::algorithms::guidelines
