// SPDX-License-Identifier: BSD-3-Clause
// The tree reduction shared by chain, pipeline, binary, binomial and in-order_binary
// (ompi_coll_base_reduce_generic), which differ only in the tree.
#pragma once

#include "algorithms/models/message_cost.hpp"
#include "algorithms/reduction.hpp"
#include "algorithms/segments.hpp"
#include "algorithms/trees.hpp"

namespace tutti::algorithms {

// Segment by segment, child by child: a rank posts the next receive before it waits for the current
// one and combines it, and sends a segment to its parent with a blocking send when the data of the
// last child have arrived. Leaves send all segments with blocking sends, or have at most
// `max_requests` pending synchronous sends. A rank with children collects the result in buffer
// `into`; the operands of children precede its own, those of later children precede those of
// earlier ones. Requires at least one byte and two ranks.
Task tree_reduce(Rank& me, CollectiveArgs args, trees::Node node, std::int32_t into);
// For trees with the call's root: the root collects the result in recv_buffer, other ranks in the
// scratch buffer.
Task tree_reduce(Rank& me, const CollectiveArgs& args, trees::Node node);
// Each segment is sent once by every rank except the tree's root.
std::int64_t tree_reduce_messages(const ModelArgs& args);

// The time until the root has all ns segments. The first segment takes the longest path:
//   hops * hop + nexts * next + combines * combine
// the others follow at the pace of the root: root_children * (next + combine) each.
struct WayUp {
  double hops = 0;
  double nexts = 0;
  double combines = 0;
  double root_children = 0;
};
Seconds way_up_cost(const Segments& segments, const WayUp& way, const models::MessageCost& cost);
// For trees in which each level waits for two children: binary, in-order_binary.
Seconds two_children_cost(const ModelArgs& args, const models::MessageCost& cost);

// The entry of an algorithm with such a tree.
constexpr Algorithm up_a_tree(Algorithm algorithm) {
  algorithm.segmented = true;
  algorithm.limits_requests = true;
  algorithm.restriction = reduction::needs_commutative;
  algorithm.messages = reduction::messages<tree_reduce_messages>;
  algorithm.runs = reduction::is_commutative;
  return algorithm;
}

}  // namespace tutti::algorithms
