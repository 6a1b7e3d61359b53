// SPDX-License-Identifier: BSD-3-Clause
// The reduction up a tree that chain, pipeline, binary, binomial and in-order_binary share
// (ompi_coll_base_reduce_generic): they differ in the tree only.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/models/message_cost.hpp"
#include "algorithms/segments.hpp"
#include "algorithms/trees.hpp"

namespace tutti::algorithms {

// Segment by segment, child by child: the next receive is posted before the one before is waited
// for and combined; a segment goes up by a blocking send when its last child is in. Leaves send
// all segments by blocking sends, or hold at most `max_requests` synchronous ones under way.
// A rank with children gathers the result in buffer `into`; children's operands come before its
// own, the later child's before the earlier one's. At least one byte, and two ranks.
Task tree_reduce(Rank& me, CollectiveArgs args, trees::Node node, std::int32_t into);
// For trees whose root is the call's: it gathers in recv_buffer, others in scratch.
Task tree_reduce(Rank& me, const CollectiveArgs& args, trees::Node node);
// Each segment once from every rank but the tree's root.
std::int64_t tree_reduce_messages(const ModelArgs& args);

// The time until the root has all ns segments. The first takes the longest way up:
//   hops * hop + nexts * next + combines * combine
// the others follow at the pace of the root: root_children * (next + combine) each.
struct WayUp {
  double hops = 0;
  double nexts = 0;
  double combines = 0;
  double root_children = 0;
};
Seconds way_up_cost(const Segments& segments, const WayUp& way, const models::MessageCost& cost);
// Of a tree in which each level waits for two children: binary, in-order_binary.
Seconds two_children_cost(const ModelArgs& args, const models::MessageCost& cost);

}  // namespace tutti::algorithms
