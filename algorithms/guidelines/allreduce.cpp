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

}  // namespace

std::vector<Mockup> allreduce_mockups() {
  return {
      mockup<reduce_bcast>({"GL5", 1, "allreduce", "allreduce_as_reduce_bcast",
                            "a reduction to rank 0, then a broadcast"}),
      mockup<block_allgather>({"GL6", 2, "allreduce", "allreduce_as_reducescatterblock_allgather",
                               "a reduce_scatter_block of the padded vector, then an allgather",
                               run_padded<block_allgather>, padded_memory}),
      mockup<scatter_allgatherv>(
          {"GL7", 3, "allreduce", "allreduce_as_reducescatter_allgatherv",
           "a reduce_scatter of chunks of 4 elements, then an in-place allgatherv",
           run_scatter_allgatherv, count_vectors<2>}),
  };
}

}  // namespace tutti::algorithms::guidelines
