// SPDX-License-Identifier: BSD-3-Clause
// reduce_scatter_block by recursive doubling: in step d = 1, 2, 4, ... partners rank and rank xor d
// exchange all blocks except those of their own groups of d ranks, packed, and combine them.
// Preserves the order of the operands. Ranks whose partner does not exist receive the data from a
// rank of their own group. Derived, M = P m the whole vector: sum over d of exchange(M - d m) +
// combine(M - d m), and for each incomplete group the hops in which its data spread.

#include "algorithms/incomplete_groups.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace tutti::algorithms {
namespace {

// All blocks except those of the group of `size` ranks starting at `first`: two pieces of the
// vector.
class Outside {
 public:
  Outside(const RankBlocks& blocks, Shifted first, Shifted size)
      : lower_(blocks.run(0, std::min(first, blocks.count()))),
        upper_(blocks.run(std::min(first + size, blocks.count()),
                          std::max<Shifted>(0, blocks.count() - first - size))) {}

  Slice lower(std::int32_t buffer) const { return {lower_.offset, lower_.bytes, buffer}; }
  Slice upper(std::int32_t buffer) const { return {upper_.offset, upper_.bytes, buffer}; }
  // The message: a single non-empty piece itself, or both pieces, contiguous in the packing buffer.
  Slice message(std::int32_t buffer, std::int32_t packed) const {
    if (upper_.bytes == 0) return lower(buffer);
    if (lower_.bytes == 0) return upper(buffer);
    return {0, lower_.bytes + upper_.bytes, packed};
  }
  void pack(Rank& me, std::int32_t buffer, std::int32_t packed) const {
    if (!needs_packing()) return;
    const Slice all = message(buffer, packed);
    me.copy(all.part(0, lower_.bytes), lower(buffer));
    me.copy(all.part(lower_.bytes, upper_.bytes), upper(buffer));
  }
  void unpack(Rank& me, std::int32_t buffer, std::int32_t packed) const {
    if (!needs_packing()) return;
    const Slice all = message(buffer, packed);
    me.copy(lower(buffer), all.part(0, lower_.bytes));
    me.copy(upper(buffer), all.part(lower_.bytes, upper_.bytes));
  }
  // `into` := `from` (op) `into`.
  void combine(Rank& me, std::int32_t into, std::int32_t from) const {
    me.combine(lower(into), lower(from), Operand::left);
    me.combine(upper(into), upper(from), Operand::left);
  }
  void copy(Rank& me, std::int32_t into, std::int32_t from) const {
    me.copy(lower(into), lower(from));
    me.copy(upper(into), upper(from));
  }

 private:
  bool needs_packing() const { return lower_.bytes > 0 && upper_.bytes > 0; }

  Slice lower_;
  Slice upper_;
};

Task exchange_outside(Rank& me, RankBlocks blocks, bool commutative) {
  constexpr std::int32_t result = runtime::scratch_buffer;
  constexpr std::int32_t incoming = runtime::scratch_buffer + 1;
  constexpr std::int32_t packed_to_send = runtime::scratch_buffer + 2;
  constexpr std::int32_t packed_to_receive = runtime::scratch_buffer + 3;
  const trees::Position at = trees::position_of(me, 0);
  const Shifted rank = me.id();
  const Shifted procs = me.size();
  me.copy(blocks.run(0, procs, result), blocks.run(0, procs, runtime::send_buffer));
  for (Shifted mask = 1; mask < procs; mask *= 2) {
    const Shifted partner = rank ^ mask;
    const Shifted mine = round_down(rank, mask);
    const Shifted theirs = round_down(partner, mask);
    const Outside arriving(blocks, theirs, mask);
    const Slice message = arriving.message(incoming, packed_to_receive);
    if (partner < procs) {
      const Outside leaving(blocks, mine, mask);
      leaving.pack(me, result, packed_to_send);
      co_await me.sendrecv({.to = static_cast<RankId>(partner),
                            .send = leaving.message(result, packed_to_send),
                            .from = static_cast<RankId>(partner),
                            .recv = message});
    }
    const Shifted holders = procs - theirs;  // in the rank's half group
    if (holders < mask) co_await spread(me, at, mask, {.holders = holders, .data = message});
    if (holders <= 0) continue;
    arriving.unpack(me, incoming, packed_to_receive);
    if (commutative || theirs < mine) {
      arriving.combine(me, result, incoming);
    } else {
      arriving.combine(me, incoming, result);
      arriving.copy(me, result, incoming);
    }
  }
  me.copy(reduction::vector_in(runtime::recv_buffer, blocks.bytes(rank)),
          blocks.block(rank, result));
}

}  // namespace

Task reduce_scatter_by_doubling(Rank& me, RankBlocks blocks, bool commutative) {
  return exchange_outside(me, blocks, commutative);
}

namespace {

Task reduce_scatter_block_recursive_doubling(Rank& me, CollectiveArgs args) {
  return reduce_scatter_by_doubling(me, RankBlocks::of_blocks(args, me.size()), args.commutative);
}

Seconds reduce_scatter_block_recursive_doubling_cost(const ModelArgs& args,
                                                     const models::MessageCost& cost) {
  const Shifted procs = args.procs;
  Seconds total_s = 0;
  for (Shifted mask = 1; mask < procs; mask *= 2) {
    const Bytes bytes = (procs - mask) * args.call.message_bytes;
    total_s += cost.exchange(bytes) + cost.combine(bytes);
    const Shifted upper = round_down(procs - 1, 2 * mask) + mask;  // in the last group
    if (upper < procs && upper + mask > procs)
      total_s += spread_rounds(procs - upper, mask) * cost.hop(upper * args.call.message_bytes);
  }
  return total_s;
}

}  // namespace

std::int64_t reduce_scatter_by_doubling_messages(const ModelArgs& args) {
  std::int64_t total = 0;
  for (Shifted mask = 1; mask < args.procs; mask *= 2) total += doubling_messages(args.procs, mask);
  return total;
}

const Algorithm reduce_scatter_block::recursive_doubling{
    .program = reduction::program<reduce_scatter_block_recursive_doubling>,
    .cost = reduction::cost<reduce_scatter_block_recursive_doubling_cost>,
    .messages = reduction::messages<reduce_scatter_by_doubling_messages>,
};

}  // namespace tutti::algorithms
