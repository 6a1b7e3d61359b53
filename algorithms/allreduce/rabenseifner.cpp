// SPDX-License-Identifier: BSD-3-Clause
// Rabenseifner's allreduce: after vector halving with distance doubling, each rank has its part of
// the result; then the same exchanges in reverse order distribute all parts. Fewer elements than
// ranks in the fold, or a non-commutative operation: basic_linear. Derived: halve_vector, then
// exchange(m / 2^s) for s = floor(log2 P) .. 1 and, if P is not a power of two, hop(m) to the ranks
// that dropped out.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/reduction.hpp"
#include "algorithms/vector_halving.hpp"

namespace tutti::algorithms {
namespace {

Task halve_and_double(Rank& me, CollectiveArgs args) {
  co_await halve_vector(me, args, runtime::recv_buffer);
  const Fold fold = rabenseifner_fold(me.size());
  const VectorHalves halves(args, runtime::recv_buffer);
  if (!fold.stays(me.id())) {
    co_await me.recv({.from = me.id() - 1, .data = halves.whole()});
    co_return;
  }
  const RankId v = fold.number(me.id());
  for (int step = fold.steps() - 1; step >= 0; --step) {
    const RankId partner = fold.rank(v ^ (RankId{1} << step));
    co_await me.sendrecv({.to = partner,
                          .send = halves.kept(v, step),
                          .from = partner,
                          .recv = halves.sent(v, step)});
  }
  if (fold.in_pair(me.id())) co_await me.send({.to = me.id() + 1, .data = halves.whole()});
}

Task allreduce_rabenseifner(Rank& me, CollectiveArgs args) {
  return can_halve_vector(args, me.size()) ? halve_and_double(me, args)
                                           : allreduce_basic_linear(me, args);
}

Seconds allreduce_rabenseifner_cost(const ModelArgs& args, const models::MessageCost& cost) {
  if (!can_halve_vector(args.call, args.procs)) return allreduce_basic_linear_cost(args, cost);
  const Fold fold = rabenseifner_fold(args.procs);
  const VectorHalves halves(args.call, runtime::recv_buffer);
  Seconds total_s = halve_vector_cost(args, cost);
  for (int step = 0; step < fold.steps(); ++step)
    total_s += cost.exchange(halves.longest_bytes(step));
  return total_s + (fold.pairs() > 0 ? cost.hop(args.call.message_bytes) : 0);
}

std::int64_t allreduce_rabenseifner_messages(const ModelArgs& args) {
  if (!can_halve_vector(args.call, args.procs)) return allreduce_basic_linear_messages(args);
  const Fold fold = rabenseifner_fold(args.procs);
  return halve_vector_messages(args) + std::int64_t{fold.size()} * fold.steps() + fold.pairs();
}

std::string_view allreduce_rabenseifner_fallback(const ModelArgs& args) {
  return can_halve_vector(args.call, args.procs) ? "" : "basic_linear";
}

}  // namespace

const Algorithm allreduce::rabenseifner{
    .collective = "allreduce",
    .name = "rabenseifner",
    .id = 6,
    .restriction = "a commutative operation, at least 2^floor(log2 P) elements",
    .reference = "Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005",
    .summary = "reduce_scatter by recursive halving, then allgather by recursive doubling",
    .program = reduction::program<allreduce_rabenseifner>,
    .cost = reduction::cost<allreduce_rabenseifner_cost>,
    .messages = reduction::messages<allreduce_rabenseifner_messages>,
    .falls_back_to = allreduce_rabenseifner_fallback,
};

}  // namespace tutti::algorithms
