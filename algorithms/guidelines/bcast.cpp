// SPDX-License-Identifier: BSD-3-Clause
// Mock-ups of MPI_Bcast: GL9 and GL10.
#include "algorithms/guidelines/mockups.hpp"
#include "algorithms/guidelines/run_call.hpp"

namespace tutti::algorithms::guidelines {
namespace {

InnerCall1 root_allgatherv(const CollectiveArgs& args, int procs) {
  const auto counts = counts_at_root(args, procs);
  CollectiveArgs gathered = inner_args(args, args.message_bytes / procs);
  gathered.counts = counts.get();
  return {{{"allgatherv", gathered, counts}}};
}
InnerCalls scatter_allgather(const CollectiveArgs& args, int procs) {
  const CollectiveArgs block = inner_args(args, Padded(args, procs).block_bytes);
  CollectiveArgs scattered = block;
  scattered.root = args.root;
  return {{{"scatter", scattered}, {"allgather", block}}};
}

// In-place: the root's vector is the whole result.
Task run_root_allgatherv(Rank& me, CollectiveArgs args) {
  const auto calls = root_allgatherv(args, me.size());
  co_await run_call(me, calls[0], {.send = {.buffer = recv_buffer}});
}

// The contents of the padding do not matter.
Task run_scatter_allgather(Rank& me, CollectiveArgs args) {
  const auto calls = scatter_allgather(args, me.size());
  const Slice given{0, args.message_bytes, recv_buffer};
  const Slice copied{0, args.message_bytes, first_buffer};
  const Slice vector{.buffer = first_buffer};
  const Slice block{.buffer = second_buffer};
  if (me.id() == args.root) me.copy(copied, given);
  co_await run_call(me, calls[0], {.send = vector, .recv = block});
  co_await run_call(me, calls[1], {.send = block, .recv = vector});
  if (me.id() != args.root) me.copy(given, copied);
}

}  // namespace

const Mockup bcast_as_allgatherv{
    .guideline = "GL9",
    .id = 1,
    .algorithm = made_of_calls<root_allgatherv>(
        {.collective = "bcast",
         .name = "bcast_as_allgatherv",
         .summary = "an in-place allgatherv to which only the root contributes data",
         .program = run_root_allgatherv}),
    .calls = listed<root_allgatherv>,
    .extra = count_vectors<2>,
};
const Mockup bcast_as_scatter_allgather{
    .guideline = "GL10",
    .id = 2,
    .algorithm = made_of_calls<scatter_allgather>(
        {.collective = "bcast",
         .name = "bcast_as_scatter_allgather",
         .summary = "a scatter of the padded vector, then an allgather",
         .program = run_scatter_allgather}),
    .calls = listed<scatter_allgather>,
    .extra = padded_memory,
};

}  // namespace tutti::algorithms::guidelines
