// SPDX-License-Identifier: BSD-3-Clause
// The broadcast down a tree that chain, pipeline, binary_tree, binomial and knomial share
// (ompi_coll_base_bcast_intra_generic): they differ in the tree only.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/models/message_cost.hpp"
#include "algorithms/segments.hpp"
#include "algorithms/trees.hpp"

namespace tutti::algorithms {

// Segment by segment: a parent sends one to all children and waits for all these sends before the
// next; below the root at most two receives are outstanding.
runtime::Task tree_bcast(runtime::Rank& me, const CollectiveArgs& args, trees::Node node);
// Each segment once to every rank but the root.
std::int64_t tree_bcast_messages(const ModelArgs& args);

// The time until a tree's last rank has all ns segments: `fill` for the first one, then the others
// follow at the pace of the root, which sends each to all its children:
//   fill + (ns - 1) * root_children * next(segment)
struct TreePace {
  Seconds fill_s = 0;
  double root_children = 0;
};
Seconds segmented_cost(const Segments& segments, const TreePace& pace,
                       const models::MessageCost& cost);
// Of the binary tree; split_binary_tree uses it too.
Seconds binary_tree_cost(int procs, const Segments& segments, const models::MessageCost& cost);

}  // namespace tutti::algorithms
