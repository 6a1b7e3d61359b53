// SPDX-License-Identifier: BSD-3-Clause
// A reduction of the whole vector to rank 0, which then scatters its blocks: two collectives, each
// with the algorithm that the decision rules choose.
#pragma once

#include "algorithms/selection/decision.hpp"

namespace tutti::algorithms::reduce_scatter {

// Runs the reduction, then the scatter.
Task reduce_and_deal(Rank& me, selection::InnerCalls calls);

// `calls_of(args, procs)` returns both calls.
template <auto calls_of>
Task reduce_and_deal(Rank& me, CollectiveArgs args) {
  return reduce_and_deal(me, calls_of(args, me.size()));
}

}  // namespace tutti::algorithms::reduce_scatter
