// SPDX-License-Identifier: BSD-3-Clause
// The lane and hier mock-ups of MPI_Allreduce, MPI_Reduce, MPI_Reduce_scatter_block and MPI_Scan
// (lanes.hpp). lane: the vector is divided over the ranks of a node, and each part is combined on
// its lane; hier: one rank of each node combines the whole vector. All preserve the order of the
// operands, as far as the inner collectives do.
#include "algorithms/guidelines/lanes.hpp"
#include "algorithms/guidelines/mockups.hpp"

namespace tutti::algorithms::guidelines {
namespace {

InnerCall reduced_parts(const Lanes& lanes) {
  return lanes.on_parts("reduce_scatter_block", "reduce_scatter", lanes.parts());
}
InnerCall gathered_parts(const Lanes& lanes) {
  return lanes.on_parts("allgather", "allgatherv", lanes.parts());
}

CallList allreduce_lane(const CollectiveArgs& args, int procs) {
  const Lanes lanes(args, procs);
  CallList calls{reduced_parts(lanes)};
  lanes.add_on_lanes(calls, "allreduce", lanes.parts());
  calls.push_back(gathered_parts(lanes));
  return calls;
}

Task run_allreduce_lane(Rank& me, CollectiveArgs args) {
  const Lanes lanes(args, me.size());
  const NodeParts parts = lanes.parts();
  const RankId local = lanes.local_of(me.id());
  const Slice part{.buffer = first_buffer};
  const Slice own{.offset = local * parts.block_bytes, .buffer = recv_buffer};
  const InnerCall reduced = reduced_parts(lanes);
  co_await run_on_node(me, lanes, reduced, {.recv = part});
  const InnerCall allreduce = lanes.on_lanes("allreduce", parts.bytes(local, lanes.per_node()));
  co_await run_on_lane(me, lanes, allreduce, {.send = part, .recv = own});
  const InnerCall gathered = gathered_parts(lanes);
  co_await run_on_node(me, lanes, gathered, {.send = own});
}

CallList allreduce_hier(const CollectiveArgs& args, int procs) {
  const Lanes lanes(args, procs);
  return {lanes.on_nodes("reduce", args.message_bytes),
          lanes.on_one_lane("allreduce", args.message_bytes),
          lanes.on_nodes("bcast", args.message_bytes)};
}

Task run_allreduce_hier(Rank& me, CollectiveArgs args) {
  const CallList calls = allreduce_hier(args, me.size());
  const Lanes lanes(args, me.size());
  const Slice of_node{.buffer = first_buffer};
  co_await run_on_node(me, lanes, calls[0], {.recv = of_node});
  if (lanes.local_of(me.id()) == 0) co_await run_on_lane(me, lanes, calls[1], {.send = of_node});
  co_await run_on_node(me, lanes, calls[2]);
}

InnerCall gathered_at_root(const Lanes& lanes) {
  InnerCall call = lanes.on_parts("gather", "gatherv", lanes.parts(), lanes.root_local());
  call.parts = 1;
  return call;
}

CallList reduce_lane(const CollectiveArgs& args, int procs) {
  const Lanes lanes(args, procs);
  CallList calls{reduced_parts(lanes)};
  lanes.add_on_lanes(calls, "reduce", lanes.parts(), lanes.root_node());
  calls.push_back(gathered_at_root(lanes));
  return calls;
}

Task run_reduce_lane(Rank& me, CollectiveArgs args) {
  const Lanes lanes(args, me.size());
  const Bytes own_bytes = lanes.parts().bytes(lanes.local_of(me.id()), lanes.per_node());
  const Slice part{.buffer = first_buffer};
  const Slice combined{.buffer = second_buffer};
  me.allocate(own_bytes);
  const InnerCall reduced = reduced_parts(lanes);
  co_await run_on_node(me, lanes, reduced, {.recv = part});
  const InnerCall reduce = lanes.on_lanes("reduce", own_bytes, lanes.root_node());
  co_await run_on_lane(me, lanes, reduce, {.send = part, .recv = combined});
  if (!lanes.is_on_root_node(me.id())) co_return;
  const InnerCall gathered = gathered_at_root(lanes);
  co_await run_on_node(me, lanes, gathered, {.send = combined});
}

CallList reduce_hier(const CollectiveArgs& args, int procs) {
  const Lanes lanes(args, procs);
  return {lanes.on_nodes("reduce", args.message_bytes, lanes.root_local()),
          lanes.on_one_lane("reduce", args.message_bytes, lanes.root_node())};
}

Task run_reduce_hier(Rank& me, CollectiveArgs args) {
  const CallList calls = reduce_hier(args, me.size());
  const Lanes lanes(args, me.size());
  const Slice of_node{.buffer = first_buffer};
  if (lanes.is_peer(me.id()) && me.id() != args.root) me.allocate(args.message_bytes);
  co_await run_on_node(me, lanes, calls[0], {.recv = of_node});
  if (lanes.is_peer(me.id())) co_await run_on_lane(me, lanes, calls[1], {.send = of_node});
}

CallList reducescatterblock_lane(const CollectiveArgs& args, int procs) {
  const Lanes lanes(args, procs);
  return {lanes.on_nodes("reduce_scatter_block", lanes.nodes() * args.message_bytes),
          lanes.on_lanes("reduce_scatter_block", args.message_bytes)};
}

Task run_reducescatterblock_lane(Rank& me, CollectiveArgs args) {
  const CallList calls = reducescatterblock_lane(args, me.size());
  const Lanes lanes(args, me.size());
  const Slice lane{.buffer = second_buffer};
  me.allocate(me.size() * args.message_bytes);
  me.allocate(lanes.nodes() * args.message_bytes);
  copy_ranks_to_lanes(me, lanes, args.message_bytes, send_buffer, first_buffer);
  co_await run_on_node(me, lanes, calls[0], {.send = {.buffer = first_buffer}, .recv = lane});
  co_await run_on_lane(me, lanes, calls[1], {.send = lane});
}

CallList reducescatterblock_hier(const CollectiveArgs& args, int procs) {
  const Lanes lanes(args, procs);
  return {lanes.on_nodes("reduce", procs * args.message_bytes),
          lanes.on_one_lane("reduce_scatter_block", lanes.per_node() * args.message_bytes),
          lanes.on_nodes("scatter", args.message_bytes)};
}

Task run_reducescatterblock_hier(Rank& me, CollectiveArgs args) {
  const CallList calls = reducescatterblock_hier(args, me.size());
  const Lanes lanes(args, me.size());
  const Slice vector{.buffer = first_buffer};
  const Slice of_node{.buffer = second_buffer};
  const bool is_leader = lanes.local_of(me.id()) == 0;
  if (is_leader) me.allocate(me.size() * args.message_bytes);
  co_await run_on_node(me, lanes, calls[0], {.recv = vector});
  if (is_leader) co_await run_on_lane(me, lanes, calls[1], {.send = vector, .recv = of_node});
  co_await run_on_node(me, lanes, calls[2], {.send = of_node});
}

// The nodes above the first combine the prefix of the nodes below with their own.
CallList scan_lane(const CollectiveArgs& args, int procs) {
  const Lanes lanes(args, procs);
  CallList calls{reduced_parts(lanes)};
  lanes.add_on_lanes(calls, "exscan", lanes.parts());
  calls.push_back(lanes.on_nodes("scan", args.message_bytes));
  calls.push_back(gathered_parts(lanes));
  calls.back().parts = lanes.nodes() - 1;
  return calls;
}

Task run_scan_lane(Rank& me, CollectiveArgs args) {
  const Lanes lanes(args, me.size());
  const NodeParts parts = lanes.parts();
  const RankId local = lanes.local_of(me.id());
  const Slice part{.buffer = first_buffer};
  const Slice below{0, args.message_bytes, second_buffer};
  const Slice own{.offset = local * parts.block_bytes, .buffer = second_buffer};
  me.allocate(args.message_bytes);
  const InnerCall reduced = reduced_parts(lanes);
  co_await run_on_node(me, lanes, reduced, {.recv = part});
  const InnerCall exscan = lanes.on_lanes("exscan", parts.bytes(local, lanes.per_node()));
  co_await run_on_lane(me, lanes, exscan, {.send = part, .recv = own});
  const InnerCall scan = lanes.on_nodes("scan", args.message_bytes);
  co_await run_on_node(me, lanes, scan);
  if (lanes.node_of(me.id()) == 0) co_return;
  const InnerCall gathered = gathered_parts(lanes);
  co_await run_on_node(me, lanes, gathered, {.send = own, .recv = below});
  me.combine(Slice{0, args.message_bytes, recv_buffer}, below, Operand::left);
}

CallList scan_hier(const CollectiveArgs& args, int procs) {
  const Lanes lanes(args, procs);
  CallList calls{lanes.on_nodes("scan", args.message_bytes),
                 lanes.on_one_lane("exscan", args.message_bytes),
                 lanes.on_nodes("bcast", args.message_bytes, lanes.per_node() - 1)};
  calls.back().parts = lanes.nodes() - 1;
  return calls;
}

Task run_scan_hier(Rank& me, CollectiveArgs args) {
  const CallList calls = scan_hier(args, me.size());
  const Lanes lanes(args, me.size());
  const Slice below{0, args.message_bytes, first_buffer};
  const Slice prefix{0, args.message_bytes, recv_buffer};
  me.allocate(args.message_bytes);
  co_await run_on_node(me, lanes, calls[0]);
  if (lanes.local_of(me.id()) + 1 == lanes.per_node())
    co_await run_on_lane(me, lanes, calls[1], {.send = prefix, .recv = below});
  if (lanes.node_of(me.id()) == 0) co_return;
  co_await run_on_node(me, lanes, calls[2], {.recv = below});
  me.combine(prefix, below, Operand::left);
}

template <auto calls_of>
Seconds prefix_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return selection::cost_in_turn<calls_of>(args, cost) + cost.combine(args.call.message_bytes);
}

template <auto calls_of>
Mockup scan_mockup_of_lanes(const MockupRow& row) {
  Mockup own = lane_mockup<calls_of>(row);
  own.algorithm.cost = prefix_cost<calls_of>;
  return own;
}

}  // namespace

