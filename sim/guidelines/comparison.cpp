// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/comparison.hpp"

#include "sim/base/quantile.hpp"

namespace tutti::studies::guidelines {
namespace {

// The tables of the exact test have (number of values) x (sum of ranks) entries.
constexpr std::size_t most_exact = 60;

// Twice the mid-rank of each value among all values, which is an integer even with ties.
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

// The exact p-value, over all ways to divide the values into two samples.
double exact_p(const std::vector<int>& ranks, std::size_t lower) {
  const int sum = std::accumulate(ranks.begin(), ranks.end(), 0);
  // ways[k][s]: number of ways to choose k values whose ranks sum to s.
  std::vector<std::vector<double>> ways(lower + 1, std::vector<double>(sum + 1));
  ways[0][0] = 1;
  for (const int rank : ranks)
    for (std::size_t k = lower; k > 0; --k)
      for (int s = sum; s >= rank; --s) ways[k][s] += ways[k - 1][s - rank];
  const auto& of_all = ways.back();
  const int rank_sum =
      std::accumulate(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(lower), 0);
  const double as_low = std::accumulate(of_all.begin(), of_all.begin() + rank_sum + 1, 0.0);
  return as_low / std::accumulate(of_all.begin(), of_all.end(), 0.0);
}

// The normal approximation of the rank sum. Its variance is that of a sample without replacement,
// which includes the correction for ties.
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
  const double rank_sum =
      std::accumulate(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(lower), 0.0);
  constexpr double continuity = 1;  // half a rank; ranks are doubled
  const double z = (rank_sum + continuity - m * mean) / std::sqrt(variance);
  return std::erfc(-z / std::sqrt(2.0)) / 2;
}

// Times of identical calls may differ by rounding.
constexpr double rounding = 1e-9;

bool is_simulated(const Side& side) { return !side.times_s.empty(); }
Seconds median_time(const Side& side) { return median_of(side.times_s); }

Comparison compare(const Setting& setting, const Side& side, const Thresholds& thresholds) {
  const Side& by_default = setting.sides.front();
  Comparison comparison{.setting = &setting,
                        .side = &side,
                        .default_s = median_time(by_default),
                        .mockup_s = median_time(side)};
  const auto relative = [&](Seconds time_s) {
    return comparison.default_s > 0 ? time_s / comparison.default_s : 1.0;
  };
  const auto [least, most] = std::ranges::minmax(side.times_s);
  comparison.relative = relative(comparison.mockup_s);
  comparison.relative_min = relative(least);
  comparison.relative_max = relative(most);
  if (side.times_s.size() > 1) comparison.p = rank_sum_p(side.times_s, by_default.times_s);
  const bool is_certain = !comparison.p || *comparison.p < thresholds.p;
  comparison.violated = is_certain && comparison.relative < 1 - thresholds.violated - rounding;
  // PGMPITuneLib does not replace calls without data.
  comparison.replaceable = setting.message_bytes > 0 && comparison.violated &&
                           comparison.relative <= 1 - thresholds.replaceable + rounding;
  comparison.extra = side.mockup->extra(side.point.call.args, setting.procs);
  return comparison;
}

// Groups of settings of one collective and number of processes, sorted by size.
std::vector<std::vector<const Setting*>> defaults_by_size(const std::vector<Setting>& settings) {
  std::vector<std::vector<const Setting*>> groups;
  for (const Setting& setting : settings) {
    if (!is_simulated(setting.sides.front())) continue;
    const bool goes_on = !groups.empty() &&
                         groups.back().back()->collective == setting.collective &&
                         groups.back().back()->procs == setting.procs;
    if (!goes_on) groups.emplace_back();
    groups.back().push_back(&setting);
  }
  for (auto& group : groups) std::ranges::sort(group, {}, &Setting::message_bytes);
  return groups;
}

SizePair compare_sizes(const Setting& small, const Setting& large, std::int64_t parts,
                       double slack) {
  SizePair pair{&small,
                &large,
                parts,
                static_cast<double>(parts) * median_time(small.sides.front()),
                median_time(large.sides.front()),
                false};
  // As in PGMPI: the parts (split-robustness) or the larger message (monotony) must be faster even
  // when slowed down by the slack.
  pair.violated = parts > 1 ? (1 + slack) * pair.small_s < pair.large_s
                            : (1 + slack) * pair.large_s < pair.small_s;
  return pair;
}

}  // namespace

double rank_sum_p(std::span<const double> lower, std::span<const double> higher) {
  TUTTI_CHECK(!lower.empty() && !higher.empty(), "the rank-sum test needs values");
  std::vector<double> values(lower.begin(), lower.end());
  values.insert(values.end(), higher.begin(), higher.end());
  const std::vector<int> ranks = double_ranks(values);
  return values.size() <= most_exact ? exact_p(ranks, lower.size()) : normal_p(ranks, lower.size());
}

std::string_view significance_stars(double p) {
  if (p < 0.001) return "***";
  if (p < 0.01) return "**";
  return p < 0.05 ? "*" : "";
}

std::vector<Comparison> comparisons(const std::vector<Setting>& settings,
                                    const Thresholds& thresholds) {
  std::vector<Comparison> all;
  for (const Setting& setting : settings) {
    if (!is_simulated(setting.sides.front())) continue;
    for (const Side& side : setting.sides)
      if (side.mockup != nullptr && is_simulated(side))
        all.push_back(compare(setting, side, thresholds));
  }
  return all;
}

std::vector<SizePair> monotony(const std::vector<Setting>& settings, const Thresholds& thresholds) {
  std::vector<SizePair> pairs;
  for (const auto& group : defaults_by_size(settings))
    for (std::size_t i = 1; i < group.size(); ++i)
      pairs.push_back(compare_sizes(*group[i - 1], *group[i], 1, thresholds.slack));
  return pairs;
}

std::vector<SizePair> split_robustness(const std::vector<Setting>& settings,
                                       const Thresholds& thresholds) {
  std::vector<SizePair> pairs;
  for (const auto& group : defaults_by_size(settings))
    for (const Setting* large : group) {
      std::optional<SizePair> fastest;
      for (const Setting* small : group) {
        if (small->message_bytes == 0 || small->message_bytes >= large->message_bytes) continue;
        if (large->message_bytes % small->message_bytes != 0) continue;
        const auto pair = compare_sizes(*small, *large, large->message_bytes / small->message_bytes,
                                        thresholds.slack);
        if (!fastest || pair.small_s < fastest->small_s) fastest = pair;
      }
      if (fastest) pairs.push_back(*fastest);
    }
  return pairs;
}

}  // namespace tutti::studies::guidelines
