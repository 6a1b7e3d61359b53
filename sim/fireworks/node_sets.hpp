// SPDX-License-Identifier: BSD-3-Clause
// Random node sets, and whether predictions order them as the simulation does.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/units.hpp"

namespace tutti::studies::fireworks {

struct NodeSetWish {
  int nodes = 0;
  int procs = 0;  // at least one on each node
  int cores = 0;  // of a node; nodes times cores is enough
};
// How many processes each node has, in order: every such node set is equally likely.
std::vector<int> random_node_set(const NodeSetWish& wish, std::uint64_t seed);

struct PredictedTime {
  std::int64_t group = 0;  // only times of one group are compared
  Seconds predicted_s = 0;
  Seconds simulated_s = 0;
};
// Of the pairs whose predictions differ by more than `clearly` of the smaller one.
struct Ordering {
  std::int64_t pairs = 0;
  std::int64_t right = 0;  // simulated times differ in the same direction
  double right_part() const {
    return pairs > 0 ? static_cast<double>(right) / static_cast<double>(pairs) : 1;
  }
};
Ordering ordering_of(const std::vector<PredictedTime>& times, double clearly);

}  // namespace tutti::studies::fireworks
