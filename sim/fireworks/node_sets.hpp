// SPDX-License-Identifier: BSD-3-Clause
// Random node sets, the comparison of predict_exchange with simulated orderings, and the search for
// the fastest order of the nodes.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies::fireworks {

struct NodeSetSpec {
  int nodes = 0;
  int procs = 0;  // from nodes to nodes * cores
  int cores = 0;  // per node
};
// Number of processes on each node, in order. All possible node sets are equally likely.
std::vector<int> random_node_set(const NodeSetSpec& spec, std::uint64_t seed);

struct PredictedTime {
  std::int64_t group = 0;  // only times of the same group are compared
  Seconds predicted_s = 0;
  Seconds simulated_s = 0;
};
// Pairs whose predictions differ by more than the fraction `clearly` of the smaller one.
struct Ordering {
  std::int64_t pairs = 0;
  std::int64_t right = 0;  // simulated times differ in the same direction
  double correct_fraction() const {
    return pairs > 0 ? static_cast<double>(right) / static_cast<double>(pairs) : 1;
  }
};
Ordering count_ordered_pairs(const std::vector<PredictedTime>& times, double clearly);

// The order of the nodes, or the assignment of aggregators to nodes, with the least
// predict_exchange time.

struct NodeOrder {
  std::vector<int> order;  // processes of each node, or the aggregators' nodes
  Seconds predicted_s = 0;
};

struct NodeOrders {
  std::vector<NodeOrder> best;  // by time; with equal times, by distance from `given`
  NodeOrder worst;              // of the evaluated orders
  std::int64_t evaluated = 0;
  bool are_all = false;  // every order was evaluated; else a search by swaps
};

using PredictOrder = std::function<Seconds(const std::vector<int>&)>;

// Finds the `keep` best orders of the values of `given`. All orders are evaluated if there are at
// most `most_evaluated`; otherwise a local search swaps values as long as that reduces the time,
// starting from `given` and then from random orders (`seed`).
struct OrderSearch {
  std::size_t keep = 10;
  std::int64_t most_evaluated = 50'000;
  std::uint64_t seed = 1;
};
NodeOrders find_orders(const std::vector<int>& given, const PredictOrder& predict,
                       const OrderSearch& search);

}  // namespace tutti::studies::fireworks
