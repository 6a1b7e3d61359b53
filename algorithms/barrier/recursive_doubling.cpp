// SPDX-License-Identifier: BSD-3-Clause
// Barrier by recursive doubling: in step d = 1, 2, 4, ... the ranks below the largest power of two
// F <= P exchange messages with rank xor d. Each rank >= F first reports to rank - F, which
// releases it at the end.
//   Derived: log2(F) exchanges, and two hops more if P > F:
//   Hockney log2(F) l (+ 2 l), LogGP log2(F) (o + max(g, L+o)) (+ 2 (L + 2 o))

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

// F for `procs` processes, and the number of ranks >= F.
struct Folded {
  std::int64_t power;
  std::int64_t rest;
  explicit Folded(int procs)
      : power(static_cast<std::int64_t>(std::bit_floor(static_cast<unsigned>(procs)))),
        rest(procs - power) {}
  int steps() const { return std::bit_width(static_cast<std::uint64_t>(power)) - 1; }
};

Task swap_with(Rank& me, std::int64_t partner) {
  const auto other = static_cast<RankId>(partner);
  co_await me.sendrecv({.to = other, .from = other});
}

Task barrier_recursive_doubling(Rank& me, CollectiveArgs /*args*/) {
  const Folded folded(me.size());
  if (me.id() >= folded.power) {
    co_await swap_with(me, me.id() - folded.power);
    co_return;
  }
  const auto above = static_cast<RankId>(me.id() + folded.power);
  if (me.id() < folded.rest) co_await me.recv({.from = above});
  for (std::int64_t distance = 1; distance < folded.power; distance *= 2)
    co_await swap_with(me, me.id() ^ distance);
  if (me.id() < folded.rest) co_await me.send({.to = above});
}

Seconds barrier_recursive_doubling_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Folded folded(args.procs);
  return folded.steps() * cost.exchange(0) + (folded.rest > 0 ? 2 * cost.hop(0) : 0);
}

std::int64_t barrier_recursive_doubling_messages(const ModelArgs& args) {
  const Folded folded(args.procs);
  return folded.power * folded.steps() + 2 * folded.rest;
}

}  // namespace

const Algorithm barrier::recursive_doubling{
    .program = barrier_recursive_doubling,
    .cost = barrier_recursive_doubling_cost,
    .messages = barrier_recursive_doubling_messages,
};

}  // namespace tutti::algorithms
