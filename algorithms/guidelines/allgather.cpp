// SPDX-License-Identifier: BSD-3-Clause
// Mock-ups of MPI_Allgather: GL1 to GL4.
#include "algorithms/guidelines/mockups.hpp"
#include "algorithms/guidelines/run_call.hpp"

namespace tutti::algorithms::guidelines {
namespace {

InnerCalls gather_bcast(const CollectiveArgs& args, int procs) {
  return {{{"gather", inner_args(args, args.message_bytes)},
           {"bcast", inner_args(args, procs * args.message_bytes)}}};
}
InnerCall1 alltoall(const CollectiveArgs& args, int /*procs*/) {
  return {{{"alltoall", inner_args(args, args.message_bytes)}}};
}
InnerCall1 or_allreduce(const CollectiveArgs& args, int procs) {
  return {{{"allreduce", or_args(args, procs * args.message_bytes)}}};
}
InnerCall1 allgatherv(const CollectiveArgs& args, int /*procs*/) {
  return {{{"allgatherv", inner_args(args, args.message_bytes)}}};
}

// Sends P copies of the own block, one to each peer.
Task run_alltoall(Rank& me, CollectiveArgs args) {
  const Bytes block = args.message_bytes;
  me.copy({{0, block, first_buffer}, block, me.size()}, {{0, block, send_buffer}, 0, me.size()});
  const auto calls = alltoall(args, me.size());
  co_await run_call(me, calls[0], {.send = {.buffer = first_buffer}});
}

Task run_or_allreduce(Rank& me, CollectiveArgs args) {
  fill_own_block(me, args.message_bytes);
  const auto calls = or_allreduce(args, me.size());
  co_await run_call(me, calls[0], {.send = {.buffer = first_buffer}});
}

}  // namespace

const Mockup allgather_as_gather_bcast{
    .guideline = "GL1",
    .id = 4,
    .algorithm = made_of_calls<gather_bcast>(
        {.collective = "allgather",
         .name = "allgather_as_gather_bcast",
         .summary = "a gather to rank 0, then a broadcast of the whole result",
         .program = run_in_turn<gather_bcast>}),
    .calls = listed<gather_bcast>,
    .extra = no_memory,
};
const Mockup allgather_as_alltoall{
    .guideline = "GL2",
    .id = 3,
    .algorithm = made_of_calls<alltoall>(
        {.collective = "allgather",
         .name = "allgather_as_alltoall",
         .summary = "a copy of the own block for each rank, then an alltoall",
         .program = run_alltoall}),
    .calls = listed<alltoall>,
    .extra = message_of_each,
};
const Mockup allgather_as_allreduce{
    .guideline = "GL3",
    .id = 2,
    .algorithm = made_of_calls<or_allreduce>(
        {.collective = "allgather",
         .name = "allgather_as_allreduce",
         .summary = "a vector of zeros and the own block, then an allreduce by bitwise or",
         .program = run_or_allreduce}),
    .calls = listed<or_allreduce>,
    .extra = message_of_each,
};
const Mockup allgather_as_allgatherv{
    .guideline = "GL4",
    .id = 1,
    .algorithm = made_of_calls<allgatherv>({.collective = "allgather",
                                            .name = "allgather_as_allgatherv",
                                            .summary = "an allgatherv with equal counts",
                                            .program = run_in_turn<allgatherv>}),
    .calls = listed<allgatherv>,
    .extra = count_vectors<2>,
};

}  // namespace tutti::algorithms::guidelines
