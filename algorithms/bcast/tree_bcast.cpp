// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/bcast/tree_bcast.hpp"

namespace tutti::algorithms {

namespace {

Slice segment_of(const Segments& segments, std::int64_t index) {
  return segments.of({.bytes = segments.total_bytes(), .buffer = runtime::recv_buffer}, index);
}

// The frames of the coroutines below exist once per rank, so they have only what they need; that of
// this one exists while the rank sends. Sends one segment to all children, in their order.
Task send_to_all(Rank& me, const trees::Children& children, const Segments& segments,
                 std::int64_t index) {
  ShortList<Request, 4> sends;
  for (const RankId child : children)
    sends.push_back(me.isend({.to = child, .data = segment_of(segments, index)}));
  co_await me.wait_all(sends);
}

Task send_from_root(Rank& me, Segments segments, trees::Node node) {
  if (node.children.empty()) co_return;
  for (std::int64_t s = 0; s < segments.count(); ++s)
    co_await send_to_all(me, node.children, segments, s);
}

// The receive of a segment; none after the last one.
Request receive(Rank& me, RankId from, const Segments& segments, std::int64_t index) {
  if (index == segments.count()) return {};
  return me.irecv({.from = from, .data = segment_of(segments, index)});
}

// Posts the receive of segment `index` + 1 before it waits for that of `index`, `posted`.
runtime::WaitSequence arrival(Rank& me, RankId from, const Segments& segments, std::int64_t index,
                              Request& posted) {
  const Request following = receive(me, from, segments, index + 1);
  return me.wait(std::exchange(posted, following));
}

Task receive_and_forward(Rank& me, Segments segments, trees::Node node) {
  Request posted = receive(me, node.parent, segments, 0);
  for (std::int64_t s = 0; s < segments.count(); ++s) {
    co_await arrival(me, node.parent, segments, s, posted);
    if (!node.children.empty()) co_await send_to_all(me, node.children, segments, s);
  }
}

}  // namespace

Task tree_bcast(Rank& me, const CollectiveArgs& args, trees::Node node) {
  const Segments segments = segments_of(args);
  return node.parent == trees::no_parent ? send_from_root(me, segments, std::move(node))
                                         : receive_and_forward(me, segments, std::move(node));
}

std::int64_t tree_bcast_messages(const ModelArgs& args) {
  return (args.procs - 1) * segments_of(args.call).count();
}

Seconds segmented_cost(const Segments& segments, const TreePace& pace,
                       const models::MessageCost& cost) {
  const auto followers = static_cast<double>(segments.count() - 1);
  return pace.fill_s + followers * pace.root_children * cost.next(segments.longest_bytes());
}

Seconds segmented_cost(const Segments& segments, const trees::Shape& shape,
                       const models::MessageCost& cost) {
  const Bytes bytes = segments.longest_bytes();
  const Seconds fill_s =
      shape.levels * cost.hop(bytes) + (shape.root_children - shape.levels) * cost.next(bytes);
  return segmented_cost(segments, {.fill_s = fill_s, .root_children = shape.root_children}, cost);
}

}  // namespace tutti::algorithms
