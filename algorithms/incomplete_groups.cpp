// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/incomplete_groups.hpp"

namespace tutti::algorithms {

namespace {

bool has_it(const Spread& missing, Shifted v, Shifted distance) {
  return v < round_down(v, 2 * distance) + missing.holders;
}

}  // namespace

Task spread(Rank& me, trees::Position at, Shifted mask, Spread missing) {
  const Shifted v = trees::shifted(at);
  for (Shifted distance = mask / 2; distance > 0; distance /= 2) {
    const Shifted partner = v ^ distance;
    const bool i_have_it = has_it(missing, v, distance);
    const bool partner_has_it = has_it(missing, partner, distance);
    if (i_have_it == partner_has_it) continue;
    const RankId other = trees::unshifted(at, static_cast<RankId>(partner));
    if (partner > v && i_have_it)
      co_await me.send({.to = other, .data = missing.data});
    else if (partner < v && partner_has_it)
      co_await me.recv({.from = other, .data = missing.data});
  }
}

int spread_rounds(Shifted holders, Shifted mask) {
  int rounds = 0;
  for (Shifted distance = mask / 2; distance > 0 && 2 * distance > holders; distance /= 2) ++rounds;
  return rounds;
}

Shifted ranks_with_partner(Shifted procs, Shifted mask) {
  const Shifted rest = procs % (2 * mask);  // size of the last group if it is incomplete
  return procs - rest + 2 * std::max<Shifted>(0, rest - mask);
}

Shifted doubling_messages(Shifted procs, Shifted mask) {
  const Shifted rest = procs % (2 * mask);
  return ranks_with_partner(procs, mask) + (rest > mask ? 2 * mask - rest : 0);
}

}  // namespace tutti::algorithms
