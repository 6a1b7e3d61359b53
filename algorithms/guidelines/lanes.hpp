// SPDX-License-Identifier: BSD-3-Clause
// The decomposition of a communicator into nodes and lanes of TU Wien's lane collectives (Traeff,
// Hunold, "Decomposing collectives for exploiting multi-lane communication", CLUSTER 2020;
// parlab-tuwien/mpi-lane-collectives). The N ranks of each of L nodes are consecutive; lane i
// contains the ranks with number i in their nodes. If the nodes differ in size, their ranks are not
// consecutive, all ranks are on one node, or the nodes are unknown, each rank is a node, and all
// ranks form one lane. The library calls MPI's own collectives (PMPI) inside, never its mock-ups.
#pragma once

#include "algorithms/guidelines/run_call.hpp"
#include "algorithms/hierarchical/hierarchy.hpp"

namespace tutti::algorithms::guidelines {

// A vector divided over the ranks of a node: blocks of floor(n/N) elements; the last one also has
// the rest.
struct NodeParts {
  Bytes block_bytes = 0;
  Bytes last_bytes = 0;
  std::shared_ptr<const Counts> counts = {};  // null: the blocks are equal

  Bytes bytes(RankId local, RankId per_node) const {
    return local + 1 == per_node ? last_bytes : block_bytes;
  }
};

using CallList = std::vector<InnerCall>;

class Lanes {
 public:
  Lanes(const CollectiveArgs& args, int procs);

  RankId per_node() const { return per_node_; }  // N
  RankId nodes() const { return nodes_; }        // L
  RankId node(RankId rank) const { return rank / per_node_; }
  RankId local(RankId rank) const { return rank % per_node_; }
  RankId root_node() const { return node(args_.root); }
  RankId root_local() const { return local(args_.root); }
  RankId procs() const { return nodes_ * per_node_; }
  NodeParts parts() const;

  // A call on every node, or on `count` of them.
  InnerCall on_nodes(std::string_view collective, Bytes bytes, RankId root = 0) const;
  InnerCall on_some_nodes(std::int64_t count, std::string_view collective, Bytes bytes,
                          RankId root = 0) const;
  // A call on the parts of the vector, by the collective for equal blocks or that with counts: on
  // every node, or on the root's node.
  InnerCall on_parts(std::string_view equal, std::string_view uneven, RankId root = 0) const;
  InnerCall on_parts_at_root(std::string_view equal, std::string_view uneven) const;
  // A call on every lane, on one lane, or on a part of the vector on every lane.
  InnerCall on_lanes(std::string_view collective, Bytes bytes, RankId root = 0) const;
  InnerCall on_one_lane(std::string_view collective, Bytes bytes, RankId root = 0) const;
  void add_on_lanes(CallList& calls, std::string_view collective, RankId root = 0) const;

 private:
  CollectiveArgs inside(Bytes bytes, RankId root, const NodeShape& nodes) const;

  CollectiveArgs args_;
  RankId per_node_ = 1;
  RankId nodes_ = 1;
};

// A rank that runs a mock-up by lanes: the calls of the mock-up, and the rank's place in the
// decomposition.
struct LaneRank {
  bool is_on_root_node() const { return node == lanes.root_node(); }
  bool is_on_root_lane() const { return local == lanes.root_local(); }
  bool is_root() const { return is_on_root_node() && is_on_root_lane(); }
  // Bytes of a message for each rank of a node, or of a lane.
  Bytes node_bytes() const { return lanes.per_node() * args.message_bytes; }
  Bytes lane_bytes() const { return lanes.nodes() * args.message_bytes; }
  // The rank's part of the vector in a buffer, and the call of its lane on this part.
  Bytes part_bytes() const { return lanes.parts().bytes(local, lanes.per_node()); }
  Slice part_in(std::int32_t buffer) const {
    return {.offset = local * lanes.parts().block_bytes, .buffer = buffer};
  }
  InnerCall on_part(std::string_view collective, RankId root = 0) const {
    return lanes.on_lanes(collective, part_bytes(), root);
  }

  // Runs a call on the rank's node or lane. `call` must outlive the task.
  Task run_on_node(const InnerCall& call, Buffers buffers = {}) const;
  Task run_on_lane(const InnerCall& call, Buffers buffers = {}) const;

  // Copies the blocks of all ranks from a buffer in the order of the lanes (block i L + j: rank i
  // of node j) to one in rank order (block j N + i), or back.
  void copy_lanes_to_ranks(std::int32_t by_lane, std::int32_t by_rank) const {
    copy_blocks(by_lane, by_rank, true);
  }
  void copy_ranks_to_lanes(std::int32_t by_rank, std::int32_t by_lane) const {
    copy_blocks(by_lane, by_rank, false);
  }
  void copy_blocks(std::int32_t by_lane, std::int32_t by_rank, bool to_ranks) const;

  Rank& me;
  const CollectiveArgs& args;
  const Lanes& lanes;
  const CallList& calls;
  RankId node = lanes.node(me.id());
  RankId local = lanes.local(me.id());  // number in the node, and of the lane
};

// The calls of a mock-up, and its program.
using LaneCalls = CallList (*)(const CollectiveArgs& args, const Lanes& lanes);
using LaneProgram = Task (*)(const LaneRank& rank);

template <LaneCalls make_calls>
CallList list_lane_calls(const CollectiveArgs& args, int procs) {
  return make_calls(args, Lanes(args, procs));
}

template <LaneCalls make_calls, LaneProgram program>
Task run_lane_program(Rank& me, CollectiveArgs args) {
  const Lanes lanes(args, me.size());
  const CallList calls = make_calls(args, lanes);
  const LaneRank rank{me, args, lanes, calls};
  co_await program(rank);
}

template <LaneCalls make_calls, LaneProgram program>
Mockup lane_mockup(MockupRow row) {
  row.program = run_lane_program<make_calls, program>;
  Mockup own = mockup<list_lane_calls<make_calls>>(row);
  own.library = lane_library;
  own.algorithm.reference = "Traeff, Hunold, IEEE CLUSTER 2020";
  own.algorithm.by_nodes = true;
  return own;
}

}  // namespace tutti::algorithms::guidelines
