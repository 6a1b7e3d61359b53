// SPDX-License-Identifier: BSD-3-Clause
// Two-level reduction: inside each group to its leader, then among the leaders to the root, which
// is one of them. Operands are combined in the order of the groups, so the operation must be
// commutative. Cost: the sum of the largest group's reduction and the leaders' reduction.
#include "algorithms/algorithm.hpp"
#include "algorithms/hierarchical/hierarchy.hpp"
#include "algorithms/reduction.hpp"

namespace tutti::algorithms::hierarchical {
namespace {

Task run_reduce(Rank& me, CollectiveArgs args) {
  const Hierarchy& hierarchy = *args.hierarchy;
  const std::uint32_t group = hierarchy.group_of(me.id());
  const Slice of_group{.bytes = args.message_bytes, .buffer = runtime::scratch_buffer};
  {
    Nested inside(me, inside_group(hierarchy, me, {.recv = of_group}));
    co_await run_level(hierarchy.levels().up, inside.rank(), args, hierarchy.leader_index(group));
  }
  if (!is_leader(hierarchy, me)) co_return;
  Nested leaders(me, among_leaders(hierarchy, me, {.send = of_group}));
  co_await run_level(hierarchy.levels().inter, leaders.rank(), args,
                     static_cast<RankId>(hierarchy.group_of(args.root)));
}

LevelBytes reduce_bytes(const ModelArgs& args) {
  return {.up = args.call.message_bytes, .inter = args.call.message_bytes};
}

}  // namespace

const Algorithm reduce{
    .segmented = true,
    .restriction = reduction::needs_commutative,
    .program = run_reduce,
    .cost = OfLevels<reduce_bytes>::cost,
    .messages = OfLevels<reduce_bytes>::messages,
    .made_of = OfLevels<reduce_bytes>::made_of,
    .runs = reduction::is_commutative,
    .levels = {.up = "reduce", .inter = "reduce"},
};

}  // namespace tutti::algorithms::hierarchical
