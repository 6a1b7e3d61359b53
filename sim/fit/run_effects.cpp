// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/run_effects.hpp"

namespace tutti::studies {

using Eigen::Index;

MeasuredRuns::MeasuredRuns(const std::vector<MeasuredCollective>& measured) {
  for (const auto& row : measured) {
    of_row.push_back(-1);
    if (row.message || row.run.empty()) continue;
    const auto known = std::ranges::find(runs, row.run, &MeasuredRun::name);
    of_row.back() = known - runs.begin();
    if (known == runs.end()) runs.push_back({row.run, 0});
    auto& nodes = runs[static_cast<std::size_t>(of_row.back())].nodes;
    nodes = std::max(nodes, row.nodes());
  }
}

RunEffects effects_of(const MeasuredRuns& runs, std::vector<bool> is_latency) {
  constexpr std::size_t least_runs = 3;
  if (runs.runs.size() < least_runs) return {};
  return {.run_of_row = runs.of_row,
          .runs = static_cast<Index>(runs.runs.size()),
          .is_latency = std::move(is_latency)};
}

bool renew_spread(RunEffects& effects, const SimulatedFit& fit, Index times, double scatter) {
  constexpr double small_change = 0.03, prior_runs = 2, prior_sd = 0.05;
  const Posterior posterior(fit, times, scatter);
  const Index first = fit.numbers.size() - effects.count();
  const auto estimate = [&](Index begin) {
    double sum = prior_runs * prior_sd * prior_sd;
    for (Index i = begin; i < begin + effects.runs; ++i)
      sum += fit.numbers[i] * fit.numbers[i] + posterior.variance(i);
    return std::sqrt(sum / (static_cast<double>(effects.runs) + prior_runs));
  };
  const double latency_sd = estimate(first), byte_sd = estimate(first + effects.runs);
  const double change = std::max(std::abs(std::log(latency_sd / effects.latency_sd)),
                                 std::abs(std::log(byte_sd / effects.byte_sd)));
  effects.latency_sd = latency_sd;
  effects.byte_sd = byte_sd;
  return change >= small_change;
}

std::vector<MeasuredRun> runs_in(const SimulatedFit& fit, const RunEffects& effects,
                                 const MeasuredRuns& runs) {
  if (effects.runs == 0) return {};
  auto found = runs.runs;
  const Index first = fit.numbers.size() - effects.count();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto latency = first + static_cast<Index>(i);
    found[i].log_latency = fit.numbers[latency];
    found[i].log_byte = fit.numbers[latency + effects.runs];
  }
  return found;
}

}  // namespace tutti::studies
