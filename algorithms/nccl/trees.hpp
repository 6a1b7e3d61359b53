// SPDX-License-Identifier: BSD-3-Clause
// NCCL's double binary trees (NVIDIA/nccl 2.19 to 2.28, src/graph/trees.cc and connect.cc). The
// nodes form two binary trees in which a node that has children in one is a leaf of the other
// (Sanders, Speck, Traeff, Parallel Computing 35(12), 2009); the first half of the channels uses
// the first tree, the others the second one. Inside a node, the GPUs of a channel's path (Ring)
// form a chain: the first is connected with the parent node and with the second child, the second
// one with the first child.
#pragma once

#include "algorithms/nccl/channels.hpp"

namespace tutti::algorithms::nccl {

// The neighbors of a node in a tree; -1: none.
struct NodeInTree {
  RankId parent = -1;
  bool is_first_child = false;
  std::array<RankId, 2> children{-1, -1};
};

NodeInTree find_in_first_tree(RankId node, RankId nodes);
// The same tree for the nodes in reverse order, or shifted by one node if their number is odd.
NodeInTree find_in_second_tree(RankId node, RankId nodes);

// The neighbors of a rank in the tree of a channel.
struct RankInTree {
  std::optional<RankId> parent{};
  std::vector<RankId> children{};
};

RankInTree find_in_tree(const Hierarchy& nodes, RankId rank, int channel, int channels);

}  // namespace tutti::algorithms::nccl
