// SPDX-License-Identifier: BSD-3-Clause
// Two-level allgather: the leaders gather their groups' blocks, exchange them, and broadcast the
// whole result. If the groups are not runs of consecutive ranks, the leaders put the blocks into
// rank order before the broadcast. Cost: the sum of the three steps; those inside the groups for
// the largest group, and the leaders' step for blocks of the mean size if the groups differ in
// size.
#include "algorithms/hierarchical/hierarchical.hpp"
#include "algorithms/hierarchical/hierarchy.hpp"

namespace tutti::algorithms::hierarchical {
namespace {

constexpr std::int32_t group_blocks = runtime::scratch_buffer;
constexpr std::int32_t by_group = runtime::scratch_buffer + 1;  // all blocks, group by group

Bytes mean_group_bytes(const Hierarchy& hierarchy, int procs, Bytes bytes) {
  return bytes * procs / hierarchy.groups();
}

Task exchange(Rank& me, CollectiveArgs args) {
  const Hierarchy& hierarchy = *args.hierarchy;
  const bool in_order = hierarchy.is_in_rank_order();
  const Bytes bytes = args.message_bytes;
  {
    Nested leaders(me,
                   among_leaders(hierarchy, me,
                                 {.recv = {.buffer = in_order ? runtime::recv_buffer : by_group},
                                  .send = {.buffer = group_blocks}}));
    args.message_bytes = mean_group_bytes(hierarchy, me.size(), bytes);
    args.counts = hierarchy.group_counts();
    co_await run_level(hierarchy.levels().inter, leaders.rank(), args, 0);
  }
  if (in_order) co_return;
  args.message_bytes = bytes;
  args.counts = nullptr;
  copy_to_rank_order(me, hierarchy, RankBlocks::of_blocks(args, me.size()), by_group,
                     runtime::recv_buffer);
}

Task run_allgather(Rank& me, CollectiveArgs args) {
  const Hierarchy& hierarchy = *args.hierarchy;
  const RankId leader = hierarchy.leader_index(hierarchy.group_of(me.id()));
  {
    Nested inside(me, inside_group(hierarchy, me, {.recv = {.buffer = group_blocks}}));
    co_await run_level(hierarchy.levels().up, inside.rank(), args, leader);
  }
  if (is_leader(hierarchy, me)) co_await exchange(me, args);
  Nested inside(me, inside_group(hierarchy, me));
  args.message_bytes *= me.size();
  co_await run_level(hierarchy.levels().down, inside.rank(), args, leader);
}

LevelBytes allgather_bytes(const ModelArgs& args) {
  const Hierarchy& hierarchy = *args.call.hierarchy;
  const Bytes bytes = args.call.message_bytes;
  return {.up = bytes,
          .inter = mean_group_bytes(hierarchy, args.procs, bytes),
          .down = bytes * args.procs};
}

}  // namespace

const Algorithm allgather{
    .collective = "allgather",
    .name = "hierarchical",
    .segmented = true,
    .reference = "Tutti; similar to coll/han of later Open MPI versions",
    .summary = "gather to the groups' leaders (up), exchange among them (inter), broadcast (down)",
    .program = run_allgather,
    .cost = OfLevels<allgather_bytes>::cost,
    .messages = OfLevels<allgather_bytes>::messages,
    .made_of = OfLevels<allgather_bytes>::made_of,
    .levels = {.up = "gather", .inter = "allgather", .down = "bcast"},
};

}  // namespace tutti::algorithms::hierarchical
