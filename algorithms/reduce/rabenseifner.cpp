// SPDX-License-Identifier: BSD-3-Clause
// Rabenseifner's reduction: after vector halving with distance doubling, each rank has its part of
// the result; then the parts are gathered in reverse order, and each rank sends once. A root that
// the fold dropped replaces rank 0, which sends its part to the root first. Fewer elements than
// ranks in the fold, or a non-commutative operation: linear. Derived: halve_vector, then hop(m /
// 2^s) for s = floor(log2 P) .. 1, and one hop for a dropped root.
#include "algorithms/reduce/gather_parts.hpp"
#include "algorithms/reduce/reduce.hpp"
#include "algorithms/reduction.hpp"
#include "algorithms/vector_halving.hpp"

namespace tutti::algorithms {
namespace {

Task halve_and_gather(Rank& me, CollectiveArgs args) {
  const std::int32_t buffer = me.id() == args.root ? runtime::recv_buffer : runtime::scratch_buffer;
  co_await halve_vector(me, args, buffer);
  co_await gather_to_root(me, VectorHalves(args, buffer),
                          {rabenseifner_fold(me.size()), args.root});
}

Task reduce_rabenseifner(Rank& me, CollectiveArgs args) {
  return can_halve_vector(args, me.size()) ? halve_and_gather(me, args) : reduce_linear(me, args);
}

Seat seat_of(const ModelArgs& args) { return {rabenseifner_fold(args.procs), args.call.root}; }

Seconds reduce_rabenseifner_cost(const ModelArgs& args, const models::MessageCost& cost) {
  if (!can_halve_vector(args.call, args.procs)) return reduce_linear_cost(args, cost);
  return with_gather_to_root(halve_vector_cost(args, cost),
                             VectorHalves(args.call, runtime::recv_buffer), seat_of(args), cost);
}

std::int64_t reduce_rabenseifner_messages(const ModelArgs& args) {
  if (!can_halve_vector(args.call, args.procs)) return reduce_linear_messages(args);
  return halve_vector_messages(args) + gather_to_root_messages(seat_of(args));
}

std::string_view reduce_rabenseifner_fallback(const ModelArgs& args) {
  return can_halve_vector(args.call, args.procs) ? "" : "linear";
}

}  // namespace

const Algorithm reduce::rabenseifner{
    .collective = "reduce",
    .name = "rabenseifner",
    .id = 7,
    .restriction = "a commutative operation, at least 2^floor(log2 P) elements",
    .reference = "Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005",
    .summary = "reduce_scatter by recursive halving, then a binomial gather to the root",
    .program = reduction::program<reduce_rabenseifner>,
    .cost = reduction::cost<reduce_rabenseifner_cost>,
    .messages = reduction::messages<reduce_rabenseifner_messages>,
    .falls_back_to = reduce_rabenseifner_fallback,
};

}  // namespace tutti::algorithms
