// SPDX-License-Identifier: BSD-3-Clause
// Basic linear broadcast: the root isends the whole message to all ranks in rank order and waits
// for all sends; the others receive. Never segmented.
//   Hockney  (P-1) (l + m/b)
//   LogGP    L + 2 o + (m-1) G + (P-2) (g + (m-1) G)
// Derived: the last of P-1 messages starts P-2 gaps after the first.

#include "algorithms/bcast/bcast.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms {

Task bcast_basic_linear(Rank& me, CollectiveArgs args) {
  const Slice message{.bytes = args.message_bytes, .buffer = runtime::recv_buffer};
  if (me.id() != args.root) {
    co_await me.recv({.from = args.root, .data = message});
    co_return;
  }
  if (me.size() == 1) co_return;
  std::vector<Request> sends;
  sends.reserve(static_cast<std::size_t>(me.size()) - 1);
  for (RankId to = 0; to < me.size(); ++to)
    if (to != me.id()) sends.push_back(me.isend({.to = to, .data = message}));
  co_await me.wait_all(sends);
}

Seconds bcast_basic_linear_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes m = args.call.message_bytes;
  return cost.hop(m) + (args.procs - 2) * cost.next(m);
}

namespace {

// One stage: gamma(P) (alpha + beta m).
models::StageForm bcast_basic_linear_stages(const ModelArgs& args, const models::Gamma& gamma) {
  return {{{.bytes = args.call.message_bytes, .count = gamma.of_procs(args.procs), .hops = 1}}};
}

}  // namespace

std::int64_t bcast_basic_linear_messages(const ModelArgs& args) { return args.procs - 1; }

const Algorithm bcast::basic_linear{
    .collective = "bcast",
    .name = "basic_linear",
    .id = 1,
    .reference = "Open MPI, coll_base_bcast.c",
    .summary = "the root sends the whole message to every rank, in rank order",
    .program = bcast_basic_linear,
    .cost = bcast_basic_linear_cost,
    .stages = bcast_basic_linear_stages,
    .messages = bcast_basic_linear_messages,
};

}  // namespace tutti::algorithms
