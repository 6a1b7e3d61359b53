// SPDX-License-Identifier: BSD-3-Clause
// The tree broadcast shared by chain, pipeline, binary_tree, binomial and knomial
// (ompi_coll_base_bcast_intra_generic), which differ only in the tree.
#pragma once

#include "algorithms/models/message_cost.hpp"
#include "algorithms/models/stages.hpp"
#include "algorithms/trees.hpp"

namespace tutti::algorithms {

// Segment by segment: a parent sends a segment to all children and waits for all these sends before
// the next segment; below the root at most two receives are pending.
Task tree_bcast(Rank& me, const CollectiveArgs& args, trees::Node node);
// Each segment is sent once to every rank except the root.
std::int64_t tree_bcast_messages(const ModelArgs& args);

// The time until the last rank of a tree has all ns segments: `fill` for the first segment, then
// the others follow at the pace of the root, which sends each of them to all its children:
//   fill + (ns - 1) * root_children * next(segment)
struct TreePace {
  Seconds fill_s = 0;
  double root_children = 0;
};
Seconds segmented_cost(const Segments& segments, const TreePace& pace,
                       const models::MessageCost& cost);
// The same for a tree in which the rank that is served last on every level is d levels down, after
// C children of the root: fill d hop + (C - d) next.
Seconds segmented_cost(const Segments& segments, const trees::Shape& shape,
                       const models::MessageCost& cost);
// The cost and the levels of the binary tree, which split_binary_tree also has.
Seconds binary_tree_cost(int procs, const Segments& segments, const models::MessageCost& cost);
std::vector<models::TreeLevels> binary_tree_levels(int procs);

// Levels of a tree in which, on every level, the first child of the first rank has the most
// children. `node_of` returns a rank's node in the tree with root 0.
template <class NodeOf>
std::vector<models::TreeLevels> levels_by_first_child(const NodeOf& node_of) {
  std::vector<models::TreeLevels> levels;
  for (trees::Node node = node_of(0); !node.children.empty(); node = node_of(node.children.front()))
    levels.push_back({.levels = 1, .children = static_cast<double>(node.children.size())});
  return levels;
}

}  // namespace tutti::algorithms