std::vector<Mockup> reducing_lane_mockups() {
  return {
      lane_mockup<allreduce_lane>(
          {"R6", 4, "allreduce", "allreduce_as_allreduce_lane",
           "a reduce_scatter inside the nodes, allreduces on the lanes, allgathers",
           run_allreduce_lane}),
      lane_mockup<allreduce_hier>(
          {"R7", 5, "allreduce", "allreduce_as_allreduce_hier",
           "a reduction inside the nodes, an allreduce among leaders, a broadcast",
           run_allreduce_hier}),
      lane_mockup<reduce_hier>({"R16", 5, "reduce", "reduce_as_reduce_hier",
                                "a reduction inside the nodes, then on the root's lane",
                                run_reduce_hier}),
      lane_mockup<reduce_lane>(
          {"R17", 6, "reduce", "reduce_as_reduce_lane",
           "a reduce_scatter inside the nodes, reductions on the lanes, a gather",
           run_reduce_lane}),
      lane_mockup<reducescatterblock_hier>(
          {"R20", 4, "reduce_scatter_block", "reducescatterblock_as_reducescatterblock_hier",
           "a reduction inside the nodes, reduce_scatter among leaders, scatters",
           run_reducescatterblock_hier}),
      lane_mockup<reducescatterblock_lane>(
          {"R21", 5, "reduce_scatter_block", "reducescatterblock_as_reducescatterblock_lane",
           "a reduce_scatter_block inside the nodes, then on each lane",
           run_reducescatterblock_lane}),
      scan_mockup_of_lanes<scan_hier>(
          {"R23", 2, "scan", "scan_as_scan_hier",
           "scans inside the nodes, an exscan of their sums, then a broadcast", run_scan_hier}),
      scan_mockup_of_lanes<scan_lane>(
          {"R24", 3, "scan", "scan_as_scan_lane",
           "exscans of the nodes' sums on the lanes, scans inside the nodes", run_scan_lane}),
  };
}

}  // namespace tutti::algorithms::guidelines
