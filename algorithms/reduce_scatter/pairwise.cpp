// SPDX-License-Identifier: BSD-3-Clause
// MPICH's pairwise reduce_scatter for long vectors: in step s = 1, 2, ... each rank sends its
// contribution to the block of rank + s there, receives one to its own block from rank - s, and
// combines it. Non-commutative operation: MPICH's decision tree chooses again.
// Derived: (P-1) (exchange + combine) of the longest block.
#include "algorithms/mpich.hpp"
#include "algorithms/rank_blocks.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/reduction.hpp"

namespace tutti::algorithms {
namespace {

RankId steps_above(RankId rank, std::int64_t step, RankId procs) {
  return static_cast<RankId>((rank + step) % procs);
}
RankId steps_below(RankId rank, std::int64_t step, RankId procs) {
  return static_cast<RankId>((rank + procs - step) % procs);
}

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

std::int64_t contributions_messages(std::int64_t procs) { return procs * (procs - 1); }

// What MPICH's tree chooses for an operation that does not commute.
const Algorithm& in_order(const ModelArgs& args) {
  const bool mirrors =
      mpich::is_power_of_two(args.procs) && RankBlocks::of_vector(args.call, args.procs).equal();
  return mirrors ? reduce_scatter::noncommutative : reduce_scatter::recursive_doubling;
}
const Algorithm& in_order_blocks(const ModelArgs& args) {
  return mpich::is_power_of_two(args.procs) ? reduce_scatter_block::butterfly
                                            : reduce_scatter_block::recursive_doubling;
}

Task reduce_scatter_pairwise(Rank& me, CollectiveArgs args) {
  return args.commutative ? exchange_contributions(me, args, RankBlocks::of_vector(args, me.size()))
                          : in_order({me.size(), args}).program(me, args);
}

Seconds reduce_scatter_pairwise_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return args.call.commutative
             ? contributions_cost(RankBlocks::of_vector(args.call, args.procs), cost)
             : in_order(args).cost(args, cost);
}

std::int64_t reduce_scatter_pairwise_messages(const ModelArgs& args) {
  return args.call.commutative ? contributions_messages(args.procs) : in_order(args).messages(args);
}

std::vector<StepPhase> reduce_scatter_pairwise_steps(const ModelArgs& args) {
  return args.call.commutative ? contributions_steps(RankBlocks::of_vector(args.call, args.procs))
                               : std::vector<StepPhase>{};
}

std::string_view reduce_scatter_pairwise_fallback(const ModelArgs& args) {
  return args.call.commutative ? "" : in_order(args).name;
}

Task reduce_scatter_block_pairwise(Rank& me, CollectiveArgs args) {
  return args.commutative ? exchange_contributions(me, args, RankBlocks::of_blocks(args, me.size()))
                          : in_order_blocks({me.size(), args}).program(me, args);
}

Seconds reduce_scatter_block_pairwise_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return args.call.commutative
             ? contributions_cost(RankBlocks::of_blocks(args.call, args.procs), cost)
             : in_order_blocks(args).cost(args, cost);
}

std::int64_t reduce_scatter_block_pairwise_messages(const ModelArgs& args) {
  return args.call.commutative ? contributions_messages(args.procs)
                               : in_order_blocks(args).messages(args);
}

std::vector<StepPhase> reduce_scatter_block_pairwise_steps(const ModelArgs& args) {
  return args.call.commutative ? contributions_steps(RankBlocks::of_blocks(args.call, args.procs))
                               : std::vector<StepPhase>{};
}

std::string_view reduce_scatter_block_pairwise_fallback(const ModelArgs& args) {
  return args.call.commutative ? "" : in_order_blocks(args).name;
}

}  // namespace

const Algorithm reduce_scatter::pairwise{
    .collective = "reduce_scatter",
    .name = "pairwise",
    .set = mpich::set,
    .restriction = reduction::needs_commutative,
    .reference = "MPICH, reduce_scatter_intra_pairwise.c",
    .summary = "in step s each rank sends its part of a block to the rank s above, which combines",
    .program = reduction::program<reduce_scatter_pairwise>,
    .cost = reduction::cost<reduce_scatter_pairwise_cost>,
    .messages = reduction::messages<reduce_scatter_pairwise_messages>,
    .falls_back_to = reduce_scatter_pairwise_fallback,
    .steps = reduction::steps<reduce_scatter_pairwise_steps>,
};

const Algorithm reduce_scatter_block::pairwise{
    .collective = "reduce_scatter_block",
    .name = "pairwise",
    .set = mpich::set,
    .restriction = reduction::needs_commutative,
    .reference = "MPICH, reduce_scatter_block_intra_pairwise.c",
    .summary = "in step s each rank sends its part of a block to the rank s above, which combines",
    .program = reduction::program<reduce_scatter_block_pairwise>,
    .cost = reduction::cost<reduce_scatter_block_pairwise_cost>,
    .messages = reduction::messages<reduce_scatter_block_pairwise_messages>,
    .falls_back_to = reduce_scatter_block_pairwise_fallback,
    .steps = reduction::steps<reduce_scatter_block_pairwise_steps>,
};

}  // namespace tutti::algorithms
