// SPDX-License-Identifier: BSD-3-Clause
// Split binary tree broadcast: the first half of the message flows down the left half of a binary
// tree, the second half down the right half; then each rank exchanges halves with its partner on
// the other side. All sends are blocking. A message that cannot be split (no element for the second
// half, or a segment larger than a half) silently goes down a chain of fan-out 1 instead.
//
// Costs are derived: the binary tree of Table 4.1 with ns segments of half 0 (the longer one; the
// root sends one half to each child, an inner rank one half to two children), then one exchange:
//   Hockney 2 (d + ns-1) (l + ms/b) + l + h0/b       d = ceil(log2(P+1)) - 1, h0 = half 0
//   LogGP   d (L + g + 2 (o + (ms-1) G)) + 2 (ns-1) (g + (ms-1) G) + o + max(g, L+o) + (h0-1) G

#include "algorithms/bcast/bcast.hpp"
#include "algorithms/bcast/tree_bcast.hpp"

namespace tutti::algorithms {

namespace {

struct Half {
  Slice data;
  Segments segments;

  Slice segment(std::int64_t index) const { return segments.of(data, index); }
};

struct Halves {
  Half left;   // half 0, the longer one
  Half right;  // half 1
};

// A segment size below one element means one element.
Bytes split_segment_bytes(const CollectiveArgs& args) {
  return args.segment_bytes > 0 ? std::max(args.segment_bytes, args.element_bytes) : 0;
}

// Whole elements only; unlike in the other broadcasts, the rest is never rounded up.
Half make_half(Bytes offset, Bytes bytes, const CollectiveArgs& args) {
  const Bytes elements = split_segment_bytes(args) / args.element_bytes;
  const Bytes segment_bytes = elements > 0 ? elements * args.element_bytes : bytes;
  return {{offset, bytes, runtime::recv_buffer}, {bytes, segment_bytes}};
}

// Returns nothing if the message cannot be split.
std::optional<Halves> split_halves(const CollectiveArgs& args) {
  const std::int64_t elements = elements_in(args.message_bytes, args.element_bytes);
  const Bytes left_bytes = (elements + 1) / 2 * args.element_bytes;
  const Bytes right_bytes = elements / 2 * args.element_bytes;
  if (right_bytes == 0 || split_segment_bytes(args) > right_bytes) return std::nullopt;
  return Halves{make_half(0, left_bytes, args), make_half(left_bytes, right_bytes, args)};
}

CollectiveArgs chain_instead(CollectiveArgs args) {
  args.segment_bytes = split_segment_bytes(args);
  args.fanout = 1;
  return args;
}

Task send_halves(Rank& me, const trees::Node& node, const Halves& halves) {
  const bool has_right_child = node.children.size() > 1;
  for (std::int64_t s = 0; s < halves.left.segments.count(); ++s) {
    co_await me.send({.to = node.children[0], .data = halves.left.segment(s)});
    if (has_right_child && s < halves.right.segments.count())
      co_await me.send({.to = node.children[1], .data = halves.right.segment(s)});
  }
}

Task receive_half(Rank& me, const trees::Node& node, const Half& half) {
  for (std::int64_t s = 0; s < half.segments.count(); ++s)
    co_await me.recv({.from = node.parent, .data = half.segment(s)});
}

Task forward_half(Rank& me, const trees::Node& node, const Half& half) {
  Request current = me.irecv({.from = node.parent, .data = half.segment(0)});
  for (std::int64_t s = 0; s < half.segments.count(); ++s) {
    Request following;
    if (s + 1 < half.segments.count())
      following = me.irecv({.from = node.parent, .data = half.segment(s + 1)});
    co_await me.wait(current);
    for (const RankId child : node.children)
      co_await me.send({.to = child, .data = half.segment(s)});
    current = following;
  }
}

// Odd v pairs with v + 1, even v with v - 1. If P is even, the last rank's partner is the root.
Task exchange_halves(Rank& me, const trees::Position& at, const Halves& halves) {
  const RankId v = trees::shifted(at);
  const RankId last = at.procs - 1;
  const bool last_is_single = at.procs % 2 == 0;
  if (v == 0) {
    if (last_is_single)
      co_await me.send({.to = trees::unshifted(at, last), .data = halves.right.data});
  } else if (v == last && last_is_single) {
    co_await me.recv({.from = at.root, .data = halves.right.data});
  } else {
    const bool is_left = v % 2 == 1;
    const RankId partner = trees::unshifted(at, is_left ? v + 1 : v - 1);
    co_await me.sendrecv({.to = partner,
                          .send = is_left ? halves.left.data : halves.right.data,
                          .from = partner,
                          .recv = is_left ? halves.right.data : halves.left.data});
  }
}

Task send_both_ways(Rank& me, CollectiveArgs args, Halves halves) {
  const trees::Position at = trees::position_of(me, args.root);
  const trees::Node node = trees::binary(at);
  const Half& mine = trees::shifted(at) % 2 == 1 ? halves.left : halves.right;
  if (node.parent == trees::no_parent)
    co_await send_halves(me, node, halves);
  else if (node.children.empty())
    co_await receive_half(me, node, mine);
  else
    co_await forward_half(me, node, mine);
  co_await exchange_halves(me, at, halves);
}

Task nothing_to_do() { co_return; }

Task bcast_split_binary_tree(Rank& me, CollectiveArgs args) {
  if (me.size() == 1) return nothing_to_do();
  const std::optional<Halves> halves = split_halves(args);
  return halves ? send_both_ways(me, args, *halves) : bcast_chain(me, chain_instead(args));
}

Seconds bcast_split_binary_tree_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const std::optional<Halves> halves = split_halves(args.call);
  if (!halves) return bcast_chain_cost({args.procs, chain_instead(args.call)}, cost);
  return binary_tree_cost(args.procs, halves->left.segments, cost) +
         cost.exchange(halves->left.data.bytes);
}

// Cost of the binary tree for half 0, then one exchange of halves.
models::StageForm bcast_split_binary_tree_stages(const ModelArgs& args,
                                                 const models::Gamma& gamma) {
  const std::optional<Halves> halves = split_halves(args.call);
  if (!halves) return bcast_chain_stages({args.procs, chain_instead(args.call)}, gamma);
  auto form = models::tree_stages(binary_tree_levels(args.procs), halves->left.segments, gamma);
  models::add(form, {.bytes = halves->left.data.bytes, .count = 1, .hops = 1});
  return form;
}

// Each rank except the root receives the segments of its side's half (odd shifted ranks: the left
// half), and later the other half in one message.
std::int64_t bcast_split_binary_tree_messages(const ModelArgs& args) {
  const std::optional<Halves> halves = split_halves(args.call);
  if (!halves) return tree_bcast_messages({args.procs, chain_instead(args.call)});
  const std::int64_t left_ranks = args.procs / 2;
  const std::int64_t right_ranks = (args.procs - 1) / 2;
  return left_ranks * (halves->left.segments.count() + 1) +
         right_ranks * (halves->right.segments.count() + 1);
}

std::string_view bcast_split_binary_tree_falls_back_to(const ModelArgs& args) {
  return args.procs == 1 || split_halves(args.call) ? "" : "chain";
}

}  // namespace

const Algorithm bcast::split_binary_tree{
    .segmented = true,
    .restriction = "at least 2 elements, segments up to half the message",
    .program = bcast_split_binary_tree,
    .cost = bcast_split_binary_tree_cost,
    .stages = bcast_split_binary_tree_stages,
    .messages = bcast_split_binary_tree_messages,
    .falls_back_to = bcast_split_binary_tree_falls_back_to,
};

}  // namespace tutti::algorithms
