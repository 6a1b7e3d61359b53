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

}  // namespace

std::vector<Mockup> allgather_mockups() {
  return {
      mockup<gather_bcast>({"GL1", 4, "allgather", "allgather_as_gather_bcast",
                            "a gather to rank 0, then a broadcast of the whole result"}),
      mockup<alltoall>({"GL2", 3, "allgather", "allgather_as_alltoall",
                        "a copy of the own block for each rank, then an alltoall", run_alltoall,
                        message_of_each}),
      mockup<or_allreduce>({"GL3", 2, "allgather", "allgather_as_allreduce",
                            "a vector of zeros and the own block, then an allreduce by bitwise or",
                            run_on_own_block<or_allreduce>, message_of_each}),
      mockup<allgatherv>({"GL4", 1, "allgather", "allgather_as_allgatherv",
                          "an allgatherv with equal counts", nullptr, count_vectors<2>}),
  };
}

}  // namespace tutti::algorithms::guidelines
