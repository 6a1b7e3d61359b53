// SPDX-License-Identifier: BSD-3-Clause
// MPICH's pairwise alltoall: each rank copies its own block; in step s = 1, 2, ... it exchanges
// blocks with rank xor s if P is a power of two; otherwise it sends to rank + s and receives from
// rank - s. Derived: (P-1) exchanges: Hockney (P-1) (l + m/b), LogGP (P-1) (o + max(g, L+o) + (m-1)
// G)
#include "algorithms/algorithm.hpp"
#include "algorithms/alltoall/personal_blocks.hpp"

namespace tutti::algorithms {
namespace {

RankId receiver_in(RankId rank, std::int64_t step, RankId procs) {
  return mpich::is_power_of_two(procs) ? rank ^ static_cast<RankId>(step)
                                       : steps_above(rank, step, procs);
}
RankId sender_in(RankId rank, std::int64_t step, RankId procs) {
  return mpich::is_power_of_two(procs) ? rank ^ static_cast<RankId>(step)
                                       : steps_below(rank, step, procs);
}

Task alltoall_pairwise_mpich(Rank& me, CollectiveArgs args) {
  const PersonalBlocks blocks(me, args);
  blocks.copy_own(me);
  for (StepLoop steps(me, args.sample, 0, me.size() - 1); steps.next();) {
    const RankId to = receiver_in(me.id(), steps.step(), me.size());
    const RankId from = sender_in(me.id(), steps.step(), me.size());
    co_await me.sendrecv(
        {.to = to, .send = blocks.to(to), .from = from, .recv = blocks.from(from)});
  }
}

Seconds alltoall_pairwise_mpich_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return (args.procs - 1) * cost.exchange(args.call.message_bytes);
}

std::vector<StepPhase> alltoall_pairwise_mpich_steps(const ModelArgs& args) {
  return {{.count = args.procs - 1,
           .message_bytes = args.call.message_bytes,
           .to = receiver_in,
           .from = sender_in}};
}

}  // namespace

const Algorithm alltoall::pairwise_mpich{
    .program = mpich::program<alltoall_pairwise_mpich>,
    .cost = mpich::cost<alltoall_pairwise_mpich_cost>,
    .messages = mpich::messages<one_per_pair>,
    .steps = mpich::steps<alltoall_pairwise_mpich_steps>,
};

}  // namespace tutti::algorithms
