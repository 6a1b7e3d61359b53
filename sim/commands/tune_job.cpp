// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/tune_job.hpp"

#include <algorithm>

namespace tutti::commands {
namespace {

using studies::StudyAxis;
using studies::StudySetting;
using studies::StudySettings;
using studies::tuning::Combination;

constexpr std::string_view procs_option = "procs";

const StudyAxis* axis_in(const studies::StudyGroup& group, std::string_view name) {
  const auto found = std::ranges::find(group, name, &StudyAxis::name);
  return found == group.end() ? nullptr : &*found;
}

std::vector<StudySettings> products_of(const studies::tuning::TuneObjective& objective) {
  std::vector<StudySettings> all{{}};
  for (const auto& group : objective.product) {
    std::vector<StudySettings> longer;
    for (const auto& settings : all)
      for (const auto& value : group.front().values) {
        longer.push_back(settings);
        longer.back().push_back({&group.front(), &value});
      }
    all = std::move(longer);
  }
  return all;
}

// In place of a setting of its name, or behind the others.
void put(StudySettings& settings, const StudySetting& setting) {
  const auto same = std::ranges::find(settings, setting.name(), &StudySetting::name);
  if (same != settings.end())
    *same = setting;
  else
    settings.push_back(setting);
}

}  // namespace

TuneJob::TuneJob(const studies::tuning::TuneFile& file,
                 const studies::tuning::TuneObjective& objective)
    : file_(&file),
      objective_(&objective),
      study_(std::make_unique<studies::StudyFile>()),
      points_(std::make_unique<StudyPoints>(*study_)),
      products_(products_of(objective)) {
  study_->path = file.path;
  study_->text = file.text;
  const auto& workload = axis_in(objective.base, studies::workload_key)->values.front().text;
  for (const auto& parameter : file.parameters)
    has_.push_back(has_study_option(workload, parameter.axis.name));
}

std::optional<std::int64_t> TuneJob::procs() const {
  const auto* axis = axis_in(objective_->base, procs_option);
  if (axis == nullptr) return std::nullopt;
  const auto procs = parse_integer(axis->values.front().text);
  return procs ? std::optional(*procs) : std::nullopt;
}

StudySettings TuneJob::settings_of(const Combination& combination, const StudyAxis* procs) const {
  StudySettings settings;
  for (const auto& axis : objective_->base) settings.push_back({&axis, &axis.values.front()});
  if (procs != nullptr) put(settings, {procs, &procs->values.front()});
  for (std::size_t i = 0; i < has_.size(); ++i) {
    const auto& axis = file_->parameters[i].axis;
    if (has_[i]) put(settings, {&axis, &axis.values[combination[i]]});
  }
  return settings;
}

Result<std::vector<studies::StudyPoint>> TuneJob::points(const Combination& combination,
                                                         const std::optional<StudyAxis>& procs) {
  const auto common = settings_of(combination, procs ? &*procs : nullptr);
  std::vector<studies::StudyPoint> all;
  for (const auto& product : products_) {
    StudySettings settings = common;
    for (const auto& each : product)
      if (std::ranges::find(settings, each.name(), &StudySetting::name) == settings.end())
        settings.push_back(each);
    auto swept = points_->of(settings);
    if (!swept) return swept.errors();
    for (auto& point : *swept) all.push_back(std::move(point.point));
  }
  return all;
}

}  // namespace tutti::commands
