// SPDX-License-Identifier: BSD-3-Clause
// Segmented ring allreduce: like ring, but the blocks are divided into pieces of about a segment,
// which travel around the ring in separate phases; then one allgather of the whole blocks. Less
// than one segment per rank: ring. Derived: for each phase (P-1) (hop + combine) of its piece, then
// (P-1) hop(m/P).
#include "algorithms/allreduce/ring_allgather.hpp"

namespace tutti::algorithms {
namespace {

// Number of phases; 0 if the vector is too short.
std::int64_t phases_of(const CollectiveArgs& args, int procs) {
  const Bytes round = procs * segments_of(args).longest_bytes();  // one segment per rank
  const std::int64_t phases = args.message_bytes / round;
  const std::int64_t rest = args.message_bytes % round / args.element_bytes;
  const std::int64_t half_round = round / args.element_bytes / 2;
  return phases > 0 && rest >= procs && rest > half_round ? phases + 1 : phases;
}

Task allreduce_segmented_ring(Rank& me, CollectiveArgs args) {
  const std::int64_t phases = phases_of(args, me.size());
  return phases == 0 ? allreduce_ring(me, args) : ring_phases_and_allgather(me, args, phases);
}

Seconds allreduce_segmented_ring_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const std::int64_t phases = phases_of(args.call, args.procs);
  return phases == 0 ? allreduce_ring_cost(args, cost) : ring_phases_cost(args, phases, cost);
}

std::int64_t allreduce_segmented_ring_messages(const ModelArgs& args) {
  const std::int64_t phases = phases_of(args.call, args.procs);
  return phases == 0 ? allreduce_ring_messages(args) : ring_phases_messages(args, phases);
}

bool has_data(const ModelArgs& args) { return !reduction::is_trivial(args.procs, args.call); }

std::string_view allreduce_segmented_ring_fallback(const ModelArgs& args) {
  if (has_data(args) && phases_of(args.call, args.procs) > 0) return "";
  const std::string_view further = allreduce_ring_fallback(args);
  return further.empty() ? "ring" : further;
}

std::vector<StepPhase> allreduce_segmented_ring_steps(const ModelArgs& args) {
  const std::int64_t phases = phases_of(args.call, args.procs);
  return phases == 0 ? allreduce_ring_steps(args) : ring_phases_steps(args, phases);
}

}  // namespace

const Algorithm allreduce::segmented_ring{
    .segmented = true,
    .restriction = "a commutative operation, at least one segment per process",
    .program = reduction::program<allreduce_segmented_ring>,
    .cost = reduction::cost<allreduce_segmented_ring_cost>,
    .messages = reduction::messages<allreduce_segmented_ring_messages>,
    .falls_back_to = allreduce_segmented_ring_fallback,
    .runs = allreduce_ring_runs,
    .steps = reduction::steps<allreduce_segmented_ring_steps>,
};

}  // namespace tutti::algorithms
