// SPDX-License-Identifier: BSD-3-Clause
// Barrier of two processes, which exchange messages.
//   Derived: one exchange, Hockney l, LogGP o + max(g, L+o)

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

Task barrier_two_proc(Rank& me, CollectiveArgs /*args*/) {
  const RankId other = two_proc::other(me);
  co_await me.sendrecv({.to = other, .from = other});
}

Seconds barrier_two_proc_cost(const ModelArgs& /*args*/, const models::MessageCost& cost) {
  return cost.exchange(0);
}

}  // namespace

const Algorithm barrier::two_proc{
    .restriction = algorithms::two_proc::restriction,
    .program = barrier_two_proc,
    .cost = barrier_two_proc_cost,
    .messages = algorithms::two_proc::messages,
    .runs = algorithms::two_proc::runs,
};

}  // namespace tutti::algorithms
