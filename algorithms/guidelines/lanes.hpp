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
  RankId node_of(RankId rank) const { return rank / per_node_; }
  RankId local_of(RankId rank) const { return rank % per_node_; }
  RankId root_node() const { return node_of(args_.root); }
  RankId root_local() const { return local_of(args_.root); }
  bool is_on_root_node(RankId rank) const { return node_of(rank) == root_node(); }
  // Whether the rank is on the root's lane.
  bool is_peer(RankId rank) const { return local_of(rank) == root_local(); }

  NodeParts parts() const;

  // A call on every node, or on `count` of them.
  InnerCall on_nodes(std::string_view collective, Bytes bytes, RankId root = 0) const;
  InnerCall on_some_nodes(std::int64_t count, std::string_view collective, Bytes bytes,
                          RankId root = 0) const;
  // The same with the collective for equal blocks, or with counts.
  InnerCall on_parts(std::string_view equal, std::string_view uneven, const NodeParts& parts,
                     RankId root = 0) const;
  // A call on every lane, on one lane, or on a part of the vector on every lane.
  InnerCall on_lanes(std::string_view collective, Bytes bytes, RankId root = 0) const;
  InnerCall on_one_lane(std::string_view collective, Bytes bytes, RankId root = 0) const;
  void add_on_lanes(CallList& calls, std::string_view collective, const NodeParts& parts,
                    RankId root = 0) const;

 private:
  CollectiveArgs inside(Bytes bytes, RankId root, const NodeShape& nodes) const;

  CollectiveArgs args_;
  RankId per_node_ = 1;
  RankId nodes_ = 1;
};

// Runs a call on the node or on the lane of `me`. `call` must outlive the task.
Task run_on_node(Rank& me, Lanes lanes, const InnerCall& call, Buffers buffers = {});
Task run_on_lane(Rank& me, Lanes lanes, const InnerCall& call, Buffers buffers = {});

// Copies the blocks of all ranks from a buffer in the order of the lanes (block i L + j: rank i of
// node j) to one in rank order (block j N + i), or back.
void copy_lanes_to_ranks(Rank& me, const Lanes& lanes, Bytes block_bytes, std::int32_t by_lane,
                         std::int32_t by_rank);
void copy_ranks_to_lanes(Rank& me, const Lanes& lanes, Bytes block_bytes, std::int32_t by_rank,
                         std::int32_t by_lane);

// Such a mock-up.
template <auto calls_of>
Mockup lane_mockup(const MockupRow& row) {
  Mockup own = mockup<calls_of>(row);
  own.library = lane_library;
  own.algorithm.reference = "Traeff, Hunold, IEEE CLUSTER 2020";
  own.algorithm.by_nodes = true;
  return own;
}

}  // namespace tutti::algorithms::guidelines
