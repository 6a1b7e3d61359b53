// SPDX-License-Identifier: BSD-3-Clause
// Steps of a max-plus recurrence in which a rank depends on itself and on its two neighbors in a
// ring:
//   t[r] := max(t[r - 1] + left[r], t[r] + own[r], t[r + 1] + right[r])
// 6e10 of these maxima, the steps of a ring of 250,000 ranks, take ten seconds.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/jobs.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::jobs::extrapolation {

// By rank; minus infinity: does not depend on this neighbor.
struct RingConstants {
  std::vector<Seconds> left, own, right;
};

class RingSteps {
 public:
  // The constants of step s are in_period[s % size]; of one or two steps.
  explicit RingSteps(std::span<const RingConstants> in_period);
  ~RingSteps();
  RingSteps(const RingSteps&) = delete;
  RingSteps& operator=(const RingSteps&) = delete;

  // Computes the clocks at the end of step `last` from those at the end of step `first`.
  void advance(std::vector<Seconds>& clocks_s, std::int64_t first, std::int64_t last);

 private:
  struct Tiles;
  std::unique_ptr<Tiles> tiles_;
};

// A bound of the clocks after many steps of a ring, computed without the steps (ring_walks.cpp).
//
// A clock after n steps is the maximum over the walks of n steps to its rank, of the clock at the
// walk's start plus the constants on its way. This is the maximum over the walks that never go to
// the left: they wait where `own` is largest. Hence the clocks are at least these, and equal if
// every rank depends only on itself and its left neighbor, with few different waits. Minus infinity
// for a rank without a walk. Requires fewer steps than ranks.
std::vector<Seconds> least_clocks(const RingConstants& constants, std::span<const Seconds> clocks_s,
                                  std::int64_t steps);

}  // namespace tutti::jobs::extrapolation
