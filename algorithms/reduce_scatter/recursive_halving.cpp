// SPDX-License-Identifier: BSD-3-Clause
// See folded_blocks.hpp.

#include "algorithms/reduce_scatter/folded_blocks.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace tutti::algorithms {

namespace {

constexpr std::int32_t result_buffer = runtime::scratch_buffer;
constexpr std::int32_t incoming_buffer = runtime::scratch_buffer + 1;

struct Step {
  RankId partner = 0;
  Slice sent;
  Slice kept;
};

Task exchange_filled(Rank& me, Step step) {
  const Slice arriving{step.kept.offset, step.kept.bytes, incoming_buffer};
  Request received;
  if (arriving.bytes > 0) received = me.irecv({.from = step.partner, .data = arriving});
  if (step.sent.bytes > 0) co_await me.send({.to = step.partner, .data = step.sent});
  if (arriving.bytes == 0) co_return;
  co_await me.wait(received);
  me.combine(step.kept, arriving, Operand::left);
}

Task halve_among_stayed(Rank& me, FoldedBlocks blocks) {
  const Fold& fold = blocks.fold();
  const RankId v = fold.number(me.id());
  RankId first = 0;  // first number whose blocks this rank still has
  for (RankId half = fold.size() / 2; half > 0; half /= 2) {
    const bool upper = (v & half) != 0;
    const RankId kept = upper ? first + half : first;
    const RankId sent = upper ? first : first + half;
    co_await exchange_filled(me, {.partner = fold.rank(v ^ half),
                                  .sent = blocks.run(sent, half, result_buffer),
                                  .kept = blocks.run(kept, half, result_buffer)});
    first = kept;
  }
}

}  // namespace

Task halve_blocks(Rank& me, FoldedBlocks blocks) {
  for (int buffer = 0; buffer < 2; ++buffer) me.allocate(blocks.ranks().total());
  co_await fold_vectors(me, blocks, result_buffer, incoming_buffer);
  const Slice own{0, blocks.ranks().bytes(me.id()), runtime::recv_buffer};
  if (!blocks.fold().stays(me.id())) {
    if (own.bytes > 0) co_await me.recv({.from = me.id() + 1, .data = own});
    co_return;
  }
  co_await halve_among_stayed(me, blocks);
  if (own.bytes > 0) me.copy(own, blocks.ranks().block(me.id(), result_buffer));
  if (!blocks.fold().in_pair(me.id())) co_return;
  const Slice partners = blocks.ranks().block(me.id() - 1, result_buffer);
  if (partners.bytes > 0) co_await me.send({.to = me.id() - 1, .data = partners});
}

Seconds halve_blocks_cost(const FoldedBlocks& blocks, const models::MessageCost& cost) {
  const Seconds total_s = fold_vectors_cost(blocks, cost) + halving_steps_cost(blocks, cost);
  return total_s + (blocks.fold().pairs() > 0 ? cost.hop(blocks.ranks().longest()) : 0);
}

namespace {

// Number of non-empty runs of `count` numbers. Without counts the non-empty ones come first.
std::int64_t filled_runs(const FoldedBlocks& blocks, RankId count) {
  std::int64_t filled = 0;
  for (RankId first = 0; first < blocks.fold().size(); first += count) {
    if (blocks.run(first, count).bytes > 0)
      ++filled;
    else if (blocks.ranks().first_is_longest())
      break;
  }
  return filled;
}

// Number of ranks that dropped out and have a non-empty block.
std::int64_t filled_dropped(const FoldedBlocks& blocks) {
  const std::int64_t pairs = blocks.fold().pairs();
  if (blocks.ranks().first_is_longest()) return std::min(pairs, (blocks.ranks().filled() + 1) / 2);
  std::int64_t filled = 0;
  for (std::int64_t pair = 0; pair < pairs; ++pair) filled += blocks.ranks().bytes(2 * pair) > 0;
  return filled;
}

}  // namespace

std::int64_t halve_blocks_messages(const FoldedBlocks& blocks) {
  const Fold& fold = blocks.fold();
  std::int64_t total = fold.pairs() + filled_dropped(blocks);
  // All `half` numbers of the sibling run send the run to their partners.
  for (RankId half = fold.size() / 2; half > 0; half /= 2)
    total += half * filled_runs(blocks, half);
  return total;
}

namespace {

template <auto blocks_of>
Task halve(Rank& me, CollectiveArgs args) {
  return halve_blocks(me, blocks_of(args, me.size()));
}

template <auto blocks_of>
Seconds halve_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return halve_blocks_cost(blocks_of(args.call, args.procs), cost);
}

template <auto blocks_of>
std::int64_t halve_messages(const ModelArgs& args) {
  return halve_blocks_messages(blocks_of(args.call, args.procs));
}

// Equal blocks. Non-commutative operation: basic_linear.
using HalvedEqualBlocks =
    OrElse<commutes, halve<FoldedBlocks::of_blocks>, halve_cost<FoldedBlocks::of_blocks>,
           halve_messages<FoldedBlocks::of_blocks>, reduce_scatter_block::basic_linear>;

}  // namespace

const Algorithm reduce_scatter::recursive_halving{
    .restriction = reduction::needs_commutative,
    .program = reduction::program<halve<FoldedBlocks::of_vector>>,
    .cost = reduction::cost<halve_cost<FoldedBlocks::of_vector>>,
    .messages = reduction::messages<halve_messages<FoldedBlocks::of_vector>>,
    .runs = reduction::is_commutative,
};

const Algorithm reduce_scatter_block::recursive_halving{
    .restriction = reduction::needs_commutative,
    .program = reduction::program<HalvedEqualBlocks::program>,
    .cost = reduction::cost<HalvedEqualBlocks::cost>,
    .messages = reduction::messages<HalvedEqualBlocks::messages>,
    .falls_back_to = HalvedEqualBlocks::falls_back_to,
};

}  // namespace tutti::algorithms
