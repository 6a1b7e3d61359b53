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
  CollectiveArgs broadcast = inner_args(args, procs * args.message_bytes);
  broadcast.root = args.root;
  return {{{"bcast", broadcast}}};
}
InnerCall1 scatterv(const CollectiveArgs& args, int /*procs*/) {
  CollectiveArgs scattered = inner_args(args, args.message_bytes);
  scattered.root = args.root;
  return {{{"scatterv", scattered}}};
}

Task run_bcast(Rank& me, CollectiveArgs args) {
  const auto calls = bcast(args, me.size());
  const std::int32_t blocks = me.id() == args.root ? send_buffer : first_buffer;
  co_await run_call(me, calls[0], {.recv = {.buffer = blocks}});
  const Bytes block = args.message_bytes;
  me.copy(Slice{0, block, recv_buffer}, Slice{me.id() * block, block, blocks});
}

}  // namespace

const Mockup alltoall_as_alltoallv{
    .guideline = "GL8",
    .id = 1,
    .algorithm = made_of_calls<alltoallv>({.collective = "alltoall",
                                           .name = "alltoall_as_alltoallv",
                                           .summary = "an alltoallv with equal counts",
                                           .program = run_in_turn<alltoallv>}),
    .calls = listed<alltoallv>,
    .extra = count_vectors<2>,
};
const Mockup scatter_as_bcast{
    .guideline = "GL21",
    .id = 1,
    .algorithm =
        made_of_calls<bcast>({.collective = "scatter",
                              .name = "scatter_as_bcast",
                              .summary = "a broadcast of all blocks; each rank keeps its own",
                              .program = run_bcast}),
    .calls = listed<bcast>,
    .extra = message_of_each,
};
const Mockup scatter_as_scatterv{
    .guideline = "GL22",
    .id = 2,
    .algorithm = made_of_calls<scatterv>({.collective = "scatter",
                                          .name = "scatter_as_scatterv",
                                          .summary = "a scatterv with equal counts",
                                          .program = run_in_turn<scatterv>}),
    .calls = listed<scatterv>,
    .extra = count_vectors<2>,
};

}  // namespace tutti::algorithms::guidelines
