// SPDX-License-Identifier: BSD-3-Clause
// The lane and hier mock-ups of MPI_Bcast, MPI_Allgather, MPI_Gather, MPI_Scatter and MPI_Alltoall
// (lanes.hpp). lane: all ranks of a node communicate with other nodes, each on its lane with its
// part of the data; hier: one rank of each node, with all data of the node. Where the library uses
// derived datatypes, blocks are packed or unpacked here.
#include "algorithms/guidelines/lanes.hpp"
#include "algorithms/guidelines/mockups.hpp"

namespace tutti::algorithms::guidelines {
namespace {

bool sends_nothing(const CollectiveArgs& args, const Lanes& lanes) {
  return lanes.procs() == 1 || args.message_bytes == 0;
}

// The parts of the vector are scattered on the root's node, broadcast on the lanes and collected on
// every node.
CallList bcast_lane(const CollectiveArgs& args, const Lanes& lanes) {
  if (sends_nothing(args, lanes)) return {};
  CallList calls{lanes.on_parts_at_root("scatter", "scatterv")};
  lanes.add_on_lanes(calls, "bcast", lanes.root_node());
  calls.push_back(lanes.on_parts("allgather", "allgatherv"));
  return calls;
}

// All calls are in place.
Task run_bcast_lane(const LaneRank& rank) {
  if (rank.calls.empty()) co_return;
  const Slice vector{.buffer = recv_buffer};
  const Slice own = rank.part_in(recv_buffer);
  if (rank.is_on_root_node())
    co_await rank.run_on_node(rank.calls.front(), {.send = vector, .recv = own});
  const InnerCall bcast = rank.on_part("bcast", rank.lanes.root_node());
  co_await rank.run_on_lane(bcast, {.recv = own});
  co_await rank.run_on_node(rank.calls.back(), {.send = own, .recv = vector});
}

CallList bcast_hier(const CollectiveArgs& args, const Lanes& lanes) {
  if (sends_nothing(args, lanes)) return {};
  return {lanes.on_one_lane("bcast", args.message_bytes, lanes.root_node()),
          lanes.on_nodes("bcast", args.message_bytes, lanes.root_local())};
}

Task run_bcast_hier(const LaneRank& rank) {
  if (rank.calls.empty()) co_return;
  if (rank.is_on_root_lane()) co_await rank.run_on_lane(rank.calls[0]);
  co_await rank.run_on_node(rank.calls[1]);
}

CallList allgather_lane(const CollectiveArgs& args, const Lanes& lanes) {
  return {lanes.on_lanes("allgather", args.message_bytes),
          lanes.on_nodes("allgather", lanes.nodes() * args.message_bytes)};
}

// Both calls are in place, in a buffer in the order of the lanes, from the own block `own`.
Task run_allgather_from(const LaneRank& rank, Slice own) {
  const Slice lane{.offset = rank.local * rank.lane_bytes(), .buffer = first_buffer};
  co_await rank.run_on_lane(rank.calls[0], {.send = own, .recv = lane});
  co_await rank.run_on_node(rank.calls[1], {.send = lane, .recv = {.buffer = first_buffer}});
  rank.copy_lanes_to_ranks(first_buffer, recv_buffer);
}

Task run_allgather_lane(const LaneRank& rank) {
  const Bytes block = rank.args.message_bytes;
  const Slice own{rank.local * rank.lane_bytes() + rank.node * block, block, first_buffer};
  rank.me.allocate(rank.me.size() * block);
  rank.me.copy(own, Slice{0, block, send_buffer});
  co_await run_allgather_from(rank, own);
}

// The own block is sent from the send buffer, without a copy.
Task run_allgather_lane_zero(const LaneRank& rank) {
  return run_allgather_from(rank, {.buffer = send_buffer});
}

CallList allgather_hier(const CollectiveArgs& args, const Lanes& lanes) {
  return {lanes.on_nodes("gather", args.message_bytes),
          lanes.on_one_lane("allgather", lanes.per_node() * args.message_bytes),
          lanes.on_nodes("bcast", lanes.procs() * args.message_bytes)};
}

Task run_allgather_hier(const LaneRank& rank) {
  const Slice node{.offset = rank.node * rank.node_bytes(), .buffer = recv_buffer};
  co_await rank.run_on_node(rank.calls[0], {.recv = node});
  if (rank.local == 0) co_await rank.run_on_lane(rank.calls[1], {.send = node});
  co_await rank.run_on_node(rank.calls[2]);
}

CallList gather_lane(const CollectiveArgs& args, const Lanes& lanes) {
  return {lanes.on_lanes("gather", args.message_bytes, lanes.root_node()),
          lanes.on_some_nodes(1, "gather", lanes.nodes() * args.message_bytes, lanes.root_local())};
}

Task run_gather_lane(const LaneRank& rank) {
  const Slice lane{.buffer = first_buffer};
  if (rank.is_on_root_node() && !rank.is_root()) rank.me.allocate(rank.lane_bytes());
  co_await rank.run_on_lane(rank.calls[0], {.recv = lane});
  if (!rank.is_on_root_node()) co_return;
  co_await rank.run_on_node(rank.calls[1], {.send = lane, .recv = {.buffer = second_buffer}});
  if (rank.is_root()) rank.copy_lanes_to_ranks(second_buffer, recv_buffer);
}

CallList gather_hier(const CollectiveArgs& args, const Lanes& lanes) {
  return {lanes.on_nodes("gather", args.message_bytes, lanes.root_local()),
          lanes.on_one_lane("gather", lanes.per_node() * args.message_bytes, lanes.root_node())};
}

// In place at the root.
Task run_gather_hier(const LaneRank& rank) {
  const bool is_root = rank.is_root();
  if (rank.is_on_root_lane() && !is_root) rank.me.allocate(rank.node_bytes());
  const Slice node{.offset = is_root ? rank.node * rank.node_bytes() : 0,
                   .buffer = is_root ? recv_buffer : first_buffer};
  co_await rank.run_on_node(rank.calls[0], {.recv = node});
  if (rank.is_on_root_lane()) co_await rank.run_on_lane(rank.calls[1], {.send = node});
}

CallList scatter_lane(const CollectiveArgs& args, const Lanes& lanes) {
  return {lanes.on_some_nodes(1, "scatter", lanes.nodes() * args.message_bytes, lanes.root_local()),
          lanes.on_lanes("scatter", args.message_bytes, lanes.root_node())};
}

Task run_scatter_lane(const LaneRank& rank) {
  const Slice lane{.buffer = second_buffer};
  if (rank.is_root()) rank.copy_ranks_to_lanes(send_buffer, first_buffer);
  if (rank.is_on_root_node()) {
    if (!rank.is_root()) rank.me.allocate(rank.lane_bytes());
    co_await rank.run_on_node(rank.calls[0], {.send = {.buffer = first_buffer}, .recv = lane});
  }
  co_await rank.run_on_lane(rank.calls[1], {.send = lane});
}

CallList scatter_hier(const CollectiveArgs& args, const Lanes& lanes) {
  return {lanes.on_one_lane("scatter", lanes.per_node() * args.message_bytes, lanes.root_node()),
          lanes.on_nodes("scatter", args.message_bytes, lanes.root_local())};
}

// In place at the root.
Task run_scatter_hier(const LaneRank& rank) {
  const bool is_root = rank.is_root();
  const Slice node{.offset = is_root ? rank.node * rank.node_bytes() : 0,
                   .buffer = is_root ? send_buffer : first_buffer};
  if (rank.is_on_root_lane()) {
    if (!is_root) rank.me.allocate(rank.node_bytes());
    co_await rank.run_on_lane(rank.calls[0], {.recv = node});
  }
  co_await rank.run_on_node(rank.calls[1], {.send = node});
}

CallList alltoall_lane(const CollectiveArgs& args, const Lanes& lanes) {
  return {lanes.on_lanes("alltoall", lanes.per_node() * args.message_bytes),
          lanes.on_nodes("alltoall", lanes.nodes() * args.message_bytes)};
}

Task run_alltoall_lane(const LaneRank& rank) {
  constexpr std::int32_t packed = second_buffer, received = second_buffer + 1;
  rank.me.allocate(rank.me.size() * rank.args.message_bytes);
  co_await rank.run_on_lane(rank.calls[0], {.recv = {.buffer = first_buffer}});
  rank.copy_ranks_to_lanes(first_buffer, packed);
  co_await rank.run_on_node(rank.calls[1],
                            {.send = {.buffer = packed}, .recv = {.buffer = received}});
  rank.copy_lanes_to_ranks(received, recv_buffer);
}

}  // namespace

std::vector<Mockup> moving_lane_mockups() {
  return {
      lane_mockup<allgather_lane, run_allgather_lane>({"R2"}),
      lane_mockup<allgather_lane, run_allgather_lane_zero>({"R3"}),
      lane_mockup<allgather_hier, run_allgather_hier>({"R4"}),
      lane_mockup<alltoall_lane, run_alltoall_lane>({"R10"}),
      lane_mockup<bcast_lane, run_bcast_lane>({"R11"}),
      lane_mockup<bcast_hier, run_bcast_hier>({"R12"}),
      lane_mockup<gather_hier, run_gather_hier>({"R14"}),
      lane_mockup<gather_lane, run_gather_lane>({"R15"}),
      lane_mockup<scatter_hier, run_scatter_hier>({"R25"}),
      lane_mockup<scatter_lane, run_scatter_lane>({"R26"}),
  };
}

}  // namespace tutti::algorithms::guidelines
