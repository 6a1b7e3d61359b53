// SPDX-License-Identifier: BSD-3-Clause
// The mock-ups over circulant graphs: the algorithms `circulant` of the registry
// (algorithms/circulant.hpp). PGMPITuneLib takes them from a library of TU Wien that is not public;
// reduce_scatter_circulant is read as R1 with that algorithm, schedule_bcast as the broadcast of n
// blocks, here of 128 KiB.
#include "algorithms/circulant.hpp"

#include "algorithms/allgather/allgather.hpp"
#include "algorithms/allgatherv/allgatherv.hpp"
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/guidelines/mockups.hpp"
#include "algorithms/guidelines/run_call.hpp"
#include "algorithms/reduce/reduce.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/reduction.hpp"

namespace tutti::algorithms::guidelines {
namespace {

InnerCall call_of(const Algorithm& algorithm, const CollectiveArgs& args) {
  InnerCall call{.collective = algorithm.collective,
                 .args = inner_args(args, args.message_bytes),
                 .algorithm = &algorithm};
  call.args.root = args.root;
  call.args.segment_bytes = algorithm.default_segment;
  return call;
}

template <const Algorithm* algorithm>
InnerCall1 on_graph(const CollectiveArgs& args, int /*procs*/) {
  return {call_of(*algorithm, args)};
}

InnerCall1 reduce_scatter_to_root(const CollectiveArgs& args, int procs) {
  InnerCall call = call_of(reduce_scatter::circulant, args);
  call.counts = counts_at_root(args, procs);
  call.args.counts = call.counts.get();
  call.args.root = 0;
  return {call};
}

InnerCalls redscatter_allgatherv(const CollectiveArgs& args, int procs) {
  InnerCall scattered = call_of(reduce_scatter::circulant, args);
  InnerCall gathered = call_of(allgatherv::circulant, args);
  scattered.counts = gathered.counts = chunked_counts(args, procs);
  scattered.args.counts = gathered.args.counts = scattered.counts.get();
  gathered.args.message_bytes = args.message_bytes / procs;
  return {scattered, gathered};
}

Task run_redscatter_allgatherv(Rank& me, CollectiveArgs args) {
  const auto calls = redscatter_allgatherv(args, me.size());
  const Slice own{.buffer = first_buffer};
  co_await run_call(me, calls[0], {.recv = own});
  co_await run_call(me, calls[1], {.send = own});
}

template <auto calls_of>
Algorithm made_of_graphs(Algorithm algorithm) {
  algorithm = made_of_calls<calls_of>(algorithm);
  algorithm.reference = circulant::round_reference;
  if (!find_collective(algorithm.collective)->reduces) return algorithm;
  algorithm.restriction = reduction::needs_commutative;
  algorithm.runs = reduction::is_commutative;
  return algorithm;
}

}  // namespace

const Mockup allgather_as_allgather_circulant{
    .guideline = "R5",
    .id = 8,
    .library = circulant_library,
    .algorithm = made_of_graphs<on_graph<&allgather::circulant>>(
        {.collective = "allgather",
         .name = "allgather_as_allgather_circulant",
         .summary = "the allgather circulant",
         .program = run_in_turn<on_graph<&allgather::circulant>>}),
    .calls = listed<on_graph<&allgather::circulant>>,
    .extra = no_memory,
};
const Mockup allreduce_as_allreduce_circulant{
    .guideline = "R8",
    .id = 6,
    .library = circulant_library,
    .algorithm = made_of_graphs<on_graph<&allreduce::circulant>>(
        {.collective = "allreduce",
         .name = "allreduce_as_allreduce_circulant",
         .summary = "the allreduce circulant",
         .program = run_in_turn<on_graph<&allreduce::circulant>>}),
    .calls = listed<on_graph<&allreduce::circulant>>,
    .extra = no_memory,
};
const Mockup bcast_as_schedule_bcast{
    .guideline = "R13",
    .id = 5,
    .library = schedule_library,
    .algorithm = made_of_graphs<on_graph<&bcast::circulant>>(
        {.collective = "bcast",
         .name = "bcast_as_schedule_bcast",
         .summary = "the broadcast circulant of blocks of 128 KiB",
         .program = run_in_turn<on_graph<&bcast::circulant>>}),
    .calls = listed<on_graph<&bcast::circulant>>,
    .extra = no_memory,
};
const Mockup reduce_as_reduce_circulant{
    .guideline = "R18",
    .id = 7,
    .library = circulant_library,
    .algorithm = made_of_graphs<on_graph<&reduce::circulant>>(
        {.collective = "reduce",
         .name = "reduce_as_reduce_circulant",
         .summary = "the reduction circulant",
         .program = run_in_turn<on_graph<&reduce::circulant>>}),
    .calls = listed<on_graph<&reduce::circulant>>,
    .extra = no_memory,
};
const Mockup reduce_as_reduce_scatter_circulant{
    .guideline = "R19",
    .id = 8,
    .library = circulant_library,
    .algorithm = made_of_graphs<reduce_scatter_to_root>(
        {.collective = "reduce",
         .name = "reduce_as_reduce_scatter_circulant",
         .summary = "the reduce_scatter circulant, with the whole vector for the root",
         .program = run_in_turn<reduce_scatter_to_root>}),
    .calls = listed<reduce_scatter_to_root>,
    .extra = no_memory,
};
const Mockup reducescatterblock_as_reducescatterblock_circulant{
    .guideline = "R22",
    .id = 6,
    .library = circulant_library,
    .algorithm = made_of_graphs<on_graph<&reduce_scatter_block::circulant>>(
        {.collective = "reduce_scatter_block",
         .name = "reducescatterblock_as_reducescatterblock_circulant",
         .summary = "the reduce_scatter_block circulant",
         .program = run_in_turn<on_graph<&reduce_scatter_block::circulant>>}),
    .calls = listed<on_graph<&reduce_scatter_block::circulant>>,
    .extra = no_memory,
};
const Mockup allreduce_as_allreduce_redscatter_allgatherv_circulant{
    .guideline = "R9",
    .id = 7,
    .library = circulant_library,
    .algorithm = made_of_graphs<redscatter_allgatherv>(
        {.collective = "allreduce",
         .name = "allreduce_as_allreduce_redscatter_allgatherv_circulant",
         .summary = "reduce_scatter and allgatherv circulant, of chunks of 4 elements",
         .program = run_redscatter_allgatherv}),
    .calls = listed<redscatter_allgatherv>,
    .extra = no_memory,
};

}  // namespace tutti::algorithms::guidelines
