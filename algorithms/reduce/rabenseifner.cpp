// SPDX-License-Identifier: BSD-3-Clause
// Rabenseifner's reduction: after vector halving with distance doubling, each rank has its part of
// the result; then the parts are gathered in reverse order, and each rank sends once. A root that
// the fold dropped replaces rank 0, which sends its part to the root first. Fewer elements than
// ranks in the fold, or a non-commutative operation: linear. Derived: halve_vector, then hop(m /
// 2^s) for s = floor(log2 P) .. 1, and one hop for a dropped root.
#include "algorithms/algorithm.hpp"
#include "algorithms/reduce/gather_parts.hpp"
#include "algorithms/vector_halving.hpp"

namespace tutti::algorithms {
namespace {

Task halve_and_gather(Rank& me, CollectiveArgs args) {
  const std::int32_t buffer = me.id() == args.root ? runtime::recv_buffer : runtime::scratch_buffer;
  co_await halve_vector(me, args, buffer);
  co_await gather_to_root(me, VectorHalves(args, buffer),
                          {rabenseifner_fold(me.size()), args.root});
}

Seat seat_of(const ModelArgs& args) { return {rabenseifner_fold(args.procs), args.call.root}; }

Seconds halve_and_gather_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return with_gather_to_root(halve_vector_cost(args, cost),
                             VectorHalves(args.call, runtime::recv_buffer), seat_of(args), cost);
}

std::int64_t halve_and_gather_messages(const ModelArgs& args) {
  return halve_vector_messages(args) + gather_to_root_messages(seat_of(args));
}

using RabenseifnerToRoot = OrElse<can_halve_vector, halve_and_gather, halve_and_gather_cost,
                                  halve_and_gather_messages, reduce::linear>;

}  // namespace

const Algorithm reduce::rabenseifner{
    .restriction = "a commutative operation, at least 2^floor(log2 P) elements",
    .program = reduction::program<RabenseifnerToRoot::program>,
    .cost = reduction::cost<RabenseifnerToRoot::cost>,
    .messages = reduction::messages<RabenseifnerToRoot::messages>,
    .falls_back_to = RabenseifnerToRoot::falls_back_to,
};

}  // namespace tutti::algorithms
