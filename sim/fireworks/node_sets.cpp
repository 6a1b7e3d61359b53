// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/node_sets.hpp"

#include <algorithm>
#include <random>

#include "sim/base/check.hpp"

namespace tutti::studies::fireworks {
namespace {

// How many ways there are to put `procs` on `nodes` of at most `most` each, scaled: only ratios of
// one row are used. By number of nodes, then of processes.
std::vector<std::vector<double>> ways(int nodes, int procs, int most) {
  std::vector<std::vector<double>> table{std::vector<double>(static_cast<std::size_t>(procs) + 1)};
  table[0][0] = 1;
  for (int node = 1; node <= nodes; ++node) {
    auto& row = table.emplace_back(static_cast<std::size_t>(procs) + 1);
    for (int of_all = 0; of_all <= procs; ++of_all)
      for (int here = 0; here <= std::min(most, of_all); ++here)
        row[of_all] += table[node - 1][of_all - here];
    const double largest = *std::ranges::max_element(row);
    for (double& each : row) each /= largest;
  }
  return table;
}

}  // namespace

std::vector<int> random_node_set(const NodeSetWish& wish, std::uint64_t seed) {
  TUTTI_CHECK(wish.nodes <= wish.procs && wish.procs <= wish.nodes * wish.cores, "has room");
  std::mt19937_64 random(seed);
  int left = wish.procs - wish.nodes;
  const auto table = ways(wish.nodes, left, wish.cores - 1);
  std::vector<int> procs_of_node;
  for (int node = wish.nodes - 1; node >= 0; --node) {
    std::vector<double> weights;
    for (int here = 0; here <= std::min(wish.cores - 1, left); ++here)
      weights.push_back(table[node][left - here]);
    // Not std::discrete_distribution, which draws differently from library to library.
    double sum = 0;
    for (const double weight : weights) sum += weight;
    double drawn = static_cast<double>(random() >> 11) * 0x1p-53 * sum;
    int here = 0;
    while (here + 1 < static_cast<int>(weights.size()) && drawn >= weights[here])
      drawn -= weights[here++];
    procs_of_node.push_back(1 + here);
    left -= here;
  }
  return procs_of_node;
}

Ordering ordering_of(const std::vector<PredictedTime>& times, double clearly) {
  Ordering ordering;
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t j = i + 1; j < times.size(); ++j) {
      const auto& a = times[i];
      const auto& b = times[j];
      const auto [less_s, more_s] = std::minmax(a.predicted_s, b.predicted_s);
      if (a.group != b.group || more_s <= (1 + clearly) * less_s) continue;
      ++ordering.pairs;
      ordering.right += (a.predicted_s < b.predicted_s) ? a.simulated_s < b.simulated_s
                                                        : b.simulated_s < a.simulated_s;
    }
  return ordering;
}

}  // namespace tutti::studies::fireworks
