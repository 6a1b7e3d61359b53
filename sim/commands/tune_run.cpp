// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/tune_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/base/quote.hpp"
#include "sim/studies/toml_reading.hpp"

namespace tutti::commands {

using reports::TuneReport;
using reports::TuneSearch;
using studies::tuning::Combination;
using studies::tuning::Evaluated;
using studies::tuning::Evaluations;
using studies::tuning::Method;

TuneRun::TuneRun(const studies::tuning::TuneFile& file, const studies::tuning::Space& space,
                 int jobs, const Diagnostics& diagnostics)
    : file_(file), space_(space), times_(jobs, diagnostics) {
  std::vector<std::vector<TuneJob>> of_stage;
  std::int64_t last = 0;
  for (const auto& objective : file.objectives) {
    if (of_stage.empty() || objective.stage != last) of_stage.emplace_back();
    last = objective.stage;
    of_stage.back().emplace_back(file, objective);
  }
  for (auto& jobs_of_stage : of_stage) stages_.emplace_back(file, std::move(jobs_of_stage), times_);
}

std::vector<Error> TuneRun::prepare() {
  for (std::size_t i = 0; i < file_.parameters.size(); ++i) {
    const auto& parameter = file_.parameters[i];
    const auto has = [&](const TuneStage& stage) { return stage.has(i); };
    if (!parameter.is_simulated() || std::ranges::any_of(stages_, has)) continue;
    return {studies::TomlText(file_.sources.front().text, file_.sources.front().path)
                .error_at(parameter.axis.spot,
                          fmt::format("no objective has an option {}", in_quotes(parameter.given)),
                          "leave it out, or add a workload that has it")};
  }
  for (auto& stage : stages_)
    if (auto errors = stage.prepare(space_); !errors.empty()) return errors;
  return {};
}

std::vector<Combination> TuneRun::survivors(std::vector<Evaluated> evaluated) const {
  sort_by_value(evaluated);
  std::vector<Combination> kept;
  for (const auto& each : evaluated)
    if (each.value && *each.value <= (1 + file_.survivors) * *evaluated.front().value)
      kept.push_back(each.combination);
  return kept;
}

// What has no effect as far as was seen goes back to its default, if that is as good. OTPO's
// searches evaluate what their rules say, and no more.
std::optional<Error> TuneRun::settle(Evaluations& evaluations, Method method) const {
  const auto best = evaluations.best();
  if (!best || (method != Method::halving && method != Method::model)) return std::nullopt;
  const auto seen = studies::tuning::sensitivities(space_, evaluations.history());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i].differs) continue;
    Combination settled = evaluations.best()->combination;  // of equals that with fewest changes
    settled[i] = space_.parameters()[i].default_value;
    if (const auto done = evaluations.of({space_.canonical(settled)}); !done) return done.error();
  }
  return std::nullopt;
}

Result<TuneSearch> TuneRun::search(Method method) {
  TuneSearch found{.method = method, .best = {}, .outcome = {}, .predicted = {}, .history = {}};
  auto options = file_.search;
  options.method = method;
  std::vector<Combination> going_on;
  for (std::size_t number = 0; number < stages_.size(); ++number) {
    auto& stage = stages_[number];
    Evaluations evaluations(space_, stage.levels(), [&](const auto& combinations, auto level) {
      return stage.evaluate(combinations, level);
    });
    if (number == 0) {
      auto outcome = studies::tuning::search(evaluations, options);
      if (!outcome) return outcome.errors();
      found.outcome = *std::move(outcome);
      if (!found.outcome.effects.empty())
        found.predicted = predicted_evaluations(space_, found.outcome.effects);
    } else if (const auto done = evaluations.of(going_on); !done) {
      return done.errors();
    }
    if (number + 1 == stages_.size())
      if (const auto error = settle(evaluations, method)) return *error;
    found.evaluations += evaluations.count();
    found.cost += evaluations.cost();
    found.best = evaluations.best();
    if (number == 0) found.history = evaluations.history();
    going_on = survivors(evaluations.history());
    if (number + 1 < stages_.size())
      found.outcome.remarks.push_back(fmt::format("stage {}: {} of {} go on", number + 1,
                                                  going_on.size(), evaluations.history().size()));
  }
  return found;
}

