// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/scale_law.hpp"

#include <random>

namespace tutti::studies {
namespace {

constexpr std::int64_t least_runs = 2;  // on each side
constexpr double largest_chance = 0.05;
// Deviations below this have other causes than a law.
constexpr double smallest_difference = 0.1;

struct Separation {
  TriedLaw tried;
  double t = 0;
};

Separation separation(const std::vector<MeasuredRun>& runs, std::int64_t above,
                      std::int64_t up_to) {
  Separation found;
  double sums[2] = {0, 0}, squares = 0;
  std::int64_t counts[2] = {0, 0};
  const auto side = [&](const MeasuredRun& run) { return run.nodes > above && run.nodes <= up_to; };
  for (const auto& run : runs) {
    sums[side(run)] += run.log_latency;
    ++counts[side(run)];
  }
  found.tried = {
      .law = {.above = static_cast<int>(above)}, .inside = counts[1], .outside = counts[0]};
  if (counts[0] == 0 || counts[1] == 0) return found;
  const double means[2] = {sums[0] / static_cast<double>(counts[0]),
                           sums[1] / static_cast<double>(counts[1])};
  for (const auto& run : runs) squares += std::pow(run.log_latency - means[side(run)], 2);
  // Without a floor, few nearly equal runs would separate infinitely clearly.
  constexpr double least_sd = 0.02;
  const double freedom = std::max(1.0, static_cast<double>(runs.size()) - 2);
  const double sd = std::max(least_sd, std::sqrt(squares / freedom));
  found.tried.log_difference = means[1] - means[0];
  found.t =
      std::abs(found.tried.log_difference) /
      (sd * std::sqrt(1 / static_cast<double>(counts[0]) + 1 / static_cast<double>(counts[1])));
  return found;
}

// The most clearly separating range of sizes with enough runs on each side, else of all.
Separation clearest(const std::vector<MeasuredRun>& runs, const std::vector<std::int64_t>& sizes) {
  Separation best, best_of_few;
  for (std::size_t first = 1; first < sizes.size(); ++first)
    for (std::size_t last = first; last < sizes.size(); ++last) {
      auto found = separation(runs, sizes[first - 1], sizes[last]);
      if (last + 1 < sizes.size()) found.tried.law.up_to = static_cast<int>(sizes[last]);
      const bool enough = std::min(found.tried.inside, found.tried.outside) >= least_runs;
      auto& kept = enough ? best : best_of_few;
      if (found.t > kept.t) kept = std::move(found);
    }
  return best.t > 0 ? best : best_of_few;
}

double chance_of(double t, std::vector<MeasuredRun> runs, const std::vector<std::int64_t>& sizes) {
  constexpr int permutations = 4000;
  std::mt19937_64 random(1);
  std::vector<double> values;
  for (const auto& run : runs) values.push_back(run.log_latency);
  int as_clear = 0;
  for (int i = 0; i < permutations; ++i) {
    std::ranges::shuffle(values, random);
    for (std::size_t k = 0; k < runs.size(); ++k) runs[k].log_latency = values[k];
    as_clear += clearest(runs, sizes).t >= t * (1 - 1e-9);
  }
  return static_cast<double>(as_clear + 1) / (permutations + 1);
}

}  // namespace

std::optional<TriedLaw> clearest_scale_law(const std::vector<MeasuredRun>& runs) {
  std::vector<std::int64_t> sizes;
  for (const auto& run : runs) sizes.push_back(run.nodes);
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (static_cast<std::int64_t>(runs.size()) < 2 * least_runs || sizes.size() < 2)
    return std::nullopt;
  const auto found = clearest(runs, sizes);
  if (found.t == 0) return std::nullopt;
  TriedLaw tried = found.tried;
  tried.chance = chance_of(found.t, runs, sizes);
  if (std::min(tried.inside, tried.outside) < least_runs)
    tried.rejected = "only one run on one of its sides";
  else if (tried.log_difference < smallest_difference)
    tried.rejected = tried.log_difference < 0 ? "these jobs are faster" : "the difference is small";
  else if (tried.chance > largest_chance)
    tried.rejected = fmt::format(
        "{:.0f} of 100 random assignments of runs to sizes separate as well", 100 * tried.chance);
  return tried;
}

std::string law_text(const ScaleLaw& law) {
  return law.up_to ? fmt::format("jobs on {} to {} nodes", law.above + 1, *law.up_to)
                   : fmt::format("jobs on more than {} nodes", law.above);
}

}  // namespace tutti::studies
