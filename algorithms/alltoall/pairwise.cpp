// SPDX-License-Identifier: BSD-3-Clause
// Pairwise alltoall and alltoallv: in step s = 1, 2, ... each rank sends to rank + s and receives
// from rank - s. alltoall copies its own block last, alltoallv first.
//   Table 4.1: Hockney (P-1) (l + m/b), LogGP (P-1) (L + o + (m-1) G + g)
// A sum of exchanges would have max(g, L + o) instead of the L + g of the published LogGP formula.
// Derived for alltoallv: the rank with the longest blocks, m, sends one block in each of P-1
// exchanges:
//   Hockney (P-1) (l + m/b), LogGP (P-1) (o + max(g, L+o) + (m-1) G)

#include "algorithms/algorithm.hpp"
#include "algorithms/alltoall/personal_blocks.hpp"

namespace tutti::algorithms {
namespace {

// Does not copy the own block. Blocks may differ in size.
Task exchange_pairwise(Rank& me, CollectiveArgs args) {
  const PersonalBlocks blocks(me, args);
  for (StepLoop steps(me, args.sample, 0, me.size() - 1); steps.next();) {
    const RankId to = steps_above(me.id(), steps.step(), me.size());
    const RankId from = steps_below(me.id(), steps.step(), me.size());
    co_await me.sendrecv(
        {.to = to, .send = blocks.to(to), .from = from, .recv = blocks.from(from)});
  }
}

Task alltoall_pairwise(Rank& me, CollectiveArgs args) {
  co_await exchange_pairwise(me, args);
  PersonalBlocks(me, args).copy_own(me);
}

Seconds alltoall_pairwise_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return (args.procs - 1) * cost.exchange(args.call.message_bytes);
}

Seconds alltoall_pairwise_printed(const ModelArgs& args, const platforms::LogGPParameters& p) {
  const Bytes m = args.call.message_bytes;
  const double stream_s = static_cast<double>(std::max<Bytes>(0, m - 1)) * p.G_s_per_B;
  return (args.procs - 1) * (p.L_s + p.o_s + stream_s + p.g_s(m));
}

std::vector<StepPhase> exchange_pairwise_steps(const ModelArgs& args) {
  if (args.call.counts != nullptr) return {};
  return {{.count = args.procs - 1,
           .message_bytes = args.call.message_bytes,
           .to = steps_above,
           .from = steps_below}};
}

Task alltoallv_pairwise(Rank& me, CollectiveArgs args) {
  PersonalBlocks(me, args).copy_own(me);
  co_await exchange_pairwise(me, args);
}

Seconds alltoallv_pairwise_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes longest = RankBlocks::of_blocks(args.call, args.procs).longest();
  return (args.procs - 1) * cost.exchange(longest);
}

}  // namespace

const Algorithm alltoall::pairwise{
    .program = alltoall_pairwise,
    .cost = alltoall_pairwise_cost,
    .printed_loggp = alltoall_pairwise_printed,
    .messages = one_per_pair,
    .steps = exchange_pairwise_steps,
};

const Algorithm alltoallv::pairwise{
    .program = alltoallv_pairwise,
    .cost = alltoallv_pairwise_cost,
    .messages = one_per_pair,
    .steps = exchange_pairwise_steps,
};

}  // namespace tutti::algorithms
