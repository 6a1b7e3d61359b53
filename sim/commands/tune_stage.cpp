// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/tune_stage.hpp"

#include <algorithm>

#include "sim/base/error_list.hpp"
#include "sim/commands/check_run.hpp"

namespace tutti::commands {

using studies::tuning::Combination;

std::optional<Error> PointTimes::find(const std::vector<studies::StudyPoint>& points) {
  std::vector<studies::StudyPoint> unknown;
  for (const auto& point : points)
    if (times_.try_emplace(point.key).second) unknown.push_back(point);
  if (unknown.empty()) return std::nullopt;
  const CheckRun run = run_check(unknown, jobs_, diagnostics_);
  for (std::size_t i = 0; i < unknown.size(); ++i)
    if (run.answers[i]) times_[unknown[i].key] = number_of(cell_in(*run.answers[i], "time_s"));
  if (run.not_run == 0) return std::nullopt;
  code_ = run.code;
  return make_error(ErrorKind::run, "", "stopped: the search is not finished");
}

TuneStage::TuneStage(const studies::tuning::TuneFile& file, std::vector<TuneJob> jobs,
                     PointTimes& times)
    : file_(file), jobs_(std::move(jobs)), times_(times) {}

bool TuneStage::has(std::size_t parameter) const {
  return std::ranges::any_of(jobs_, [&](const TuneJob& job) { return job.has(parameter); });
}

std::vector<Error> TuneStage::prepare(const Combination& defaults) {
  for (const auto procs : file_.levels) {
    const auto is_smaller = [&](const TuneJob& job) { return job.procs() && procs < *job.procs(); };
    if (std::ranges::none_of(jobs_, is_smaller)) continue;
    studies::StudyAxis axis{.name = "procs", .spot = {1, 0}, .values = {}};
    axis.values.push_back({std::to_string(procs), axis.spot});
    level_procs_.push_back(std::move(axis));
  }
  levels_.costs.clear();
  for (std::size_t level = 0; level <= level_procs_.size(); ++level) {
    const auto points = weighed(defaults, level);
    if (!points) return points.errors();
    double messages = 0;
    for (const auto& each : *points) messages += std::max(1.0, each.point.messages);
    levels_.costs.push_back(messages);
  }
  const double whole = levels_.costs.back();
  for (double& cost : levels_.costs) cost /= whole;
  return {};
}

Result<std::vector<TuneStage::Weighed>> TuneStage::weighed(const Combination& combination,
                                                           std::size_t level) {
  std::vector<Weighed> all;
  for (auto& job : jobs_) {
    std::optional<studies::StudyAxis> procs;
    if (level < level_procs_.size() && job.procs() &&
        parse_integer(level_procs_[level].values.front().text).value() < *job.procs())
      procs = level_procs_[level];
    auto points = job.points(combination, procs);
    if (!points) return points.errors();
    for (auto& point : *points) all.push_back({std::move(point), job.weight()});
  }
  return all;
}

Result<std::vector<std::optional<double>>> TuneStage::evaluate(
    const std::vector<Combination>& combinations, std::size_t level) {
  std::vector<std::vector<Weighed>> of_combination;
  std::vector<studies::StudyPoint> points;
  for (const auto& combination : combinations) {
    auto made = weighed(combination, level);
    if (!made) return made.errors();
    for (const auto& each : *made) points.push_back(each.point);
    of_combination.push_back(*std::move(made));
  }
  if (const auto error = times_.find(points)) return *error;
  std::vector<std::optional<double>> values;
  for (const auto& all : of_combination) {
    std::optional<double> sum = 0;
    for (const auto& each : all) {
      const auto time_s = times_.of(each.point.key);
      sum = sum && time_s ? std::optional(*sum + each.weight * *time_s) : std::nullopt;
    }
    values.push_back(sum);
  }
  return values;
}

Result<std::vector<TunedPoint>> TuneStage::points(const Combination& combination) {
  auto made = weighed(combination, level_procs_.size());
  if (!made) return made.errors();
  std::vector<TunedPoint> points;
  for (const auto& [point, weight] : *made)
    points.push_back({.name = point.name,
                      .command = to_text(cell_in(point.parameters, "command")),
                      .weight = weight,
                      .time_s = times_.of(point.key)});
  return points;
}

}  // namespace tutti::commands
