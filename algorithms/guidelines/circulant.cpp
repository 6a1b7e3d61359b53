// SPDX-License-Identifier: BSD-3-Clause
// The mock-ups over circulant graphs: the algorithms `circulant` of the registry
// (algorithms/circulant.hpp). PGMPITuneLib takes them from a library of TU Wien that is not public;
// reduce_scatter_circulant is read as R1 with that algorithm, schedule_bcast as the broadcast of n
// blocks, here of 128 KiB.
#include "algorithms/circulant.hpp"

#include "algorithms/allgather/allgather.hpp"
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/guidelines/mockups.hpp"
#include "algorithms/guidelines/run_call.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/reduction.hpp"

namespace tutti::algorithms::guidelines {
namespace {

InnerCall make_call(const Algorithm& entry, const CollectiveArgs& args) {
  const Algorithm& algorithm = registered(entry);
  InnerCall call{.collective = algorithm.collective,
                 .args = rooted_args(args, args.message_bytes),
                 .algorithm = &algorithm};
  call.args.segment_bytes = algorithm.default_segment;
  return call;
}

template <const Algorithm* algorithm>
InnerCall1 on_graph(const CollectiveArgs& args, int /*procs*/) {
  return {make_call(*algorithm, args)};
}

InnerCall1 reduce_scatter_to_root(const CollectiveArgs& args, int procs) {
  InnerCall call =
      with_counts(make_call(reduce_scatter::circulant, args), counts_at_root(args, procs));
  call.args.root = 0;
  return {call};
}

InnerCalls redscatter_allgatherv(const CollectiveArgs& args, int procs) {
  const auto counts = chunked_counts(args, procs);
  InnerCall gathered = with_counts(make_call(allgatherv::circulant, args), counts);
  gathered.args.message_bytes = args.message_bytes / procs;
  return {with_counts(make_call(reduce_scatter::circulant, args), counts), gathered};
}

template <auto make_calls>
Mockup graph_mockup(const MockupRow& row, std::string_view library = circulant_library) {
  Mockup own = mockup<make_calls>(row);
  own.library = library;
  own.algorithm.reference = "Traeff, arXiv 2410.14234, 2024";
  if (!find_collective(own.algorithm.collective)->reduces) return own;
  own.algorithm.restriction = reduction::needs_commutative;
  own.algorithm.runs = reduction::is_commutative;
  return own;
}

}  // namespace

std::vector<Mockup> circulant_mockups() {
  return {
      graph_mockup<on_graph<&allgather::circulant>>({"R5"}),
      graph_mockup<on_graph<&allreduce::circulant>>({"R8"}),
      graph_mockup<on_graph<&bcast::circulant>>({"R13"}, schedule_library),
      graph_mockup<on_graph<&reduce::circulant>>({"R18"}),
      graph_mockup<reduce_scatter_to_root>({"R19"}),
      graph_mockup<on_graph<&reduce_scatter_block::circulant>>({"R22"}),
      graph_mockup<redscatter_allgatherv>({"R9", run_through_buffer<redscatter_allgatherv>}),
  };
}

}  // namespace tutti::algorithms::guidelines
