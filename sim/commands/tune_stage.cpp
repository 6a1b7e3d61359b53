// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/tune_stage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error_list.hpp"
#include "sim/commands/check_run.hpp"
#include "sim/studies/toml_reading.hpp"
#include "sim/studies/tuning/buffer_memory.hpp"

namespace tutti::commands {

using studies::tuning::buffer_memory;
using studies::tuning::Combination;
using studies::tuning::Space;

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

std::vector<Error> TuneStage::prepare(const Space& space) {
  for (const auto procs : file_.levels) {
    const auto is_smaller = [&](const TuneJob& job) { return job.procs() && procs < *job.procs(); };
    if (std::ranges::none_of(jobs_, is_smaller)) continue;
    studies::StudyAxis axis{.name = "procs", .spot = {1, 0}, .values = {}};
    axis.values.push_back({std::to_string(procs), axis.spot});
    level_procs_.push_back(std::move(axis));
  }
  levels_.costs.clear();
  for (std::size_t level = 0; level <= level_procs_.size(); ++level) {
    const auto points = weighed(space.defaults(), level);
    if (!points) return points.errors();
    if (const auto error = check_memory(*points)) return {*error};
    double messages = 0;
    for (const auto& each : *points) messages += std::max(1.0, each.made.point.messages);
    levels_.costs.push_back(messages);
  }
  const double whole = levels_.costs.back();
  for (double& cost : levels_.costs) cost /= whole;
  return check_values(space);
}

// Each value once, before anything is simulated.
std::vector<Error> TuneStage::check_values(const Space& space) {
  ErrorList errors;
  for (std::size_t i = 0; i < space.dimensions(); ++i) {
    if (!has(i)) continue;
    Combination combination = space.defaults();
    for (combination[i] = 0; combination[i] < space.parameters()[i].values.size(); ++combination[i])
      if (const auto points = weighed(combination, level_procs_.size()); !points)
        for (const auto& error : points.errors()) errors.add(error);
  }
  return errors.errors();
}

// Without credits a receiver takes as many messages as come.
std::optional<Error> TuneStage::check_memory(const std::vector<Weighed>& points) const {
  if (!file_.memory_bytes) return std::nullopt;
  for (const auto& each : points)
    if (const auto memory = buffer_memory(each.made.point); !memory.unlimited.empty())
      return studies::TomlText(file_.sources.front().text, file_.sources.front().path)
          .error_at(file_.memory_spot,
                    fmt::format("{}: eager messages may take any memory", each.made.name),
                    fmt::format("\"{}\" = 16 in [job], or as a parameter", memory.unlimited));
  return std::nullopt;
}

bool TuneStage::fits(const std::vector<Weighed>& points) const {
  return !file_.memory_bytes || std::ranges::all_of(points, [&](const Weighed& each) {
    const auto memory = buffer_memory(each.made.point);
    return memory.unlimited.empty() && memory.bytes <= *file_.memory_bytes;
  });
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
    for (auto& made : *points) all.push_back({std::move(made), job.weight()});
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
    if (!fits(*made)) made->clear();
    for (const auto& each : *made) points.push_back(each.made.point);
    of_combination.push_back(*std::move(made));
  }
  if (const auto error = times_.find(points)) return *error;
  std::vector<std::optional<double>> values;
  for (const auto& all : of_combination) {
    values.push_back(value_of(all));
    if (level == levels_.whole()) keep_least(all);
  }
  return values;
}

// The weighted sum; nothing where a point failed, or there is none: the memory does not suffice.
std::optional<double> TuneStage::value_of(const std::vector<Weighed>& points) const {
  if (points.empty()) return std::nullopt;
  double sum = 0;
  for (const auto& each : points) {
    const auto time_s = times_.of(each.made.point.key);
    if (!time_s) return std::nullopt;
    sum += each.weight * *time_s;
  }
  return sum;
}

void TuneStage::keep_least(const std::vector<Weighed>& points) {
  least_s_.resize(std::max(least_s_.size(), points.size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    if (const auto time_s = times_.of(points[i].made.point.key))
      least_s_[i] = std::min(least_s_[i].value_or(*time_s), *time_s);
}

Result<std::vector<TunedPoint>> TuneStage::points(const Combination& combination) {
  auto made = weighed(combination, level_procs_.size());
  if (!made) return made.errors();
  least_s_.resize(std::max(least_s_.size(), made->size()));
  std::vector<TunedPoint> points;
  for (std::size_t i = 0; i < made->size(); ++i) {
    auto& [each, weight] = (*made)[i];
    points.push_back({.name = std::move(each.name),
                      .parameters = std::move(each.point.parameters),
                      .weight = weight,
                      .time_s = times_.of(each.point.key),
                      .least_s = least_s_[i]});
  }
  return points;
}

}  // namespace tutti::commands
