// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/node_sets.hpp"

#include <random>

namespace tutti::studies::fireworks {
namespace {

// Number of ways to put `procs` processes on `nodes` nodes with at most `most` on each, by number
// of nodes and of processes. Rows are scaled: only ratios within a row are used.
std::vector<std::vector<double>> ways(int nodes, int procs, int most) {
  std::vector<std::vector<double>> table{std::vector<double>(static_cast<std::size_t>(procs) + 1)};
  table[0][0] = 1;
  for (int node = 1; node <= nodes; ++node) {
    auto& row = table.emplace_back(static_cast<std::size_t>(procs) + 1);
    for (int of_all = 0; of_all <= procs; ++of_all)
      for (int here = 0; here <= std::min(most, of_all); ++here)
        row[of_all] += table[node - 1][of_all - here];
    const double largest = *std::ranges::max_element(row);
    for (double& count : row) count /= largest;
  }
  return table;
}

// Number of distinct orders; `limit` + 1 if there are more than `limit`.
std::int64_t count_orders(std::vector<int> values, std::int64_t limit) {
  std::ranges::sort(values);
  double orders = 1;
  std::int64_t same = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    same = i > 0 && values[i] == values[i - 1] ? same + 1 : 1;
    orders *= static_cast<double>(i + 1) / static_cast<double>(same);
    // A binomial coefficient grows with each value; the product is exact up to 2^53.
    if (orders > static_cast<double>(limit) + 0.5) return limit + 1;
  }
  return static_cast<std::int64_t>(orders + 0.5);
}

class Search {
 public:
  Search(const std::vector<int>& given, const PredictOrder& predict, const OrderSearch& search)
      : given_(given), predict_(predict), search_(search) {}

  NodeOrders run() {
    given_s_ = evaluate(given_);
    found_.are_all = count_orders(given_, search_.most_evaluated) <= search_.most_evaluated;
    if (found_.are_all)
      try_all();
    else
      descend();
    found_.best.assign(kept_.begin(), kept_.end());
    return std::move(found_);
  }

 private:
  struct Better {
    const std::vector<int>& given;
    std::ptrdiff_t moved(const std::vector<int>& order) const {
      std::ptrdiff_t places = 0;
      for (std::size_t i = 0; i < order.size(); ++i) places += order[i] != given[i];
      return places;
    }
    bool operator()(const NodeOrder& a, const NodeOrder& b) const {
      if (a.predicted_s != b.predicted_s) return a.predicted_s < b.predicted_s;
      const auto moved_a = moved(a.order), moved_b = moved(b.order);
      return moved_a != moved_b ? moved_a < moved_b : a.order < b.order;
    }
  };

  Seconds evaluate(const std::vector<int>& order) {
    NodeOrder evaluated{order, predict_(order)};
    ++found_.evaluated;
    if (evaluated.predicted_s > found_.worst.predicted_s) found_.worst = evaluated;
    const Seconds predicted_s = evaluated.predicted_s;
    kept_.insert(std::move(evaluated));
    if (kept_.size() > search_.keep) kept_.erase(std::prev(kept_.end()));
    return predicted_s;
  }

  void try_all() {
    std::vector<int> order = given_;
    std::ranges::sort(order);
    do {
      if (order != given_) evaluate(order);
    } while (std::ranges::next_permutation(order).found);
  }

  void descend() {
    std::mt19937_64 random(search_.seed);
    std::vector<int> order = given_;
    Seconds time_s = given_s_;
    while (true) {
      climb_down(order, time_s);
      if (found_.evaluated >= search_.most_evaluated) return;
      std::ranges::shuffle(order, random);
      time_s = evaluate(order);
    }
  }

  // Makes every swap that reduces the time, until none does.
  void climb_down(std::vector<int>& order, Seconds time_s) {
    bool helped = true;
    while (helped) {
      helped = false;
      for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t j = i + 1; j < order.size(); ++j) {
          if (order[i] == order[j]) continue;
          if (found_.evaluated >= search_.most_evaluated) return;
          std::swap(order[i], order[j]);
          const Seconds swapped_s = evaluate(order);
          if (swapped_s < time_s) {
            time_s = swapped_s;
            helped = true;
          } else {
            std::swap(order[i], order[j]);
          }
        }
    }
  }

  const std::vector<int>& given_;
  const PredictOrder& predict_;
  const OrderSearch& search_;
  Seconds given_s_ = -1;  // negative until known: no order is faster
  std::set<NodeOrder, Better> kept_{Better{given_}};
  NodeOrders found_;
};

}  // namespace

std::vector<int> random_node_set(const NodeSetSpec& spec, std::uint64_t seed) {
  TUTTI_CHECK(spec.nodes <= spec.procs && spec.procs <= spec.nodes * spec.cores,
              "the processes fit on the nodes");
  std::mt19937_64 random(seed);
  int left = spec.procs - spec.nodes;
  const auto table = ways(spec.nodes, left, spec.cores - 1);
  std::vector<int> procs_of_node;
  for (int node = spec.nodes - 1; node >= 0; --node) {
    std::vector<double> weights;
    for (int here = 0; here <= std::min(spec.cores - 1, left); ++here)
      weights.push_back(table[node][left - here]);
    // std::discrete_distribution draws differently in different standard libraries.
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

Ordering count_ordered_pairs(const std::vector<PredictedTime>& times, double clearly) {
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

NodeOrders find_orders(const std::vector<int>& given, const PredictOrder& predict,
                       const OrderSearch& search) {
  return Search(given, predict, search).run();
}

}  // namespace tutti::studies::fireworks
