// SPDX-License-Identifier: BSD-3-Clause
// HAN's barrier: a barrier inside the nodes, one among their first ranks, and one inside the nodes
// again, all by coll/tuned.
//   Derived: 2 low + up
#include "algorithms/han/levels.hpp"

namespace tutti::algorithms::han {
namespace {

constexpr LevelCall barrier_call{.collective = "barrier"};

Task barrier_inside(Rank& me, CollectiveArgs args) {
  Nested low(me, Place(me, args).low());
  co_await run_low(low.rank(), args, barrier_call);
}

Task run_barrier(Rank& me, CollectiveArgs args) {
  const Place at(me, args);
  co_await barrier_inside(me, args);
  if (at.is_peer()) {
    Up up(me, at);
    co_await run_up(up.rank(), args, barrier_call);
  }
  co_await barrier_inside(me, args);
}

Seconds barrier_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return 2 * low_cost(args, barrier_call, cost) + up_cost(args, barrier_call, cost);
}

std::int64_t barrier_messages(const ModelArgs& args) {
  return 2 * low_messages(args, barrier_call) + up_messages(args, barrier_call);
}

std::string barrier_made_of(const ModelArgs& args) {
  return low_name(args, barrier_call) + "; " + up_name(args, barrier_call);
}

}  // namespace

const Algorithm barrier = on_nodes({
    .program = run_barrier,
    .cost = barrier_cost,
    .messages = barrier_messages,
    .made_of = barrier_made_of,
});

}  // namespace tutti::algorithms::han
