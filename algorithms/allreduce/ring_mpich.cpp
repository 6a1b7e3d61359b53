// SPDX-License-Identifier: BSD-3-Clause
// MPICH's ring allreduce: blocks of ceil(n/P) elements, the last ones of which may be shorter or
// empty, travel around a ring and are combined; each ends at its rank. Then they travel around it
// again as in allgatherv's ring_mpich, in pieces of the segment size (by default 32 KiB). The first
// part sends empty blocks. Non-commutative operation: recursive_doubling.
// Derived: (P-1) (hop + c) of a block, then (P-1) hop of each of its pieces.
#include "algorithms/allgatherv/ring_of_pieces.hpp"
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/bcast/scatter.hpp"

namespace tutti::algorithms {
namespace {

Task combine_around(Rank& me, CollectiveArgs args) {
  const Blocks blocks(args, me.size());
  const std::int64_t procs = me.size();
  me.allocate(args.message_bytes);
  me.copy(reduction::vector_in(runtime::recv_buffer, args.message_bytes),
          reduction::vector_in(runtime::send_buffer, args.message_bytes));
  for (StepLoop steps(me, args.sample, 0, procs - 1); steps.next();) {
    const std::int64_t step = steps.step();
    const Slice kept = blocks.run((me.id() + procs - 1 - step) % procs, 1);
    const Slice incoming{.bytes = kept.bytes, .buffer = runtime::scratch_buffer};
    const Request requests[] = {
        me.irecv({.from = left_of(me.id(), step, me.size()), .data = incoming}),
        me.isend({.to = right_of(me.id(), step, me.size()),
                  .data = blocks.run((me.id() + procs - step) % procs, 1)})};
    co_await me.wait_all(requests);
    me.combine(kept, incoming, Operand::left);
  }
  co_await pass_pieces(me,
                       {.procs = procs,
                        .piece = ring_piece(blocks.run(0, 1).bytes, args),
                        .block = [blocks](std::int64_t rank) { return blocks.run(rank, 1); }},
                       args.sample, 1);
}

// Only if every rank has a block, and all pieces of a block have the same size.
std::vector<StepPhase> combine_around_steps(const ModelArgs& args) {
  const Blocks blocks(args.call, args.procs);
  const auto bytes_of = [blocks](std::int64_t block) { return blocks.run(block, 1).bytes; };
  const Bytes longest = bytes_of(0);
  const Bytes shortest = bytes_of(args.procs - 1);
  const Bytes piece = ring_piece(longest, args.call);
  if (shortest == 0 || longest % piece != 0 || (shortest != longest && piece != longest)) return {};
  StepPhase pass = around_a_ring(args.procs, 0, bytes_of);
  pass.count *= longest / piece;
  pass.message_bytes = piece;
  return {around_a_ring(args.procs, -1, bytes_of), pass};
}

Seconds combine_around_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes block = Blocks(args.call, args.procs).run(0, 1).bytes;
  return (args.procs - 1) * (cost.hop(block) + cost.combine(block) +
                             pieces_cost(block, ring_piece(block, args.call), cost));
}

std::int64_t combine_around_messages(const ModelArgs& args) {
  const Blocks blocks(args.call, args.procs);
  const Bytes longest = blocks.run(0, 1).bytes;
  const Bytes piece = ring_piece(longest, args.call);
  const std::int64_t whole = args.call.message_bytes / longest;  // blocks of the longest size
  const std::int64_t pieces =
      whole * pieces_in(longest, piece) + pieces_in(args.call.message_bytes % longest, piece);
  return (std::int64_t{args.procs} - 1) * (args.procs + pieces);
}

using RingMpich = OrElse<commutes, combine_around, combine_around_cost, combine_around_messages,
                         allreduce::recursive_doubling>;

std::vector<StepPhase> steps_if_commutative(const ModelArgs& args) {
  return args.call.commutative ? combine_around_steps(args) : std::vector<StepPhase>{};
}

}  // namespace

const Algorithm allreduce::ring_mpich{
    .segmented = true,
    .restriction = reduction::needs_commutative,
    .program = reduction::program<RingMpich::program>,
    .cost = reduction::cost<RingMpich::cost>,
    .messages = reduction::messages<RingMpich::messages>,
    .falls_back_to = RingMpich::falls_back_to,
    .steps = reduction::steps<steps_if_commutative>,
};

}  // namespace tutti::algorithms
