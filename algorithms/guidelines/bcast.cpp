// SPDX-License-Identifier: BSD-3-Clause
// Mock-ups of MPI_Bcast: GL9 and GL10.
#include "algorithms/guidelines/mockups.hpp"
#include "algorithms/guidelines/run_call.hpp"

namespace tutti::algorithms::guidelines {
namespace {

InnerCall1 root_allgatherv(const CollectiveArgs& args, int procs) {
  return {with_counts({"allgatherv", inner_args(args, args.message_bytes / procs)},
                      counts_at_root(args, procs))};
}
InnerCalls scatter_allgather(const CollectiveArgs& args, int procs) {
  const CollectiveArgs block = inner_args(args, Padded(args, procs).block_bytes);
  return {{{"scatter", rooted_args(args, block.message_bytes)}, {"allgather", block}}};
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

std::vector<Mockup> bcast_mockups() {
  return {
      mockup<root_allgatherv>({"GL9", 1, "bcast", "bcast_as_allgatherv",
                               "an in-place allgatherv to which only the root contributes data",
                               run_root_allgatherv, count_vectors<2>}),
      mockup<scatter_allgather>({"GL10", 2, "bcast", "bcast_as_scatter_allgather",
                                 "a scatter of the padded vector, then an allgather",
                                 run_scatter_allgather, padded_memory}),
  };
}

}  // namespace tutti::algorithms::guidelines
