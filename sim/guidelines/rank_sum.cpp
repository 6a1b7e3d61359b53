// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/rank_sum.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/base/check.hpp"

namespace tutti::studies::guidelines {
namespace {

// Exact tables have as many entries as values times the sum of ranks.
constexpr std::size_t most_exact = 60;

// Twice the mid-rank of each value among all of them: whole numbers, also with ties.
std::vector<int> double_ranks(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  std::vector<int> ranks;
  for (const double value : values) {
    const auto equal = std::ranges::equal_range(sorted, value);
    const auto below = equal.begin() - sorted.begin();
    ranks.push_back(static_cast<int>(2 * below + std::ssize(equal) + 1));
  }
  return ranks;
}

// Over all ways to divide the values.
double exact_p(const std::vector<int>& ranks, std::size_t lower) {
  const int sum = std::accumulate(ranks.begin(), ranks.end(), 0);
  // ways[k][s]: of k values whose ranks sum to s.
  std::vector<std::vector<double>> ways(lower + 1, std::vector<double>(sum + 1));
  ways[0][0] = 1;
  for (const int rank : ranks)
    for (std::size_t k = lower; k > 0; --k)
      for (int s = sum; s >= rank; --s) ways[k][s] += ways[k - 1][s - rank];
  const auto& of_all = ways.back();
  const int found =
      std::accumulate(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(lower), 0);
  const double as_low = std::accumulate(of_all.begin(), of_all.begin() + found + 1, 0.0);
  return as_low / std::accumulate(of_all.begin(), of_all.end(), 0.0);
}

// Of the sum of ranks, whose variance ties lower: it is that of a sample without replacement.
double normal_p(const std::vector<int>& ranks, std::size_t lower) {
  const auto n = static_cast<double>(ranks.size()), m = static_cast<double>(lower);
  double sum = 0, squares = 0;
  for (const int rank : ranks) {
    sum += rank;
    squares += static_cast<double>(rank) * rank;
  }
  const double mean = sum / n;
  const double variance = m * (n - m) / (n - 1) * (squares / n - mean * mean);
  if (variance <= 0) return 1;  // all values are equal
  const double found =
      std::accumulate(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(lower), 0.0);
  constexpr double continuity = 1;  // half a rank, doubled
  const double z = (found + continuity - m * mean) / std::sqrt(variance);
  return std::erfc(-z / std::sqrt(2.0)) / 2;
}

}  // namespace

double p_of_lower(std::span<const double> lower, std::span<const double> higher) {
  TUTTI_CHECK(!lower.empty() && !higher.empty(), "a test needs values");
  std::vector<double> values(lower.begin(), lower.end());
  values.insert(values.end(), higher.begin(), higher.end());
  const std::vector<int> ranks = double_ranks(values);
  return values.size() <= most_exact ? exact_p(ranks, lower.size()) : normal_p(ranks, lower.size());
}

std::string_view stars_of(double p) {
  if (p < 0.001) return "***";
  if (p < 0.01) return "**";
  return p < 0.05 ? "*" : "";
}

}  // namespace tutti::studies::guidelines
