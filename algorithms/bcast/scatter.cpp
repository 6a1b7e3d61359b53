// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/bcast/scatter.hpp"

#include <ranges>

#include "algorithms/segments.hpp"
#include "algorithms/trees.hpp"

namespace tutti::algorithms {

Blocks::Blocks(const CollectiveArgs& args, int procs) : message_bytes_(args.message_bytes) {
  const std::int64_t elements = elements_in(args.message_bytes, args.element_bytes);
  block_bytes_ = (elements + procs - 1) / procs * args.element_bytes;
}

Slice Blocks::run(std::int64_t first, std::int64_t count) const {
  const Bytes begin = std::min(message_bytes_, first * block_bytes_);
  const Bytes end = std::min(message_bytes_, (first + count) * block_bytes_);
  return {begin, end - begin, runtime::recv_buffer};
}

std::int64_t Blocks::filled() const {
  return message_bytes_ == 0 ? 0 : (message_bytes_ - 1) / block_bytes_ + 1;
}

bool too_few_to_scatter(const CollectiveArgs& args, int procs) {
  return elements_in(args.message_bytes, args.element_bytes) < procs;
}

namespace {

// The blocks of the subtree of v: up to the next v with the same or a higher lowest one bit.
Slice subtree(const Blocks& blocks, RankId v) { return blocks.run(v, v & -v); }

}  // namespace

Task scatter_blocks(Rank& me, CollectiveArgs args) {
  const Blocks blocks(args, me.size());
  const trees::Position at = trees::position_of(me, args.root);
  const trees::Node node = trees::in_order_binomial(at);
  if (node.parent != trees::no_parent) {
    const Slice mine = subtree(blocks, trees::shifted(at));
    if (mine.bytes > 0) co_await me.recv({.from = node.parent, .data = mine});
  }
  for (const RankId child : std::views::reverse(node.children)) {
    const Slice theirs =
        subtree(blocks, trees::shifted({.rank = child, .procs = at.procs, .root = at.root}));
    if (theirs.bytes > 0) co_await me.send({.to = child, .data = theirs});
  }
}

std::int64_t scatter_blocks_messages(const Blocks& blocks) { return blocks.filled() - 1; }

Seconds scatter_blocks_cost(const Blocks& blocks, int procs, const models::MessageCost& cost) {
  Seconds total_s = 0;
  for (std::int64_t mask = 1; mask < procs; mask *= 2) {
    const Slice sent = blocks.run(mask, mask);
    if (sent.bytes > 0) total_s += cost.hop(sent.bytes);
  }
  return total_s;
}

}  // namespace tutti::algorithms
