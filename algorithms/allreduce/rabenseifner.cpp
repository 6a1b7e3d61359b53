// SPDX-License-Identifier: BSD-3-Clause
// Rabenseifner's allreduce: after vector halving with distance doubling, each rank has its part of
// the result; then the same exchanges in reverse order distribute all parts. Non-commutative
// operation: basic_linear; up to Open MPI 5.0 also if there are fewer elements than ranks in the
// fold. Open MPI's main branch (7a1a4e69e3) then sends empty parts. Derived: halve_vector, then
// exchange(m / 2^s) for s = floor(log2 P) .. 1 and, if P is not a power of two, hop(m) to the ranks
// that dropped out.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/allreduce/double_parts.hpp"
#include "algorithms/vector_halving.hpp"

namespace tutti::algorithms {
namespace {

Task halve_and_double(Rank& me, CollectiveArgs args) {
  co_await halve_vector(me, args, runtime::recv_buffer);
  co_await double_parts(me, VectorHalves(args, runtime::recv_buffer), rabenseifner_fold(me.size()));
}

Seconds halve_and_double_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return cost_with_doubling(halve_vector_cost(args, cost),
                            VectorHalves(args.call, runtime::recv_buffer),
                            rabenseifner_fold(args.procs), cost);
}

std::int64_t halve_and_double_messages(const ModelArgs& args) {
  return halve_vector_messages(args) + double_parts_messages(rabenseifner_fold(args.procs));
}

template <auto applies>
using HalveOrElse = OrElse<applies, halve_and_double, halve_and_double_cost,
                           halve_and_double_messages, allreduce::basic_linear>;
using Rabenseifner = HalveOrElse<can_halve_vector>;
using RedscatAllgather = HalveOrElse<commutes>;

}  // namespace

const Algorithm allreduce::rabenseifner{
    .restriction = "a commutative operation, at least 2^floor(log2 P) elements",
    .program = reduction::program<Rabenseifner::program>,
    .cost = reduction::cost<Rabenseifner::cost>,
    .messages = reduction::messages<Rabenseifner::messages>,
    .falls_back_to = Rabenseifner::falls_back_to,
};

const Algorithm allreduce::redscat_allgather{
    .restriction = reduction::needs_commutative,
    .program = reduction::program<RedscatAllgather::program>,
    .cost = reduction::cost<RedscatAllgather::cost>,
    .messages = reduction::messages<RedscatAllgather::messages>,
    .falls_back_to = RedscatAllgather::falls_back_to,
};

}  // namespace tutti::algorithms
