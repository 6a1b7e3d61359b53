// SPDX-License-Identifier: BSD-3-Clause
// Linear barrier: rank 0 receives a message from each rank, in any order, then sends one to each
// rank, in rank order, with blocking sends.
//   Derived: two sequences of P-1 empty messages, to and from rank 0:
//   Hockney 2 (P-1) l, LogGP 2 (L + 2 o + (P-2) g)

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

Task collect_and_release(Rank& me) {
  std::vector<Request> arrivals;
  arrivals.reserve(static_cast<std::size_t>(me.size()) - 1);
  for (RankId i = 1; i < me.size(); ++i)
    arrivals.push_back(me.irecv({.from = runtime::any_source}));
  co_await me.wait_all(arrivals);
  for (RankId to = 1; to < me.size(); ++to) co_await me.send({.to = to});
}

Task report_and_wait(Rank& me) {
  co_await me.send({.to = 0});
  co_await me.recv({.from = 0});
}

Task barrier_linear(Rank& me, CollectiveArgs /*args*/) {
  return me.id() == 0 ? collect_and_release(me) : report_and_wait(me);
}

Seconds barrier_linear_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return 2 * (cost.hop(0) + (args.procs - 2) * cost.next(0));
}

std::int64_t barrier_linear_messages(const ModelArgs& args) {
  return 2 * (static_cast<std::int64_t>(args.procs) - 1);
}

}  // namespace

const Algorithm barrier::linear{
    .program = barrier_linear,
    .cost = barrier_linear_cost,
    .messages = barrier_linear_messages,
};

}  // namespace tutti::algorithms
