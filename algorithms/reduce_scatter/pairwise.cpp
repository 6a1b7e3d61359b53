// SPDX-License-Identifier: BSD-3-Clause
// MPICH's pairwise reduce_scatter for long vectors: in step s = 1, 2, ... each rank sends its
// contribution to the block of rank + s there, receives one to its own block from rank - s, and
// combines it. Non-commutative operation: MPICH's decision tree chooses again.
// Derived: (P-1) (exchange + combine) of the longest block.
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace tutti::algorithms {
namespace {

Task exchange_contributions(Rank& me, CollectiveArgs args, RankBlocks blocks) {
  const Slice result = reduction::vector_in(runtime::recv_buffer, blocks.bytes(me.id()));
  const Slice incoming = reduction::vector_in(runtime::scratch_buffer, result.bytes);
  me.allocate(incoming.bytes);
  me.copy(result, blocks.block(me.id(), runtime::send_buffer));
  for (StepLoop steps(me, args.sample, 0, me.size() - 1); steps.next();) {
    const RankId to = steps_above(me.id(), steps.step(), me.size());
    co_await me.sendrecv({.to = to,
                          .send = blocks.block(to, runtime::send_buffer),
                          .from = steps_below(me.id(), steps.step(), me.size()),
                          .recv = incoming});
    me.combine(result, incoming, Operand::left);
  }
}

Seconds contributions_cost(const RankBlocks& blocks, const models::MessageCost& cost) {
  const Bytes longest = blocks.longest();
  return static_cast<double>(blocks.count() - 1) * (cost.exchange(longest) + cost.combine(longest));
}

// Every message has the size of its receiver's block.
std::vector<StepPhase> contributions_steps(const RankBlocks& blocks) {
  if (!blocks.first_is_longest()) return {};
  StepPhase steps{.count = blocks.count() - 1,
                  .message_bytes = blocks.bytes(0),
                  .to = steps_above,
                  .from = steps_below};
  if (!blocks.equal())
    steps.block_bytes = [blocks](std::int64_t rank) { return blocks.bytes(rank); };
  return {steps};
}

// What MPICH's tree chooses for an operation that does not commute.
const Algorithm& in_order_of_vector(const ModelArgs& args) {
  const bool mirrors =
      mpich::is_power_of_two(args.procs) && RankBlocks::of_vector(args.call, args.procs).equal();
  return mirrors ? reduce_scatter::noncommutative : reduce_scatter::recursive_doubling;
}
const Algorithm& in_order_of_blocks(const ModelArgs& args) {
  return mpich::is_power_of_two(args.procs) ? reduce_scatter_block::butterfly
                                            : reduce_scatter_block::recursive_doubling;
}

// Both collectives: their blocks, and what runs if the operation does not commute.
template <auto blocks_of, auto in_order>
struct Contributions {
  static Task program(Rank& me, CollectiveArgs args) {
    return args.commutative ? exchange_contributions(me, args, blocks_of(args, me.size()))
                            : in_order({me.size(), args}).program(me, args);
  }
  static Seconds cost(const ModelArgs& args, const models::MessageCost& cost) {
    return args.call.commutative ? contributions_cost(blocks_of(args.call, args.procs), cost)
                                 : in_order(args).cost(args, cost);
  }
  static std::int64_t messages(const ModelArgs& args) {
    return args.call.commutative ? one_per_pair(args) : in_order(args).messages(args);
  }
  static std::vector<StepPhase> steps(const ModelArgs& args) {
    return args.call.commutative ? contributions_steps(blocks_of(args.call, args.procs))
                                 : std::vector<StepPhase>{};
  }
  static std::string_view fallback(const ModelArgs& args) {
    return args.call.commutative ? "" : registered(in_order(args)).name;
  }
  static constexpr Algorithm entry() {
    return {.restriction = reduction::needs_commutative,
            .program = reduction::program<program>,
            .cost = reduction::cost<cost>,
            .messages = reduction::messages<messages>,
            .falls_back_to = fallback,
            .steps = reduction::steps<steps>};
  }
};

}  // namespace

const Algorithm reduce_scatter::pairwise =
    Contributions<RankBlocks::of_vector, in_order_of_vector>::entry();
const Algorithm reduce_scatter_block::pairwise =
    Contributions<RankBlocks::of_blocks, in_order_of_blocks>::entry();

}  // namespace tutti::algorithms
