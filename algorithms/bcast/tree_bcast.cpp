// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/bcast/tree_bcast.hpp"

namespace tutti::algorithms {

namespace {

// isends one segment to all children, in their order.
void post_sends(Rank& me, const trees::Node& node, const Slice& segment,
                std::vector<Request>& sends) {
  for (std::size_t i = 0; i < node.children.size(); ++i)
    sends[i] = me.isend({.to = node.children[i], .data = segment});
}

// The frames of these coroutines exist once per rank, so they have only what they need.
Task send_from_root(Rank& me, Segments segments, Slice message, trees::Node node) {
  if (node.children.empty()) co_return;
  std::vector<Request> sends(node.children.size());
  for (std::int64_t s = 0; s < segments.count(); ++s) {
    post_sends(me, node, segments.of(message, s), sends);
    co_await me.wait_all(sends);
  }
}

// Posts the receive of segment s + 1 before it waits for segment s and forwards it.
Task receive_and_forward(Rank& me, Segments segments, Slice message, trees::Node node) {
  std::vector<Request> sends(node.children.size());
  Request current = me.irecv({.from = node.parent, .data = segments.of(message, 0)});
  for (std::int64_t s = 0; s < segments.count(); ++s) {
    Request following;
    if (s + 1 < segments.count())
      following = me.irecv({.from = node.parent, .data = segments.of(message, s + 1)});
    co_await me.wait(current);
    if (!sends.empty()) {
      post_sends(me, node, segments.of(message, s), sends);
      co_await me.wait_all(sends);
    }
    current = following;
  }
}

}  // namespace

Task tree_bcast(Rank& me, const CollectiveArgs& args, trees::Node node) {
  const Segments segments = segments_of(args);
  const Slice message{.bytes = args.message_bytes, .buffer = runtime::recv_buffer};
  return node.parent == trees::no_parent
             ? send_from_root(me, segments, message, std::move(node))
             : receive_and_forward(me, segments, message, std::move(node));
}

std::int64_t tree_bcast_messages(const ModelArgs& args) {
  return (args.procs - 1) * segments_of(args.call).count();
}

Seconds segmented_cost(const Segments& segments, const TreePace& pace,
                       const models::MessageCost& cost) {
  const auto followers = static_cast<double>(segments.count() - 1);
  return pace.fill_s + followers * pace.root_children * cost.next(segments.longest_bytes());
}

}  // namespace tutti::algorithms
