// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/scoreboard.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "sim/base/quantile.hpp"

namespace tutti::studies {
namespace {

constexpr double clearly_slower = 1.05;
constexpr double near_best = 1.02;

struct AlgorithmTimes {
  Seconds measured_s = 0;
  Seconds predicted_s = 0;
};

using MeasuredCall = std::tuple<std::string, std::string, std::int64_t, std::int64_t, Bytes>;

MeasuredCall call_of(const MeasuredCollective& one) {
  return {one.run, one.collective, one.procs, one.ppn, one.message_bytes};
}

std::map<MeasuredCall, std::vector<AlgorithmTimes>> algorithms_by_call(
    const std::vector<ScoredTime>& times, const PredictionOf& prediction) {
  std::map<std::pair<MeasuredCall, std::string>,
           std::pair<std::vector<double>, std::vector<double>>>
      all;
  for (const auto& each : times) {
    const auto predicted_s = prediction(each);
    if (!predicted_s) continue;
    auto& [measured, predicted] = all[{call_of(each.measured), each.measured.algorithm}];
    measured.push_back(each.measured.time_s);
    predicted.push_back(*predicted_s);
  }
  std::map<MeasuredCall, std::vector<AlgorithmTimes>> settings;
  for (const auto& [of, both] : all)
    settings[of.first].push_back({median_of(both.first), median_of(both.second)});
  return settings;
}

void count_pairs(const std::vector<AlgorithmTimes>& algorithms, Score& score) {
  for (const auto& slow : algorithms)
    for (const auto& fast : algorithms) {
      if (slow.measured_s <= clearly_slower * fast.measured_s) continue;
      ++score.pairs;
      score.right_pairs += slow.predicted_s > fast.predicted_s;
    }
}

void add_choice(const std::vector<AlgorithmTimes>& algorithms, Score& score) {
  const auto best = std::ranges::min_element(algorithms, {}, &AlgorithmTimes::measured_s);
  const auto chosen = std::ranges::min_element(algorithms, {}, &AlgorithmTimes::predicted_s);
  const double ratio = chosen->measured_s / best->measured_s;
  ++score.settings;
  score.best_found += ratio <= near_best;
  score.mean_regret += ratio - 1;
  score.largest_regret = std::max(score.largest_regret, ratio - 1);
}

}  // namespace

Score score_of(const std::vector<ScoredTime>& times, const PredictionOf& prediction) {
  Score score;
  std::vector<double> errors;
  for (const auto& each : times)
    if (const auto predicted_s = prediction(each))
      errors.push_back(std::abs(*predicted_s / each.measured.time_s - 1));
  score.rows = errors.size();
  if (errors.empty()) return score;
  score.median_error = median_of(errors);
  score.p90_error = quantile_of(errors, 0.9);
  for (const auto& [setting, algorithms] : algorithms_by_call(times, prediction)) {
    if (algorithms.size() < 2) continue;
    count_pairs(algorithms, score);
    add_choice(algorithms, score);
  }
  if (score.settings > 0) score.mean_regret /= static_cast<double>(score.settings);
  return score;
}

Score score_of(const std::vector<ScoredTime>& times) {
  return score_of(times, [](const ScoredTime& each) -> std::optional<Seconds> {
    return each.predicted.simulated_s;
  });
}

}  // namespace tutti::studies
