// SPDX-License-Identifier: BSD-3-Clause
// MPICH's dissemination barrier of radix k (`fanout`): in phase i each rank sends to the ranks j
// k^i above, j = 1 .. k-1, and receives from as many below. The receives of a phase are posted
// before the rank waits for those of the previous phase. k = 2 is bruck. A message to the rank
// itself (j k^i a multiple of P) is omitted.
//   Derived: ceil(log_k P) phases of exchange(0) + (k-2) next(0)

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

constexpr int default_dissemination_radix = 4;  // MPIR_CVAR_BARRIER_DISSEM_KVAL

std::int64_t radix_in(const CollectiveArgs& args, std::int64_t procs) {
  return std::min<std::int64_t>(fanout_or(default_dissemination_radix, args), procs);
}

Task disseminate(Rank& me, CollectiveArgs args) {
  const std::int64_t procs = me.size();
  const std::int64_t radix = radix_in(args, procs);
  std::vector<Request> previous;
  for (std::int64_t shift = 1; shift < procs; shift *= radix) {
    std::vector<Request> receives;
    std::vector<Request> sends;
    for (std::int64_t j = 1; j < radix; ++j) {
      const std::int64_t distance = j * shift % procs;
      if (distance != 0)
        receives.push_back(
            me.irecv({.from = static_cast<RankId>((me.id() + procs - distance) % procs)}));
      if (j == 1 && !previous.empty()) co_await me.wait_all(previous);
      if (distance != 0)
        sends.push_back(me.isend({.to = static_cast<RankId>((me.id() + distance) % procs)}));
    }
    co_await me.wait_all(sends);
    previous = std::move(receives);
  }
  if (!previous.empty()) co_await me.wait_all(previous);
}

Seconds disseminate_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const std::int64_t radix = radix_in(args.call, args.procs);
  Seconds total_s = 0;
  for (std::int64_t shift = 1; shift < args.procs; shift *= radix)
    total_s += cost.exchange(0) + static_cast<double>(radix - 2) * cost.next(0);
  return total_s;
}

std::int64_t disseminate_messages(const ModelArgs& args) {
  const std::int64_t procs = args.procs;
  const std::int64_t radix = radix_in(args.call, procs);
  std::int64_t of_rank = 0;
  for (std::int64_t shift = 1; shift < procs; shift *= radix)
    for (std::int64_t j = 1; j < radix; ++j) of_rank += j * shift % procs != 0 ? 1 : 0;
  return procs * of_rank;
}

}  // namespace

const Algorithm barrier::k_dissemination{
    .default_fanout = default_dissemination_radix,
    .least_fanout = 2,
    .program = disseminate,
    .cost = disseminate_cost,
    .messages = disseminate_messages,
};

}  // namespace tutti::algorithms
