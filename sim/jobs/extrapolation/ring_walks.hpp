// SPDX-License-Identifier: BSD-3-Clause
// A bound of the clocks after many steps of a ring, computed without the steps.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/extrapolation/ring_steps.hpp"

namespace tutti::jobs::extrapolation {

// A clock after n steps is the maximum over the walks of n steps to its rank, of the clock at the
// walk's start plus the constants on its way. This is the maximum over the walks that never go to
// the left: they wait where `own` is largest. Hence the clocks are at least these, and equal if
// every rank depends only on itself and its left neighbor, with few different waits. Minus infinity
// for a rank without a walk. Requires fewer steps than ranks.
std::vector<Seconds> least_clocks(const RingConstants& constants, std::span<const Seconds> clocks_s,
                                  std::int64_t steps);

}  // namespace tutti::jobs::extrapolation
