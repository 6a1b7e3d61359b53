// SPDX-License-Identifier: BSD-3-Clause
// Mock-ups of MPI_Scatter (GL21, GL22) and MPI_Alltoall (GL8).
#include "algorithms/guidelines/mockups.hpp"
#include "algorithms/guidelines/run_call.hpp"

namespace tutti::algorithms::guidelines {
namespace {

InnerCall1 alltoallv(const CollectiveArgs& args, int /*procs*/) {
  return {{{"alltoallv", inner_args(args, args.message_bytes)}}};
}
InnerCall1 bcast(const CollectiveArgs& args, int procs) {
  return {{{"bcast", rooted_args(args, procs * args.message_bytes)}}};
}
InnerCall1 scatterv(const CollectiveArgs& args, int /*procs*/) {
  return {{{"scatterv", rooted_args(args, args.message_bytes)}}};
}

Task run_bcast(Rank& me, CollectiveArgs args) {
  const auto calls = bcast(args, me.size());
  const std::int32_t blocks = me.id() == args.root ? send_buffer : first_buffer;
  co_await run_call(me, calls[0], {.recv = {.buffer = blocks}});
  const Bytes block = args.message_bytes;
  me.copy(Slice{0, block, recv_buffer}, Slice{me.id() * block, block, blocks});
}

}  // namespace

std::vector<Mockup> scatter_mockups() {
  return {
      mockup<alltoallv>({"GL8", 1, "alltoall", "alltoall_as_alltoallv",
                         "an alltoallv with equal counts", nullptr, count_vectors<2>}),
      mockup<bcast>({"GL21", 1, "scatter", "scatter_as_bcast",
                     "a broadcast of all blocks; each rank keeps its own", run_bcast,
                     message_of_each}),
      mockup<scatterv>({"GL22", 2, "scatter", "scatter_as_scatterv", "a scatterv with equal counts",
                        nullptr, count_vectors<2>}),
  };
}

}  // namespace tutti::algorithms::guidelines
