// SPDX-License-Identifier: BSD-3-Clause
// Allreduce on two levels: each group to its leader, all leaders with each other, each leader to
// its group. The order of the operands is that of the groups, so the operation must be commutative.
// Cost: the three steps one after the other, those inside for the largest group.
#include "algorithms/hierarchical/hierarchical.hpp"
#include "algorithms/hierarchical/hierarchy.hpp"

namespace tutti::algorithms::hierarchical {
namespace {

using runtime::Nested;
using runtime::Rank;
using runtime::Slice;
using runtime::Task;

Task program(Rank& me, CollectiveArgs args) {
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

LevelBytes bytes_of(const ModelArgs& args) {
  const Bytes bytes = args.call.message_bytes;
  return {.up = bytes, .inter = bytes, .down = bytes};
}
bool runs(const ModelArgs& args) { return args.call.commutative; }

}  // namespace

const Algorithm allreduce{
    .collective = "allreduce",
    .name = "hierarchical",
    .segmented = true,
    .restriction = "commutative operation",
    .reference = "ours; as coll/han of later Open MPIs",
    .summary = "to the groups' leaders (up), among the leaders (inter), back to the groups (down)",
    .program = program,
    .cost = OfLevels<bytes_of>::cost,
    .messages = OfLevels<bytes_of>::messages,
    .made_of = OfLevels<bytes_of>::made_of,
    .runs = runs,
    .levels = {.up = "reduce", .inter = "allreduce", .down = "bcast"},
};

}  // namespace tutti::algorithms::hierarchical
