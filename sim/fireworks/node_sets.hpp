// SPDX-License-Identifier: BSD-3-Clause
// Random node sets, and whether predictions order them as the simulation does.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies::fireworks {

struct NodeSetSpec {
  int nodes = 0;
  int procs = 0;  // at least one on each node
  int cores = 0;  // of a node; nodes times cores is enough
};
// How many processes each node has, in order: every such node set is equally likely.
std::vector<int> random_node_set(const NodeSetSpec& spec, std::uint64_t seed);

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

// Which order of the nodes, and which assignment of aggregators to them, is expected to take least.

struct NodeOrder {
  std::vector<int> order;  // processes of each node, or the aggregators' nodes
  Seconds predicted_s = 0;
};

struct NodeOrders {
  std::vector<NodeOrder> best;  // ascending; of equal times that which differs least from `given`
  NodeOrder worst;              // of all, or of those that were looked at
  std::int64_t evaluated = 0;
  bool are_all = false;                // every order was looked at; else a search by swaps
  std::int64_t faster_than_given = 0;  // of those evaluated
};

using PredictOrder = std::function<Seconds(const std::vector<int>&)>;

// Orders of the values of `given`, `keep` of them. All are evaluated where they are at most
// `most_evaluated`; else places are swapped as long as that helps, from `given` and from random
// orders, by the seed.
struct OrderSearch {
  std::size_t keep = 10;
  std::int64_t most_evaluated = 50'000;
  std::uint64_t seed = 1;
};
NodeOrders find_orders(const std::vector<int>& given, const PredictOrder& predict,
                       const OrderSearch& search);

}  // namespace tutti::studies::fireworks
