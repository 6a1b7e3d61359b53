// SPDX-License-Identifier: BSD-3-Clause
// Double ring barrier: a message travels around all ranks twice, starting at rank 0: after the
// first round all ranks have arrived, the second round releases them.
//   Derived: 2 P hops: Hockney 2 P l, LogGP 2 P (L + 2 o)
#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

Task barrier_double_ring(Rank& me, CollectiveArgs /*args*/) {
  if (me.size() == 1) co_return;
  const RankId left = (me.id() + me.size() - 1) % me.size();
  const RankId right = (me.id() + 1) % me.size();
  for (int round = 0; round < 2; ++round) {
    if (me.id() > 0) co_await me.recv({.from = left});
    co_await me.send({.to = right});
    if (me.id() == 0) co_await me.recv({.from = left});
  }
}

Seconds barrier_double_ring_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return 2 * args.procs * cost.hop(0);
}

std::int64_t barrier_double_ring_messages(const ModelArgs& args) {
  return args.procs == 1 ? 0 : 2 * static_cast<std::int64_t>(args.procs);
}

}  // namespace

const Algorithm barrier::double_ring{
    .program = barrier_double_ring,
    .cost = barrier_double_ring_cost,
    .messages = barrier_double_ring_messages,
};

}  // namespace tutti::algorithms
