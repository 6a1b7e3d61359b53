// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/reduce/tree_reduce.hpp"

#include "algorithms/reduction.hpp"

namespace tutti::algorithms {

namespace {

// The work of a rank with c children, as a sequence of steps: step k is child k mod c of segment
// k/c.
class Steps {
 public:
  Steps(const CollectiveArgs& args, const trees::Node& node, std::int32_t into)
      : segments_(segments_of(args)),
        children_(static_cast<std::int64_t>(node.children.size())),
        result_(reduction::vector_in(into, args.message_bytes)),
        mine_(reduction::vector_in(runtime::send_buffer, args.message_bytes)),
        commutative_(args.commutative) {}

  std::int64_t count() const { return segments_.count() * children_; }
  std::size_t child(std::int64_t step) const { return static_cast<std::size_t>(step % children_); }
  bool ends_segment(std::int64_t step) const { return (step + 1) % children_ == 0; }
  // The result's segment for the step.
  Slice result(std::int64_t step) const { return segments_.of(result_, step / children_); }

  // If the operation is commutative, the first child's data go directly into the result; other data
  // go alternately into one of two buffers.
  Slice incoming(std::int64_t step) const {
    if (commutative_ && child(step) == 0) return result(step);
    return {.bytes = result(step).bytes,
            .buffer = runtime::scratch_buffer + 1 + static_cast<std::int32_t>(step % 2)};
  }
  // The operand to combine with the result: for that first child the rank's own data.
  Slice operand(std::int64_t step) const {
    if (commutative_ && child(step) == 0) return segments_.of(mine_, step / children_);
    return incoming(step);
  }
  // Allocates two buffers for incoming data, and one for a result that is forwarded.
  void allocate(Rank& me) const {
    if (result_.buffer != runtime::recv_buffer) me.allocate(result_.bytes);
    if (children_ > 1 || !commutative_)
      for (int buffer = 0; buffer < 2; ++buffer) me.allocate(incoming(count() - 1).bytes);
  }
  // Non-commutative: the result must contain the rank's own data before any child's data arrive.
  void begin(Rank& me) const {
    if (!commutative_) me.copy(result_, mine_);
  }

 private:
  Segments segments_;
  std::int64_t children_;
  Slice result_;
  Slice mine_;
  bool commutative_;
};

Task gather_from_children(Rank& me, Steps steps, trees::Node node) {
  steps.allocate(me);
  steps.begin(me);
  Request current;
  for (std::int64_t step = 0; step <= steps.count(); ++step) {
    Request following;
    if (step < steps.count())
      following =
          me.irecv({.from = node.children[steps.child(step)], .data = steps.incoming(step)});
    if (step > 0) {
      co_await me.wait(current);
      me.combine(steps.result(step - 1), steps.operand(step - 1), Operand::left);
      if (steps.ends_segment(step - 1) && node.parent != trees::no_parent)
        co_await me.send({.to = node.parent, .data = steps.result(step - 1)});
    }
    current = following;
  }
}

Task send_in_window(Rank& me, CollectiveArgs args, RankId to) {
  const Segments segments = segments_of(args);
  const Slice mine = reduction::vector_in(runtime::send_buffer, args.message_bytes);
  std::vector<Request> window(static_cast<std::size_t>(args.max_requests));
  for (std::int64_t s = 0; s < segments.count(); ++s) {
    Request& slot = window[static_cast<std::size_t>(s % args.max_requests)];
    if (s >= args.max_requests) co_await me.wait(slot);
    slot = me.issend({.to = to, .data = segments.of(mine, s)});
  }
  co_await me.wait_all(window);
}

Task send_one_by_one(Rank& me, CollectiveArgs args, RankId to) {
  const Segments segments = segments_of(args);
  const Slice mine = reduction::vector_in(runtime::send_buffer, args.message_bytes);
  for (std::int64_t s = 0; s < segments.count(); ++s)
    co_await me.send({.to = to, .data = segments.of(mine, s)});
}

}  // namespace

Task tree_reduce(Rank& me, CollectiveArgs args, trees::Node node, std::int32_t into) {
  if (!node.children.empty()) {
    const Steps steps(args, node, into);
    return gather_from_children(me, steps, std::move(node));
  }
  const bool in_window = args.max_requests > 0 && segments_of(args).count() > args.max_requests;
  return in_window ? send_in_window(me, args, node.parent) : send_one_by_one(me, args, node.parent);
}

Task tree_reduce(Rank& me, const CollectiveArgs& args, trees::Node node) {
  return tree_reduce(me, args, std::move(node),
                     me.id() == args.root ? runtime::recv_buffer : runtime::scratch_buffer);
}

std::int64_t tree_reduce_messages(const ModelArgs& args) {
  return (args.procs - 1) * segments_of(args.call).count();
}

Seconds way_up_cost(const Segments& segments, const WayUp& way, const models::MessageCost& cost) {
  const Bytes bytes = segments.longest_bytes();
  const auto followers = static_cast<double>(segments.count() - 1);
  return way.hops * cost.hop(bytes) + way.nexts * cost.next(bytes) +
         way.combines * cost.combine(bytes) +
         followers * way.root_children * (cost.next(bytes) + cost.combine(bytes));
}

Seconds two_children_cost(const ModelArgs& args, const models::MessageCost& cost) {
  // floor(log2 P) is the number of bits of P minus one.
  const double levels = std::bit_width(static_cast<unsigned>(args.procs)) - 1;
  return way_up_cost(segments_of(args.call),
                     {.hops = levels, .nexts = levels, .combines = 2 * levels, .root_children = 2},
                     cost);
}

}  // namespace tutti::algorithms
