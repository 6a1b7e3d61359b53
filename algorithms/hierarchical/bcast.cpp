// SPDX-License-Identifier: BSD-3-Clause
// Two-level broadcast: among the leaders, one of which is the root, then from each leader to its
// group. Cost: the sum of the leaders' broadcast and that of the largest group.
#include "algorithms/algorithm.hpp"
#include "algorithms/hierarchical/hierarchy.hpp"

namespace tutti::algorithms::hierarchical {
namespace {

Task run_bcast(Rank& me, CollectiveArgs args) {
  const Hierarchy& hierarchy = *args.hierarchy;
  const std::uint32_t group = hierarchy.group_of(me.id());
  if (is_leader(hierarchy, me)) {
    Nested leaders(me, among_leaders(hierarchy, me));
    co_await run_level(hierarchy.levels().inter, leaders.rank(), args,
                       static_cast<RankId>(hierarchy.group_of(args.root)));
  }
  Nested inside(me, inside_group(hierarchy, me));
  co_await run_level(hierarchy.levels().down, inside.rank(), args, hierarchy.leader_index(group));
}

LevelBytes bcast_bytes(const ModelArgs& args) {
  return {.inter = args.call.message_bytes, .down = args.call.message_bytes};
}

}  // namespace

const Algorithm bcast{
    .segmented = true,
    .program = run_bcast,
    .cost = OfLevels<bcast_bytes>::cost,
    .messages = OfLevels<bcast_bytes>::messages,
    .made_of = OfLevels<bcast_bytes>::made_of,
    .levels = {.inter = "bcast", .down = "bcast"},
};

}  // namespace tutti::algorithms::hierarchical
