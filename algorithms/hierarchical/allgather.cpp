// SPDX-License-Identifier: BSD-3-Clause
// Two-level allgather: the leaders gather their groups' blocks, exchange them, and broadcast the
// whole result. If the groups are not runs of consecutive ranks, the leaders put the blocks into
// rank order before the broadcast. Cost: the sum of the three steps; those inside the groups for
// the largest group, and the leaders' step for blocks of the mean size if the groups differ in
// size. The call has counts if it is the exchange among sockets of different sizes.
#include "algorithms/algorithm.hpp"
#include "algorithms/hierarchical/hierarchy.hpp"

namespace tutti::algorithms::hierarchical {
namespace {

constexpr std::int32_t group_blocks = runtime::scratch_buffer;
constexpr std::int32_t by_group = runtime::scratch_buffer + 1;  // all blocks, group by group

Bytes mean_group_bytes(const CollectiveArgs& args, int procs) {
  return RankBlocks::of_blocks(args, procs).total() / args.hierarchy->groups();
}

Task exchange(Rank& me, const CollectiveArgs& all) {
  const Hierarchy& hierarchy = *all.hierarchy;
  const bool in_order = hierarchy.is_in_rank_order();
  {
    Nested leaders(me,
                   among_leaders(hierarchy, me,
                                 {.recv = {.buffer = in_order ? runtime::recv_buffer : by_group},
                                  .send = {.buffer = group_blocks}}));
    CollectiveArgs args = all;
    args.message_bytes = mean_group_bytes(all, me.size());
    args.counts = hierarchy.group_counts();
    co_await run_level(hierarchy.levels().inter, leaders.rank(), args, 0);
  }
  if (in_order) co_return;
  copy_to_rank_order(me, hierarchy, RankBlocks::of_blocks(all, me.size()), by_group,
                     runtime::recv_buffer);
}

Task run_allgather(Rank& me, CollectiveArgs args) {
  const Hierarchy& hierarchy = *args.hierarchy;
  const std::uint32_t group = hierarchy.group_of(me.id());
  const RankId leader = hierarchy.leader_index(group);
  {
    Nested inside(me, inside_group(hierarchy, me, {.recv = {.buffer = group_blocks}}));
    CollectiveArgs blocks = args;
    blocks.counts = hierarchy.member_counts(group);
    co_await run_level(hierarchy.levels().up, inside.rank(), blocks, leader);
  }
  if (is_leader(hierarchy, me)) co_await exchange(me, args);
  Nested inside(me, inside_group(hierarchy, me));
  args.message_bytes = RankBlocks::of_blocks(args, me.size()).total();
  args.counts = nullptr;
  co_await run_level(hierarchy.levels().down, inside.rank(), args, leader);
}

LevelBytes allgather_bytes(const ModelArgs& args) {
  return {.up = args.call.message_bytes,
          .inter = mean_group_bytes(args.call, args.procs),
          .down = RankBlocks::of_blocks(args.call, args.procs).total()};
}

}  // namespace

const Algorithm allgather{
    .segmented = true,
    .program = run_allgather,
    .cost = OfLevels<allgather_bytes>::cost,
    .messages = OfLevels<allgather_bytes>::messages,
    .made_of = OfLevels<allgather_bytes>::made_of,
    .levels = {.up = "gather", .inter = "allgather", .down = "bcast"},
};

}  // namespace tutti::algorithms::hierarchical
