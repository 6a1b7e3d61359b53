// SPDX-License-Identifier: BSD-3-Clause
// Two-level allreduce: a reduction inside each group to its leader, an allreduce among the leaders,
// and a broadcast inside each group. Operands are combined in the order of the groups, so the
// operation must be commutative. Cost: the sum of the three steps; those inside for the largest
// group.
#include "algorithms/algorithm.hpp"
#include "algorithms/hierarchical/hierarchy.hpp"
#include "algorithms/reduction.hpp"

namespace tutti::algorithms::hierarchical {
namespace {

Task run_allreduce(Rank& me, CollectiveArgs args) {
  const Hierarchy& hierarchy = *args.hierarchy;
  const auto leader = hierarchy.leader_index(hierarchy.group_of(me.id()));
  const Slice of_group{.bytes = args.message_bytes, .buffer = runtime::scratch_buffer};
  {
    Nested inside(me, inside_group(hierarchy, me, {.recv = of_group}));
    co_await run_level(hierarchy.levels().up, inside.rank(), args, leader);
  }
  if (is_leader(hierarchy, me)) {
    Nested leaders(me, among_leaders(hierarchy, me, {.send = of_group}));
    co_await run_level(hierarchy.levels().inter, leaders.rank(), args, 0);
  }
  Nested inside(me, inside_group(hierarchy, me));
  co_await run_level(hierarchy.levels().down, inside.rank(), args, leader);
}

LevelBytes allreduce_bytes(const ModelArgs& args) {
  const Bytes bytes = args.call.message_bytes;
  return {.up = bytes, .inter = bytes, .down = bytes};
}

}  // namespace

const Algorithm allreduce{
    .segmented = true,
    .restriction = reduction::needs_commutative,
    .program = run_allreduce,
    .cost = OfLevels<allreduce_bytes>::cost,
    .messages = OfLevels<allreduce_bytes>::messages,
    .made_of = OfLevels<allreduce_bytes>::made_of,
    .runs = reduction::is_commutative,
    .levels = {.up = "reduce", .inter = "allreduce", .down = "bcast"},
};

}  // namespace tutti::algorithms::hierarchical
