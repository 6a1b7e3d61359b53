// SPDX-License-Identifier: BSD-3-Clause
// Two-level barrier: empty messages go up to each group's leader, the leaders run a barrier, and
// empty messages go down again, over a flat tree (up=linear, the default) or a binomial tree
// (up=tree). Cost: a flat tree takes n-1 receives and n-1 sends of the leader, a binomial tree
// ceil(log2 n) hops in each direction, where n is the size of the largest group; plus the leaders'
// barrier.

#include "algorithms/algorithm.hpp"
#include "algorithms/hierarchical/hierarchy.hpp"
#include "algorithms/trees.hpp"

namespace tutti::algorithms::hierarchical {
namespace {

bool is_flat(const Hierarchy& hierarchy) {
  const Algorithm* requested = hierarchy.levels().up.algorithm;
  return requested == nullptr || requested->name == "linear";
}

trees::Node place_of(const Hierarchy& hierarchy, const Rank& me) {
  if (!is_flat(hierarchy)) return trees::balanced_binomial(trees::position_of(me, 0));
  if (me.id() != 0) return {.parent = 0, .children = {}};
  trees::Node root;
  for (RankId rank = 1; rank < me.size(); ++rank) root.children.push_back(rank);
  return root;
}

Task enter(Rank& me, trees::Node place) {
  std::vector<Request> arrivals;
  for (const RankId child : place.children) arrivals.push_back(me.irecv({.from = child}));
  co_await me.wait_all(arrivals);
  if (place.parent != trees::no_parent) co_await me.send({.to = place.parent});
}

Task leave(Rank& me, trees::Node place) {
  if (place.parent != trees::no_parent) co_await me.recv({.from = place.parent});
  std::vector<Request> sends;
  for (const RankId child : place.children) sends.push_back(me.isend({.to = child}));
  co_await me.wait_all(sends);
}

Task run_barrier(Rank& me, CollectiveArgs args) {
  const Hierarchy& hierarchy = *args.hierarchy;
  Nested inside(me, inside_group(hierarchy, me));
  const trees::Node place = place_of(hierarchy, inside.rank());
  co_await enter(inside.rank(), place);
  if (is_leader(hierarchy, me)) {
    Nested leaders(me, among_leaders(hierarchy, me));
    co_await run_level(hierarchy.levels().inter, leaders.rank(), args, 0);
  }
  co_await leave(inside.rank(), place);
}

Seconds cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Hierarchy& hierarchy = *args.call.hierarchy;
  const auto largest = hierarchy.largest_group();
  const Seconds among_s = cost_among_leaders(args, 0, cost);
  if (largest == 1) return among_s;
  const Seconds one_way_s = is_flat(hierarchy) ? cost.hop(0) + (largest - 2) * cost.next(0)
                                               : std::bit_width(largest - 1) * cost.hop(0);
  return among_s + 2 * one_way_s;
}

std::int64_t messages(const ModelArgs& args) {
  return messages_among_leaders(args, 0) +
         2 * (std::int64_t{args.procs} - args.call.hierarchy->groups());
}

std::string made_of(const ModelArgs& args) { return name_among_leaders(args, 0); }

}  // namespace

const Algorithm barrier{
    .program = run_barrier,
    .cost = cost,
    .messages = messages,
    .made_of = made_of,
    .levels = {.up = "barrier", .inter = "barrier"},
};

}  // namespace tutti::algorithms::hierarchical
