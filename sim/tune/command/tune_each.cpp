// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/command/tune_each.hpp"

#include "sim/tune/tune_file.hpp"

namespace tutti::commands {
namespace {

// Without the parameters that the objective does not have: they would be dimensions without effect.
studies::tuning::TuneFile alone(const studies::tuning::TuneFile& file,
                                const studies::tuning::TuneObjective& objective) {
  studies::tuning::TuneFile one = file;
  one.objectives = {objective};
  const TuneJob job(file, objective);
  one.parameters.clear();
  for (std::size_t i = 0; i < file.parameters.size(); ++i)
    if (!file.parameters[i].is_simulated() || job.has(i))
      one.parameters.push_back(file.parameters[i]);
  return one;
}

}  // namespace

TuneEach::TuneEach(const studies::tuning::TuneFile& file, int jobs, const Diagnostics& diagnostics)
    : file_(file) {
  for (const auto& objective : file.objectives) {
    const auto& one = files_.emplace_back(alone(file, objective));
    const auto& space = spaces_.emplace_back(studies::tuning::space_of(one));
    runs_.emplace_back(one, space, jobs, diagnostics);
  }
}

std::vector<Error> TuneEach::prepare() {
  for (auto& run : runs_)
    if (auto errors = run.prepare(); !errors.empty()) return errors;
  return {};
}

std::optional<Error> TuneEach::run(reports::TuneEachReport& report) {
  report.name = file_.name;
  report.description = file_.description;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    auto& each = report.objectives.emplace_back();
    each.name = TuneJob(files_[i], files_[i].objectives.front()).name();
    if (auto error = runs_[i].run(each.report)) {
      code_ = runs_[i].code();
      return error;
    }
  }
  if (!report.objectives.empty()) report.remarks = report.objectives.front().report.remarks;
  return std::nullopt;
}

}  // namespace tutti::commands
