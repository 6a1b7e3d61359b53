// SPDX-License-Identifier: BSD-3-Clause
// The lane and hier mock-ups of MPI_Allreduce, MPI_Reduce, MPI_Reduce_scatter_block and MPI_Scan
// (lanes.hpp). lane: the vector is divided over the ranks of a node, and each part is combined on
// its lane; hier: one rank of each node combines the whole vector. All preserve the order of the
// operands, as far as the inner collectives do.
#include "algorithms/guidelines/lanes.hpp"
#include "algorithms/guidelines/mockups.hpp"

namespace tutti::algorithms::guidelines {
namespace {

// A reduce_scatter inside the nodes, and a collective on the lanes, each with a part of the vector.
CallList reduce_parts(const Lanes& lanes, std::string_view collective, RankId root = 0) {
  CallList calls{lanes.on_parts("reduce_scatter_block", "reduce_scatter")};
  lanes.add_on_lanes(calls, collective, root);
  return calls;
}

CallList allreduce_lane(const CollectiveArgs& /*args*/, const Lanes& lanes) {
  CallList calls = reduce_parts(lanes, "allreduce");
  calls.push_back(lanes.on_parts("allgather", "allgatherv"));
  return calls;
}

Task run_allreduce_lane(const LaneRank& rank) {
  const Slice part{.buffer = first_buffer};
  const Slice own = rank.part_in(recv_buffer);
  co_await rank.run_on_node(rank.calls.front(), {.recv = part});
  const InnerCall allreduce = rank.on_part("allreduce");
  co_await rank.run_on_lane(allreduce, {.send = part, .recv = own});
  co_await rank.run_on_node(rank.calls.back(), {.send = own});
}

CallList allreduce_hier(const CollectiveArgs& args, const Lanes& lanes) {
  return {lanes.on_nodes("reduce", args.message_bytes),
          lanes.on_one_lane("allreduce", args.message_bytes),
          lanes.on_nodes("bcast", args.message_bytes)};
}

Task run_allreduce_hier(const LaneRank& rank) {
  const Slice of_node{.buffer = first_buffer};
  co_await rank.run_on_node(rank.calls[0], {.recv = of_node});
  if (rank.local == 0) co_await rank.run_on_lane(rank.calls[1], {.send = of_node});
  co_await rank.run_on_node(rank.calls[2]);
}

CallList reduce_lane(const CollectiveArgs& /*args*/, const Lanes& lanes) {
  CallList calls = reduce_parts(lanes, "reduce", lanes.root_node());
  calls.push_back(lanes.on_parts_at_root("gather", "gatherv"));
  return calls;
}

Task run_reduce_lane(const LaneRank& rank) {
  const Slice part{.buffer = first_buffer};
  const Slice combined{.buffer = second_buffer};
  rank.me.allocate(rank.part_bytes());
  co_await rank.run_on_node(rank.calls.front(), {.recv = part});
  const InnerCall reduce = rank.on_part("reduce", rank.lanes.root_node());
  co_await rank.run_on_lane(reduce, {.send = part, .recv = combined});
  if (rank.is_on_root_node()) co_await rank.run_on_node(rank.calls.back(), {.send = combined});
}

CallList reduce_hier(const CollectiveArgs& args, const Lanes& lanes) {
  return {lanes.on_nodes("reduce", args.message_bytes, lanes.root_local()),
          lanes.on_one_lane("reduce", args.message_bytes, lanes.root_node())};
}

Task run_reduce_hier(const LaneRank& rank) {
  const Slice of_node{.buffer = first_buffer};
  if (rank.is_on_root_lane() && !rank.is_root()) rank.me.allocate(rank.args.message_bytes);
  co_await rank.run_on_node(rank.calls[0], {.recv = of_node});
  if (rank.is_on_root_lane()) co_await rank.run_on_lane(rank.calls[1], {.send = of_node});
}

CallList reducescatterblock_lane(const CollectiveArgs& args, const Lanes& lanes) {
  return {lanes.on_nodes("reduce_scatter_block", lanes.nodes() * args.message_bytes),
          lanes.on_lanes("reduce_scatter_block", args.message_bytes)};
}

Task run_reducescatterblock_lane(const LaneRank& rank) {
  const Slice lane{.buffer = second_buffer};
  rank.me.allocate(rank.me.size() * rank.args.message_bytes);
  rank.me.allocate(rank.lane_bytes());
  rank.copy_ranks_to_lanes(send_buffer, first_buffer);
  co_await rank.run_on_node(rank.calls[0], {.send = {.buffer = first_buffer}, .recv = lane});
  co_await rank.run_on_lane(rank.calls[1], {.send = lane});
}

CallList reducescatterblock_hier(const CollectiveArgs& args, const Lanes& lanes) {
  return {lanes.on_nodes("reduce", lanes.procs() * args.message_bytes),
          lanes.on_one_lane("reduce_scatter_block", lanes.per_node() * args.message_bytes),
          lanes.on_nodes("scatter", args.message_bytes)};
}

Task run_reducescatterblock_hier(const LaneRank& rank) {
  const Slice vector{.buffer = first_buffer};
  const Slice of_node{.buffer = second_buffer};
  const bool is_leader = rank.local == 0;
  if (is_leader) rank.me.allocate(rank.me.size() * rank.args.message_bytes);
  co_await rank.run_on_node(rank.calls[0], {.recv = vector});
  if (is_leader) co_await rank.run_on_lane(rank.calls[1], {.send = vector, .recv = of_node});
  co_await rank.run_on_node(rank.calls[2], {.send = of_node});
}

// The nodes above the first combine the prefix of the nodes below with their own.
CallList scan_lane(const CollectiveArgs& args, const Lanes& lanes) {
  CallList calls = reduce_parts(lanes, "exscan");
  calls.push_back(lanes.on_nodes("scan", args.message_bytes));
  calls.push_back(lanes.on_parts("allgather", "allgatherv"));
  calls.back().parts = lanes.nodes() - 1;
  return calls;
}

Task run_scan_lane(const LaneRank& rank) {
  const Slice part{.buffer = first_buffer};
  const Slice below{0, rank.args.message_bytes, second_buffer};
  const Slice own = rank.part_in(second_buffer);
  rank.me.allocate(rank.args.message_bytes);
  co_await rank.run_on_node(rank.calls.front(), {.recv = part});
  const InnerCall exscan = rank.on_part("exscan");
  co_await rank.run_on_lane(exscan, {.send = part, .recv = own});
  co_await rank.run_on_node(rank.calls[rank.calls.size() - 2]);
  if (rank.node == 0) co_return;
  co_await rank.run_on_node(rank.calls.back(), {.send = own, .recv = below});
  rank.me.combine(Slice{0, rank.args.message_bytes, recv_buffer}, below, Operand::left);
}

CallList scan_hier(const CollectiveArgs& args, const Lanes& lanes) {
  CallList calls{lanes.on_nodes("scan", args.message_bytes),
                 lanes.on_one_lane("exscan", args.message_bytes),
                 lanes.on_nodes("bcast", args.message_bytes, lanes.per_node() - 1)};
  calls.back().parts = lanes.nodes() - 1;
  return calls;
}

Task run_scan_hier(const LaneRank& rank) {
  const Slice below{0, rank.args.message_bytes, first_buffer};
  const Slice prefix{0, rank.args.message_bytes, recv_buffer};
  rank.me.allocate(rank.args.message_bytes);
  co_await rank.run_on_node(rank.calls[0]);
  if (rank.local + 1 == rank.lanes.per_node())
    co_await rank.run_on_lane(rank.calls[1], {.send = prefix, .recv = below});
  if (rank.node == 0) co_return;
  co_await rank.run_on_node(rank.calls[2], {.recv = below});
  rank.me.combine(prefix, below, Operand::left);
}

template <auto make_calls>
Seconds prefix_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return selection::cost_in_turn<make_calls>(args, cost) + cost.combine(args.call.message_bytes);
}

template <LaneCalls make_calls, LaneProgram program>
Mockup lane_scan_mockup(const MockupRow& row) {
  Mockup own = lane_mockup<make_calls, program>(row);
  own.algorithm.cost = prefix_cost<list_lane_calls<make_calls>>;
  return own;
}

}  // namespace

std::vector<Mockup> reducing_lane_mockups() {
  return {
      lane_mockup<allreduce_lane, run_allreduce_lane>({"R6"}),
      lane_mockup<allreduce_hier, run_allreduce_hier>({"R7"}),
      lane_mockup<reduce_hier, run_reduce_hier>({"R16"}),
      lane_mockup<reduce_lane, run_reduce_lane>({"R17"}),
      lane_mockup<reducescatterblock_hier, run_reducescatterblock_hier>({"R20"}),
      lane_mockup<reducescatterblock_lane, run_reducescatterblock_lane>({"R21"}),
      lane_scan_mockup<scan_hier, run_scan_hier>({"R23"}),
      lane_scan_mockup<scan_lane, run_scan_lane>({"R24"}),
  };
}

}  // namespace tutti::algorithms::guidelines
