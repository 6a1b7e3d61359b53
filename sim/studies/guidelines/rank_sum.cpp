// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/guidelines/rank_sum.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/base/check.hpp"

namespace tutti::studies::guidelines {
namespace {

// Twice the mid-rank of each value among all of them: whole numbers, also with ties.
std::vector<int> double_ranks(const std::vector<double>& values) {
  std::vector<int> ranks;
  for (const double value : values) {
    const auto below = std::ranges::count_if(values, [&](double each) { return each < value; });
    const auto equal = std::ranges::count(values, value);
    ranks.push_back(static_cast<int>(2 * below + equal + 1));
  }
  return ranks;
}

}  // namespace

double p_of_lower(std::span<const double> lower, std::span<const double> higher) {
  TUTTI_CHECK(!lower.empty() && !higher.empty(), "a test needs values");
  std::vector<double> values(lower.begin(), lower.end());
  values.insert(values.end(), higher.begin(), higher.end());
  const std::vector<int> ranks = double_ranks(values);
  const int sum = std::accumulate(ranks.begin(), ranks.end(), 0);
  // ways[k][s]: of k values whose ranks sum to s.
  std::vector<std::vector<double>> ways(lower.size() + 1, std::vector<double>(sum + 1));
  ways[0][0] = 1;
  for (const int rank : ranks)
    for (std::size_t k = lower.size(); k > 0; --k)
      for (int s = sum; s >= rank; --s) ways[k][s] += ways[k - 1][s - rank];
  const auto& of_all = ways.back();
  const int found =
      std::accumulate(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(lower.size()), 0);
  const double as_low = std::accumulate(of_all.begin(), of_all.begin() + found + 1, 0.0);
  return as_low / std::accumulate(of_all.begin(), of_all.end(), 0.0);
}

std::string_view stars_of(double p) {
  if (p < 0.001) return "***";
  if (p < 0.01) return "**";
  return p < 0.05 ? "*" : "";
}

}  // namespace tutti::studies::guidelines
