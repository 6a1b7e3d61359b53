// SPDX-License-Identifier: BSD-3-Clause
// Ring allreduce: blocks of m/P travel around a ring twice: in the first round every rank combines
// them with its own block, in the second round they are distributed. Fewer elements than ranks:
// recursive_doubling. Derived: (P-1) (hop(m/P) + combine(m/P)), then Table 4.1's allgather ring,
// (P-1) hop(m/P).
#include "algorithms/allreduce/ring_allgather.hpp"

namespace tutti::algorithms {

namespace {

bool too_few_for_a_ring(const CollectiveArgs& args, int procs) {
  return elements_in(args.message_bytes, args.element_bytes) < procs;
}

}  // namespace

Task allreduce_ring(Rank& me, CollectiveArgs args) {
  return too_few_for_a_ring(args, me.size()) ? allreduce_recursive_doubling(me, args)
                                             : ring_phases_and_allgather(me, args, 1);
}

Seconds allreduce_ring_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return too_few_for_a_ring(args.call, args.procs) ? allreduce_recursive_doubling_cost(args, cost)
                                                   : ring_phases_cost(args, 1, cost);
}

std::int64_t allreduce_ring_messages(const ModelArgs& args) {
  return too_few_for_a_ring(args.call, args.procs) ? allreduce_recursive_doubling_messages(args)
                                                   : ring_phases_messages(args, 1);
}

std::string_view allreduce_ring_fallback(const ModelArgs& args) {
  return too_few_for_a_ring(args.call, args.procs) ? "recursive_doubling" : "";
}

bool allreduce_ring_runs(const ModelArgs& args) {
  return args.call.commutative || too_few_for_a_ring(args.call, args.procs);
}

std::vector<StepPhase> allreduce_ring_steps(const ModelArgs& args) {
  if (too_few_for_a_ring(args.call, args.procs)) return {};
  return ring_phases_steps(args, 1);
}

const Algorithm allreduce::ring{
    .restriction = "a commutative operation, at least one element per process",
    .program = reduction::program<allreduce_ring>,
    .cost = reduction::cost<allreduce_ring_cost>,
    .messages = reduction::messages<allreduce_ring_messages>,
    .falls_back_to = allreduce_ring_fallback,
    .runs = allreduce_ring_runs,
    .steps = reduction::steps<allreduce_ring_steps>,
};

}  // namespace tutti::algorithms
