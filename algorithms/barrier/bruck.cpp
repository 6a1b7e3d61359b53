// SPDX-License-Identifier: BSD-3-Clause
// Bruck's barrier (dissemination): in step d = 1, 2, 4, ... each rank sends to rank + d and
// receives from rank - d.
//   Derived: D = ceil(log2 P) exchanges: Hockney D l, LogGP D (o + max(g, L+o))

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

Task barrier_bruck(Rank& me, CollectiveArgs /*args*/) {
  const std::int64_t procs = me.size();
  for (std::int64_t distance = 1; distance < procs; distance *= 2)
    co_await me.sendrecv({.to = static_cast<RankId>((me.id() + distance) % procs),
                          .from = static_cast<RankId>((me.id() + procs - distance) % procs)});
}

Seconds barrier_bruck_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return doubling_rounds(args.procs) * cost.exchange(0);
}

}  // namespace

const Algorithm barrier::bruck{
    .program = barrier_bruck,
    .cost = barrier_bruck_cost,
    .messages = one_per_round,
};

}  // namespace tutti::algorithms
