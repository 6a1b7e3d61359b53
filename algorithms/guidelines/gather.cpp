// SPDX-License-Identifier: BSD-3-Clause
// Mock-ups of MPI_Gather: GL11 to GL13.
#include "algorithms/guidelines/mockups.hpp"
#include "algorithms/guidelines/run_call.hpp"

namespace tutti::algorithms::guidelines {
namespace {

InnerCall1 allgather(const CollectiveArgs& args, int /*procs*/) {
  return {{{"allgather", inner_args(args, args.message_bytes)}}};
}
InnerCall1 gatherv(const CollectiveArgs& args, int /*procs*/) {
  CollectiveArgs gathered = inner_args(args, args.message_bytes);
  gathered.root = args.root;
  return {{{"gatherv", gathered}}};
}
InnerCall1 reduce(const CollectiveArgs& args, int procs) {
  CollectiveArgs reduced = or_args(args, procs * args.message_bytes);
  reduced.root = args.root;
  return {{{"reduce", reduced}}};
}

// All ranks receive the blocks; all but the root in an auxiliary buffer.
Task run_allgather(Rank& me, CollectiveArgs args) {
  const auto calls = allgather(args, me.size());
  const bool is_root = me.id() == args.root;
  co_await run_call(me, calls[0], {.recv = {.buffer = is_root ? recv_buffer : first_buffer}});
}

Task run_reduce(Rank& me, CollectiveArgs args) {
  fill_own_block(me, args.message_bytes);
  const auto calls = reduce(args, me.size());
  co_await run_call(me, calls[0], {.send = {.buffer = first_buffer}});
}

}  // namespace

const Mockup gather_as_allgather{
    .guideline = "GL11",
    .id = 1,
    .algorithm = made_of_calls<allgather>(
        {.collective = "gather",
         .name = "gather_as_allgather",
         .summary = "an allgather whose result all ranks but the root discard",
         .program = run_allgather}),
    .calls = listed<allgather>,
    .extra = message_of_each,
};
const Mockup gather_as_gatherv{
    .guideline = "GL12",
    .id = 2,
    .algorithm = made_of_calls<gatherv>({.collective = "gather",
                                         .name = "gather_as_gatherv",
                                         .summary = "a gatherv with equal counts",
                                         .program = run_in_turn<gatherv>}),
    .calls = listed<gatherv>,
    .extra = count_vectors<2>,
};
const Mockup gather_as_reduce{
    .guideline = "GL13",
    .id = 3,
    .algorithm = made_of_calls<reduce>(
        {.collective = "gather",
         .name = "gather_as_reduce",
         .summary = "a vector of zeros and the own block, then a reduction by bitwise or",
         .program = run_reduce}),
    .calls = listed<reduce>,
    .extra = message_of_each,
};

}  // namespace tutti::algorithms::guidelines
