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
  return {{{"gatherv", rooted_args(args, args.message_bytes)}}};
}
InnerCall1 reduce(const CollectiveArgs& args, int procs) {
  CollectiveArgs reduced = or_args(args, procs * args.message_bytes);
  reduced.root = args.root;
  return {{{"reduce", reduced}}};
}

}  // namespace

std::vector<Mockup> gather_mockups() {
  return {
      mockup<allgather>({"GL11", 1, "gather", "gather_as_allgather",
                         "an allgather whose result all ranks but the root discard",
                         run_for_root<allgather>, message_of_each}),
      mockup<gatherv>({"GL12", 2, "gather", "gather_as_gatherv", "a gatherv with equal counts",
                       nullptr, count_vectors<2>}),
      mockup<reduce>({"GL13", 3, "gather", "gather_as_reduce",
                      "a vector of zeros and the own block, then a reduction by bitwise or",
                      run_on_own_block<reduce>, message_of_each}),
  };
}

}  // namespace tutti::algorithms::guidelines
