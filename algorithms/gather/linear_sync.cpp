// SPDX-License-Identifier: BSD-3-Clause
// Synchronized linear gather: for one rank after the other, the root requests the block with an
// empty message and waits for its first piece (of `segment_bytes`; 0: the whole block); the second
// piece, which may be empty, follows while the root requests the next block.
//   Derived, f = first piece, r = m - f: the root is done with a rank when it has the first piece
//   or, if that takes longer, when both pieces have arrived; the rest of the last rank comes at the
//   end: (P-2) max(hop(0) + hop(f), next(f) + next(r)) + hop(0) + hop(f) + next(r) Hockney, r > 0:
//   (P-1) (2 l + m/b) + l LogGP:  (P-2) max(2 L + 4 o + (f-1) G, 2 g + (m-2) G) + 2 L + 4 o + (f-1)
//   G + g + (r-1) G

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

struct GatherPieces {
  Slice first;
  Slice rest;
};

GatherPieces pieces_of(const Slice& block, const CollectiveArgs& args) {
  const Bytes first = segments_of(args).longest_bytes();
  return {block.part(0, first), block.part(first, block.bytes - first)};
}

Task send_when_requested(Rank& me, CollectiveArgs args) {
  const GatherPieces mine =
      pieces_of({.bytes = args.message_bytes, .buffer = runtime::send_buffer}, args);
  co_await me.recv({.from = args.root});
  co_await me.send({.to = args.root, .data = mine.first});
  co_await me.send({.to = args.root, .data = mine.rest});
}

Task ask_everyone(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  std::vector<Request> rests;
  rests.reserve(static_cast<std::size_t>(me.size()) - 1);
  for (RankId from = 0; from < me.size(); ++from) {
    if (from == me.id()) continue;
    const GatherPieces theirs = pieces_of(blocks.block(from), args);
    const Request first = me.irecv({.from = from, .data = theirs.first});
    co_await me.send({.to = from});
    rests.push_back(me.irecv({.from = from, .data = theirs.rest}));
    co_await me.wait(first);
  }
  me.copy(blocks.block(me.id()), {.bytes = args.message_bytes, .buffer = runtime::send_buffer});
  co_await me.wait_all(rests);
}

Task gather_linear_sync(Rank& me, CollectiveArgs args) {
  return me.id() == args.root ? ask_everyone(me, args) : send_when_requested(me, args);
}

Seconds gather_linear_sync_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const GatherPieces pieces = pieces_of({.bytes = args.call.message_bytes}, args.call);
  const Seconds first_s = cost.hop(0) + cost.hop(pieces.first.bytes);
  const Seconds rest_s = cost.next(pieces.rest.bytes);
  const Seconds both_s = cost.next(pieces.first.bytes) + rest_s;
  return (args.procs - 2) * std::max(first_s, both_s) + first_s + rest_s;
}

std::int64_t gather_linear_sync_messages(const ModelArgs& args) {
  return 3 * (static_cast<std::int64_t>(args.procs) - 1);
}

}  // namespace

const Algorithm gather::linear_sync{
    .segmented = true,
    .program = gather_linear_sync,
    .cost = gather_linear_sync_cost,
    .messages = gather_linear_sync_messages,
};

}  // namespace tutti::algorithms
