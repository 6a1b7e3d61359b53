// SPDX-License-Identifier: BSD-3-Clause
// Basic linear broadcast: the root isends the whole message to all ranks in rank order and waits
// for all sends; the others receive. Never segmented.
//   Hockney  (P-1) (l + m/b)
//   LogGP    L + 2 o + (m-1) G + (P-2) (g + (m-1) G)
// Derived: the last of P-1 messages starts P-2 gaps after the first.

#include "algorithms/bcast/bcast.hpp"

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

namespace {}  // namespace

const Algorithm bcast::basic_linear{
    .program = bcast_basic_linear,
    .cost = train_cost,
    .stages = train_stages,
    .messages = one_per_other,
};

}  // namespace tutti::algorithms
