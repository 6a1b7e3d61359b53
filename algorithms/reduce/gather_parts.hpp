// SPDX-License-Identifier: BSD-3-Clause
// The second part of Rabenseifner's reductions: the parts of the result that the ranks have after
// recursive halving (VectorHalves, BlockHalves) are gathered in reverse order; each rank sends
// once. A root that the fold dropped replaces rank 0, which sends its part to the root first.
#pragma once

#include "algorithms/fold.hpp"
#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms {

// The root's position in the fold, and the ranks at the fold's positions.
struct Seat {
  Fold fold;
  RankId root;

  bool dropped() const { return !fold.stays(root); }
  RankId number() const { return dropped() ? 0 : fold.number(root); }
  // The rank at number v during the gather.
  RankId rank(RankId v) const { return v == 0 && dropped() ? root : fold.rank(v); }
};

// Receives parts until the step in which the partner is closer to the root, then sends all parts.
template <class Halves>
Task gather_parts(Rank& me, Halves halves, Seat seat, RankId v) {
  for (int step = seat.fold.steps() - 1; step >= 0; --step) {
    const RankId partner = v ^ (RankId{1} << step);
    if (partner >> step == seat.number() >> step) {
      co_await me.send({.to = seat.rank(partner), .data = halves.kept(v, step)});
      co_return;
    }
    co_await me.recv({.from = seat.rank(partner), .data = halves.sent(v, step)});
  }
}

template <class Halves>
Task gather_to_root(Rank& me, Halves halves, Seat seat) {
  const auto part_of_0 = halves.kept(0, seat.fold.steps() - 1);
  if (seat.dropped() && me.id() == 0) {
    co_await me.send({.to = seat.root, .data = part_of_0});
  } else if (me.id() == seat.root) {
    if (seat.dropped()) co_await me.recv({.from = 0, .data = part_of_0});
    co_await gather_parts(me, halves, seat, seat.number());
  } else if (seat.fold.stays(me.id())) {
    co_await gather_parts(me, halves, seat, seat.fold.number(me.id()));
  }
}

// Adds hop(m / 2^s) for each step, and one hop for a dropped root, to `total_s`.
template <class Halves>
Seconds with_gather_to_root(Seconds total_s, const Halves& halves, const Seat& seat,
                            const models::MessageCost& cost) {
  const int steps = seat.fold.steps();
  if (seat.dropped()) total_s += cost.hop(halves.kept(0, steps - 1).bytes);
  for (int step = 0; step < steps; ++step) total_s += cost.hop(halves.longest_bytes(step));
  return total_s;
}

inline std::int64_t gather_to_root_messages(const Seat& seat) {
  return seat.fold.size() - 1 + (seat.dropped() ? 1 : 0);
}

}  // namespace tutti::algorithms