std::optional<Error> TuneRun::run(TuneReport& report) {
  report.space = &space_;
  tell_parameters(report);
  for (auto& stage : stages_) {
    const auto defaults = stage.evaluate({space_.defaults()}, stage.levels().whole());
    if (!defaults) return defaults.error();
    report.default_value = defaults->front();
  }
  for (const Method method : file_.methods) {
    auto found = search(method);
    if (!found) return found.error();
    report.searches.push_back(*std::move(found));
  }
  report.simulations = times_.simulated();
  return compare(report);
}

// Over all searches: what matters, and what the best values gain.
std::optional<Error> TuneRun::compare(TuneReport& report) {
  std::vector<Evaluated> all;
  std::set<Combination> seen;
  for (const auto& search : report.searches)
    for (const auto& each : search.history)
      if (seen.insert(each.combination).second) all.push_back(each);
  report.evaluated = all.size();
  report.sensitivities = sensitivities(space_, all);
  tell_memory(all, report);
  const Evaluated* best = report.best();
  if (best == nullptr) return std::nullopt;
  const auto defaults = points(space_.defaults());
  const auto tuned = points(best->combination);
  if (!defaults) return defaults.error();
  if (!tuned) return tuned.error();
  for (std::size_t i = 0; i < defaults->size() && i < tuned->size(); ++i) {
    const auto bytes = number_of(cell_in((*tuned)[i].parameters, "message_bytes"));
    report.points.push_back(
        {.name = (*defaults)[i].name,
         .message_bytes = bytes ? std::optional(static_cast<Bytes>(*bytes)) : std::nullopt,
         .weight = (*defaults)[i].weight,
         .default_s = (*defaults)[i].time_s,
         .best_s = (*tuned)[i].time_s,
         .least_s = (*tuned)[i].least_s});
  }
  return std::nullopt;
}

// How many of those that were tried a constraint has left out.
void TuneRun::tell_memory(const std::vector<Evaluated>& all, TuneReport& report) const {
  if (!file_.memory_bytes) return;
  const auto failed =
      std::ranges::count_if(all, [](const Evaluated& each) { return !each.value.has_value(); });
  if (failed > 0)
    report.remarks.push_back(
        fmt::format("{} of {} evaluated combinations need more than {} of "
                    "buffers in a process, or failed",
                    failed, all.size(), format_bytes(*file_.memory_bytes)));
}

// Which parameters no simulation knows, and what stages mean for the numbers.
void TuneRun::tell_parameters(TuneReport& report) const {
  report.remarks = file_.notes;
  if (stages_.size() > 1)
    report.remarks.push_back(fmt::format(
        "{} stages: the search, its effects and what matters are of the first one, the best time "
        "of the last one, among those that went on",
        stages_.size()));
  for (const auto& each : file_.parameters) {
    report.without_effect.push_back(each.is_virtual ? "virtual" : each.without_effect);
    if (!each.without_effect.empty())
      report.remarks.push_back(fmt::format(
          "{}: {}: {}", each.given,
          file_.searches_without_effect ? "no effect here" : "not searched", each.without_effect));
  }
  for (const auto& each : file_.aggregates)
    if (each.option.empty())
      report.remarks.push_back(
          fmt::format("{}: a text of others' values; no effect here", each.given));
}

Result<std::vector<TunedPoint>> TuneRun::points(const Combination& combination) {
  std::vector<TunedPoint> all;
  for (std::size_t number = 0; number < stages_.size(); ++number) {
    auto points = stages_[number].points(combination);
    if (!points) return points.errors();
    for (auto& each : *points) {
      if (stages_.size() > 1) each.name = fmt::format("stage {}: {}", number + 1, each.name);
      all.push_back(std::move(each));
    }
  }
  return all;
}

}  // namespace tutti::commands
