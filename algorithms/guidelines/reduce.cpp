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
  return {{{"reduce_scatter_block", block}, {"gather", rooted_args(args, block.message_bytes)}}};
}
InnerCalls scatter_gatherv(const CollectiveArgs& args, int procs) {
  const auto counts = chunked_counts(args, procs);
  return {with_counts({"reduce_scatter", inner_args(args, args.message_bytes)}, counts),
          with_counts({"gatherv", rooted_args(args, args.message_bytes / procs)}, counts)};
}
InnerCall1 scatter(const CollectiveArgs& args, int procs) {
  return {with_counts({"reduce_scatter", inner_args(args, args.message_bytes)},
                      counts_at_root(args, procs))};
}

ExtraMemory part_and_vectors(const CollectiveArgs& args, int procs) {
  const std::int64_t elements = args.message_bytes / args.element_bytes;
  const std::int64_t most = (elements / (chunk_elements * procs) + 1) * chunk_elements;
  return {.message_bytes = most * args.element_bytes,
          .int_bytes = count_vectors<2>(args, procs).int_bytes};
}

}  // namespace

std::vector<Mockup> reduce_mockups() {
  return {
      mockup<allreduce>({"GL14", 1, "reduce", "reduce_as_allreduce",
                         "an allreduce whose result all ranks but the root discard",
                         run_for_root<allreduce>, one_message}),
      mockup<block_gather>({"GL15", 2, "reduce", "reduce_as_reducescatterblock_gather",
                            "a reduce_scatter_block of the padded vector, then a gather",
                            run_padded<block_gather>, padded_memory}),
      mockup<scatter_gatherv>({"GL16", 3, "reduce", "reduce_as_reducescatter_gatherv",
                               "a reduce_scatter of chunks of 4 elements, then a gatherv",
                               run_through_buffer<scatter_gatherv>, part_and_vectors}),
      mockup<scatter>({"R1", 4, "reduce", "reduce_as_reducescatter",
                       "a reduce_scatter that assigns the whole vector to the root", nullptr,
                       count_vectors<1>}),
  };
}

}  // namespace tutti::algorithms::guidelines
