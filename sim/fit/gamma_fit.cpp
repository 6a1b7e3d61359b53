// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/gamma_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/error_list.hpp"
#include "sim/studies/straight_line.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::studies {

Result<std::vector<ModelExperiment>> gamma_experiments(const platforms::Machine& machine,
                                                       Bytes segment_bytes, int most_procs,
                                                       const runtime::Noise& noise) {
  const std::int64_t most = std::min<std::int64_t>(most_procs, machine.host_count());
  if (most < 2)
    return usage_error("--platform", fmt::format("{} has one node", machine.name),
                       "gamma is measured between nodes: two at least");
  Sweep sweep;
  sweep.collective = "bcast";
  sweep.algorithms = {"basic_linear"};
  sweep.procs.resize(static_cast<std::size_t>(most) - 1);
  std::iota(sweep.procs.begin(), sweep.procs.end(), 2);
  sweep.ppn = {1};
  sweep.message_bytes = {segment_bytes};
  sweep.common.benchmark.noise = noise;
  auto points = TUTTI_TRY(points_of(sweep, machine));
  std::vector<ModelExperiment> experiments;
  for (auto& point : points.all) experiments.push_back({std::move(point), {}});
  return experiments;
}

GammaFit gamma_of(const std::vector<Seconds>& times) {
  std::vector<double> gamma;
  std::vector<DataPoint> points;
  for (const Seconds time_s : times) {
    gamma.push_back(time_s / times.front());
    points.push_back({static_cast<double>(gamma.size() + 1), gamma.back()});
  }
  if (points.size() == 1) return {.gamma = {std::move(gamma), 1, 0}};
  const StraightLine line = least_squares(points);
  double largest = 0;
  for (const auto& point : points)
    largest = std::max(largest, std::fabs(line(point.x) / point.y - 1));
  return {.gamma = {std::move(gamma), line.at_0, line.slope}, .largest_residual = largest};
}

}  // namespace tutti::studies
