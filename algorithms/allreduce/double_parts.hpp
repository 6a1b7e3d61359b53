// SPDX-License-Identifier: BSD-3-Clause
// The second part of Rabenseifner's allreduces: the exchanges of recursive halving (VectorHalves,
// BlockHalves) in reverse order distribute the parts of the result; ranks that the fold dropped get
// the whole result from the other rank of their pair.
#pragma once

#include "algorithms/fold.hpp"
#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms {

template <class Halves>
Task double_parts(Rank& me, Halves halves, Fold fold) {
  const RankId pair = me.id() ^ 1;
  if (!fold.stays(me.id())) {
    co_await me.recv({.from = pair, .data = halves.whole()});
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
  if (fold.in_pair(me.id())) co_await me.send({.to = pair, .data = halves.whole()});
}

// After a halving of `halved_s`: exchange(m / 2^s) for s = floor(log2 P) .. 1, and hop(m) to the
// ranks that dropped out.
template <class Halves>
Seconds cost_with_doubling(Seconds halved_s, const Halves& halves, const Fold& fold,
                           const models::MessageCost& cost) {
  Seconds total_s = halved_s;
  for (int step = 0; step < fold.steps(); ++step)
    total_s += cost.exchange(halves.longest_bytes(step));
  return total_s + (fold.pairs() > 0 ? cost.hop(halves.whole().bytes) : 0);
}

inline std::int64_t double_parts_messages(const Fold& fold) {
  return std::int64_t{fold.size()} * fold.steps() + fold.pairs();
}

}  // namespace tutti::algorithms
