// SPDX-License-Identifier: BSD-3-Clause
// The lane and hier mock-ups of MPI_Bcast, MPI_Allgather, MPI_Gather, MPI_Scatter and MPI_Alltoall
// (lanes.hpp). lane: all ranks of a node communicate with other nodes, each on its lane with its
// part of the data; hier: one rank of each node, with all data of the node. Where the library uses
// derived datatypes, blocks are packed or unpacked here.
#include "algorithms/guidelines/lanes.hpp"
#include "algorithms/guidelines/mockups.hpp"

namespace tutti::algorithms::guidelines {
namespace {

bool sends_nothing(const CollectiveArgs& args, int procs) {
  return procs == 1 || args.message_bytes == 0;
}

// The parts of the vector are scattered on the root's node, broadcast on the lanes and collected on
// every node.
InnerCall scattered_parts(const Lanes& lanes) {
  InnerCall call = lanes.on_parts("scatter", "scatterv", lanes.parts(), lanes.root_local());
  call.parts = 1;
  return call;
}
InnerCall collected_parts(const Lanes& lanes) {
  return lanes.on_parts("allgather", "allgatherv", lanes.parts());
}
CallList bcast_lane(const CollectiveArgs& args, int procs) {
  if (sends_nothing(args, procs)) return {};
  const Lanes lanes(args, procs);
  CallList calls{scattered_parts(lanes)};
  lanes.add_on_lanes(calls, "bcast", lanes.parts(), lanes.root_node());
  calls.push_back(collected_parts(lanes));
  return calls;
}

// All calls are in place.
Task run_bcast_lane(Rank& me, CollectiveArgs args) {
  if (sends_nothing(args, me.size())) co_return;
  const Lanes lanes(args, me.size());
  const NodeParts parts = lanes.parts();
  const RankId local = lanes.local_of(me.id());
  const Slice vector{.buffer = recv_buffer};
  const Slice own{.offset = local * parts.block_bytes, .buffer = recv_buffer};
  if (lanes.is_on_root_node(me.id())) {
    const InnerCall scatter = scattered_parts(lanes);
    co_await run_on_node(me, lanes, scatter, {.send = vector, .recv = own});
  }
  const InnerCall bcast =
      lanes.on_lanes("bcast", parts.bytes(local, lanes.per_node()), lanes.root_node());
  co_await run_on_lane(me, lanes, bcast, {.recv = own});
  const InnerCall allgather = collected_parts(lanes);
  co_await run_on_node(me, lanes, allgather, {.send = own, .recv = vector});
}

CallList bcast_hier(const CollectiveArgs& args, int procs) {
  if (sends_nothing(args, procs)) return {};
  const Lanes lanes(args, procs);
  return {lanes.on_one_lane("bcast", args.message_bytes, lanes.root_node()),
          lanes.on_nodes("bcast", args.message_bytes, lanes.root_local())};
}

Task run_bcast_hier(Rank& me, CollectiveArgs args) {
  const CallList calls = bcast_hier(args, me.size());
  if (calls.empty()) co_return;
  const Lanes lanes(args, me.size());
  if (lanes.is_peer(me.id())) co_await run_on_lane(me, lanes, calls[0]);
  co_await run_on_node(me, lanes, calls[1]);
}

CallList allgather_lane(const CollectiveArgs& args, int procs) {
  const Lanes lanes(args, procs);
  return {lanes.on_lanes("allgather", args.message_bytes),
          lanes.on_nodes("allgather", lanes.nodes() * args.message_bytes)};
}

// Both calls are in place, in a buffer in the order of the lanes, from the own block `own`.
Task run_allgather_from(Rank& me, CollectiveArgs args, Slice own) {
  const CallList calls = allgather_lane(args, me.size());
  const Lanes lanes(args, me.size());
  const Bytes block = args.message_bytes;
  const Slice lane{.offset = lanes.local_of(me.id()) * lanes.nodes() * block,
                   .buffer = first_buffer};
  co_await run_on_lane(me, lanes, calls[0], {.send = own, .recv = lane});
  co_await run_on_node(me, lanes, calls[1], {.send = lane, .recv = {.buffer = first_buffer}});
  copy_lanes_to_ranks(me, lanes, block, first_buffer, recv_buffer);
}

Task run_allgather_lane(Rank& me, CollectiveArgs args) {
  const Lanes lanes(args, me.size());
  const Bytes block = args.message_bytes;
  const RankId place = lanes.local_of(me.id()) * lanes.nodes() + lanes.node_of(me.id());
  const Slice own{place * block, block, first_buffer};
  me.allocate(me.size() * block);
  me.copy(own, Slice{0, block, send_buffer});
  co_await run_allgather_from(me, args, own);
}

// Without the library's own buffer and the copy into it.
Task run_allgather_lane_zero(Rank& me, CollectiveArgs args) {
  return run_allgather_from(me, args, {.buffer = send_buffer});
}

CallList allgather_hier(const CollectiveArgs& args, int procs) {
  const Lanes lanes(args, procs);
  return {lanes.on_nodes("gather", args.message_bytes),
          lanes.on_one_lane("allgather", lanes.per_node() * args.message_bytes),
          lanes.on_nodes("bcast", procs * args.message_bytes)};
}

Task run_allgather_hier(Rank& me, CollectiveArgs args) {
  const CallList calls = allgather_hier(args, me.size());
  const Lanes lanes(args, me.size());
  const Slice node{.offset = lanes.node_of(me.id()) * lanes.per_node() * args.message_bytes,
                   .buffer = recv_buffer};
  co_await run_on_node(me, lanes, calls[0], {.recv = node});
  if (lanes.local_of(me.id()) == 0) co_await run_on_lane(me, lanes, calls[1], {.send = node});
  co_await run_on_node(me, lanes, calls[2]);
}

CallList gather_lane(const CollectiveArgs& args, int procs) {
  const Lanes lanes(args, procs);
  return {lanes.on_lanes("gather", args.message_bytes, lanes.root_node()),
          lanes.on_some_nodes(1, "gather", lanes.nodes() * args.message_bytes, lanes.root_local())};
}

Task run_gather_lane(Rank& me, CollectiveArgs args) {
  const CallList calls = gather_lane(args, me.size());
  const Lanes lanes(args, me.size());
  const Slice lane{.buffer = first_buffer};
  const bool is_on_root_node = lanes.is_on_root_node(me.id());
  if (is_on_root_node && me.id() != args.root) me.allocate(lanes.nodes() * args.message_bytes);
  co_await run_on_lane(me, lanes, calls[0], {.recv = lane});
  if (!is_on_root_node) co_return;
  co_await run_on_node(me, lanes, calls[1], {.send = lane, .recv = {.buffer = second_buffer}});
  if (me.id() == args.root)
    copy_lanes_to_ranks(me, lanes, args.message_bytes, second_buffer, recv_buffer);
}

CallList gather_hier(const CollectiveArgs& args, int procs) {
  const Lanes lanes(args, procs);
  return {lanes.on_nodes("gather", args.message_bytes, lanes.root_local()),
          lanes.on_one_lane("gather", lanes.per_node() * args.message_bytes, lanes.root_node())};
}

// In place at the root.
Task run_gather_hier(Rank& me, CollectiveArgs args) {
  const CallList calls = gather_hier(args, me.size());
  const Lanes lanes(args, me.size());
  const Bytes node_bytes = lanes.per_node() * args.message_bytes;
  const bool is_root = me.id() == args.root;
  if (lanes.is_peer(me.id()) && !is_root) me.allocate(node_bytes);
  const Slice node{.offset = is_root ? lanes.root_node() * node_bytes : 0,
                   .buffer = is_root ? recv_buffer : first_buffer};
  co_await run_on_node(me, lanes, calls[0], {.recv = node});
  if (lanes.is_peer(me.id())) co_await run_on_lane(me, lanes, calls[1], {.send = node});
}

CallList scatter_lane(const CollectiveArgs& args, int procs) {
  const Lanes lanes(args, procs);
  return {lanes.on_some_nodes(1, "scatter", lanes.nodes() * args.message_bytes, lanes.root_local()),
          lanes.on_lanes("scatter", args.message_bytes, lanes.root_node())};
}

Task run_scatter_lane(Rank& me, CollectiveArgs args) {
  const CallList calls = scatter_lane(args, me.size());
  const Lanes lanes(args, me.size());
  const Slice lane{.buffer = second_buffer};
  if (me.id() == args.root)
    copy_ranks_to_lanes(me, lanes, args.message_bytes, send_buffer, first_buffer);
  if (lanes.is_on_root_node(me.id())) {
    if (me.id() != args.root) me.allocate(lanes.nodes() * args.message_bytes);
    co_await run_on_node(me, lanes, calls[0], {.send = {.buffer = first_buffer}, .recv = lane});
  }
  co_await run_on_lane(me, lanes, calls[1], {.send = lane});
}

CallList scatter_hier(const CollectiveArgs& args, int procs) {
  const Lanes lanes(args, procs);
  return {lanes.on_one_lane("scatter", lanes.per_node() * args.message_bytes, lanes.root_node()),
          lanes.on_nodes("scatter", args.message_bytes, lanes.root_local())};
}

// In place at the root.
Task run_scatter_hier(Rank& me, CollectiveArgs args) {
  const CallList calls = scatter_hier(args, me.size());
  const Lanes lanes(args, me.size());
  const Bytes node_bytes = lanes.per_node() * args.message_bytes;
  const bool is_root = me.id() == args.root;
  const Slice node{.offset = is_root ? lanes.root_node() * node_bytes : 0,
                   .buffer = is_root ? send_buffer : first_buffer};
  if (lanes.is_peer(me.id())) {
    if (!is_root) me.allocate(node_bytes);
    co_await run_on_lane(me, lanes, calls[0], {.recv = node});
  }
  co_await run_on_node(me, lanes, calls[1], {.send = node});
}

CallList alltoall_lane(const CollectiveArgs& args, int procs) {
  const Lanes lanes(args, procs);
  return {lanes.on_lanes("alltoall", lanes.per_node() * args.message_bytes),
          lanes.on_nodes("alltoall", lanes.nodes() * args.message_bytes)};
}

Task run_alltoall_lane(Rank& me, CollectiveArgs args) {
  constexpr std::int32_t packed = second_buffer, received = second_buffer + 1;
  const CallList calls = alltoall_lane(args, me.size());
  const Lanes lanes(args, me.size());
  me.allocate(me.size() * args.message_bytes);
  co_await run_on_lane(me, lanes, calls[0], {.recv = {.buffer = first_buffer}});
  copy_ranks_to_lanes(me, lanes, args.message_bytes, first_buffer, packed);
  co_await run_on_node(me, lanes, calls[1],
                       {.send = {.buffer = packed}, .recv = {.buffer = received}});
  copy_lanes_to_ranks(me, lanes, args.message_bytes, received, recv_buffer);
}

}  // namespace

std::vector<Mockup> moving_lane_mockups() {
  return {
      lane_mockup<allgather_lane>(
          {"R2", 5, "allgather", "allgather_as_allgather_lane",
           "an allgather on each lane, then of their blocks inside the nodes", run_allgather_lane}),
      lane_mockup<allgather_lane>({"R3", 6, "allgather", "allgather_as_allgather_lane_zero",
                                   "as allgather_lane, with derived datatypes instead of a buffer",
                                   run_allgather_lane_zero}),
      lane_mockup<allgather_hier>(
          {"R4", 7, "allgather", "allgather_as_allgather_hier",
           "a gather inside the nodes, an allgather among leaders, then a broadcast",
           run_allgather_hier}),
      lane_mockup<alltoall_lane>({"R10", 2, "alltoall", "alltoall_as_alltoall_lane",
                                  "an alltoall on each lane, then inside the nodes",
                                  run_alltoall_lane}),
      lane_mockup<bcast_lane>(
          {"R11", 3, "bcast", "bcast_as_bcast_lane",
           "a scatter on the root's node, broadcasts on the lanes, then allgathers",
           run_bcast_lane}),
      lane_mockup<bcast_hier>({"R12", 4, "bcast", "bcast_as_bcast_hier",
                               "a broadcast on the root's lane, then inside the nodes",
                               run_bcast_hier}),
      lane_mockup<gather_hier>({"R14", 4, "gather", "gather_as_gather_hier",
                                "a gather inside the nodes, then on the root's lane",
                                run_gather_hier}),
      lane_mockup<gather_lane>({"R15", 5, "gather", "gather_as_gather_lane",
                                "a gather on each lane, then on the root's node", run_gather_lane}),
      lane_mockup<scatter_hier>({"R25", 3, "scatter", "scatter_as_scatter_hier",
                                 "a scatter on the root's lane, then inside the nodes",
                                 run_scatter_hier}),
      lane_mockup<scatter_lane>({"R26", 4, "scatter", "scatter_as_scatter_lane",
                                 "a scatter on the root's node, then on each lane",
                                 run_scatter_lane}),
  };
}

}  // namespace tutti::algorithms::guidelines
