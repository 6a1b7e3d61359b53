// SPDX-License-Identifier: BSD-3-Clause
// MPICH's allreduce for long vectors (Rabenseifner's): P is folded to a power of two (the even
// ranks of the first pairs send their vectors to the odd ranks), blocks are halved with distance
// doubling, then the same exchanges in reverse order distribute them. Fewer elements than ranks in
// the fold, or a non-commutative operation: recursive_doubling. Derived: halve_in_blocks, then
// exchange(m / 2^s) for s = floor(log2 P) .. 1 and, if P is not a power of two, hop(m) to the ranks
// that dropped out.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/block_halving.hpp"
#include "algorithms/mpich.hpp"
#include "algorithms/reduction.hpp"

namespace tutti::algorithms {
namespace {

Fold odd_fold(RankId procs) { return {procs, Fold::Stays::odd}; }

Task halve_and_double_blocks(Rank& me, CollectiveArgs args) {
  const Fold fold = odd_fold(me.size());
  co_await halve_in_blocks(me, args, fold, runtime::recv_buffer);
  const BlockHalves halves(args, fold, runtime::recv_buffer);
  if (!fold.stays(me.id())) {
    co_await me.recv({.from = me.id() + 1, .data = halves.whole()});
    co_return;
  }
  const RankId v = fold.number(me.id());
  for (int step = fold.steps() - 1; step >= 0; --step) {
    const RankId partner = fold.rank(v ^ (RankId{1} << step));
    co_await me.sendrecv({.to = partner,
                          .send = halves.kept(v, step),
                          .from = partner,
                          .recv = halves.sent(v, step)});
  }
  if (fold.in_pair(me.id())) co_await me.send({.to = me.id() - 1, .data = halves.whole()});
}

Task allreduce_halve_blocks(Rank& me, CollectiveArgs args) {
  return can_halve_blocks(args, me.size()) ? halve_and_double_blocks(me, args)
                                           : allreduce_recursive_doubling(me, args);
}

Seconds allreduce_halve_blocks_cost(const ModelArgs& args, const models::MessageCost& cost) {
  if (!can_halve_blocks(args.call, args.procs))
    return allreduce_recursive_doubling_cost(args, cost);
  const Fold fold = odd_fold(args.procs);
  const BlockHalves halves(args.call, fold, runtime::recv_buffer);
  Seconds total_s = halve_in_blocks_cost(args, fold, cost);
  for (int step = 0; step < fold.steps(); ++step)
    total_s += cost.exchange(halves.longest_bytes(step));
  return total_s + (fold.pairs() > 0 ? cost.hop(args.call.message_bytes) : 0);
}

std::int64_t allreduce_halve_blocks_messages(const ModelArgs& args) {
  if (!can_halve_blocks(args.call, args.procs)) return allreduce_recursive_doubling_messages(args);
  const Fold fold = odd_fold(args.procs);
  return halve_in_blocks_messages(fold) + std::int64_t{fold.size()} * fold.steps() + fold.pairs();
}

std::string_view allreduce_halve_blocks_fallback(const ModelArgs& args) {
  return can_halve_blocks(args.call, args.procs) ? "" : "recursive_doubling";
}

}  // namespace

const Algorithm allreduce::reduce_scatter_allgather_mpich{
    .collective = "allreduce",
    .name = "reduce_scatter_allgather_mpich",
    .set = mpich::set,
    .restriction = "a commutative operation, at least 2^floor(log2 P) elements",
    .reference = "Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005",
    .summary = "reduce_scatter by recursive halving of blocks, then allgather by doubling",
    .program = reduction::program<allreduce_halve_blocks>,
    .cost = reduction::cost<allreduce_halve_blocks_cost>,
    .messages = reduction::messages<allreduce_halve_blocks_messages>,
    .falls_back_to = allreduce_halve_blocks_fallback,
};

}  // namespace tutti::algorithms
