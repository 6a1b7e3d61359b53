// SPDX-License-Identifier: BSD-3-Clause
// Rabenseifner's reduction: after vector halving with distance doubling, each rank has its part of
// the result; then the parts are gathered in reverse order, and each rank sends once. A root that
// the fold dropped replaces rank 0, which sends its part to the root first. Fewer elements than
// ranks in the fold, or a non-commutative operation: linear. Derived: halve_vector, then hop(m /
// 2^s) for s = floor(log2 P) .. 1, and one hop for a dropped root.
#include "algorithms/reduce/reduce.hpp"
#include "algorithms/reduction.hpp"
#include "algorithms/vector_halving.hpp"

namespace tutti::algorithms {
namespace {

// The root's position in the fold, and the ranks at the fold's positions.
struct Seat {
  Fold fold;
  RankId root;

  bool dropped() const { return !fold.stays(root); }
  RankId number() const { return dropped() ? 0 : fold.number(root); }
  // The rank at number v during the gather.
  RankId rank(RankId v) const { return v == 0 && dropped() ? root : fold.rank(v); }
};

// Receives parts until the step in which the partner is closer to the root, then sends all parts.
Task gather_parts(Rank& me, VectorHalves halves, Seat seat, RankId v) {
  for (int step = seat.fold.steps() - 1; step >= 0; --step) {
    const RankId partner = v ^ (RankId{1} << step);
    if (partner >> step == seat.number() >> step) {
      co_await me.send({.to = seat.rank(partner), .data = halves.kept(v, step)});
      co_return;
    }
    co_await me.recv({.from = seat.rank(partner), .data = halves.sent(v, step)});
  }
}

Task halve_and_gather(Rank& me, CollectiveArgs args) {
  const std::int32_t buffer = me.id() == args.root ? runtime::recv_buffer : runtime::scratch_buffer;
  co_await halve_vector(me, args, buffer);
  const Seat seat{rabenseifner_fold(me.size()), args.root};
  const VectorHalves halves(args, buffer);
  const auto part_of_0 = halves.kept(0, seat.fold.steps() - 1);
  if (seat.dropped() && me.id() == 0) {
    co_await me.send({.to = seat.root, .data = part_of_0});
  } else if (me.id() == seat.root) {
    if (seat.dropped()) co_await me.recv({.from = 0, .data = part_of_0});
    co_await gather_parts(me, halves, seat, seat.number());
  } else if (seat.fold.stays(me.id())) {
    co_await gather_parts(me, halves, seat, seat.fold.number(me.id()));
  }
}

Task reduce_rabenseifner(Rank& me, CollectiveArgs args) {
  return can_halve_vector(args, me.size()) ? halve_and_gather(me, args) : reduce_linear(me, args);
}

bool root_is_dropped(const ModelArgs& args) {
  return Seat{rabenseifner_fold(args.procs), args.call.root}.dropped();
}

Seconds reduce_rabenseifner_cost(const ModelArgs& args, const models::MessageCost& cost) {
  if (!can_halve_vector(args.call, args.procs)) return reduce_linear_cost(args, cost);
  const VectorHalves halves(args.call, runtime::recv_buffer);
  const int steps = rabenseifner_fold(args.procs).steps();
  Seconds total_s = halve_vector_cost(args, cost);
  if (root_is_dropped(args)) total_s += cost.hop(halves.kept(0, steps - 1).bytes);
  for (int step = 0; step < steps; ++step) total_s += cost.hop(halves.longest_bytes(step));
  return total_s;
}

std::int64_t reduce_rabenseifner_messages(const ModelArgs& args) {
  if (!can_halve_vector(args.call, args.procs)) return reduce_linear_messages(args);
  return halve_vector_messages(args) + rabenseifner_fold(args.procs).size() - 1 +
         (root_is_dropped(args) ? 1 : 0);
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
