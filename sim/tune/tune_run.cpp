// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/tune_run.hpp"

#include <deque>

namespace tutti::studies::tuning {

std::size_t TuneSearch::best_after() const {
  std::size_t after = 0;
  for (std::size_t i = 0; i < history.size(); ++i)
    if (best && history[i].combination == best->combination) after = i + 1;
  return after;
}

const TuneSearch* TuneFindings::best_search() const {
  const TuneSearch* best = nullptr;
  for (const auto& search : searches)
    if (search.best && (best == nullptr || *search.best->value < *best->best->value))
      best = &search;
  return best;
}

const Evaluated* TuneFindings::best() const {
  const auto* search = best_search();
  return search == nullptr ? nullptr : &*search->best;
}

std::optional<double> TuneFindings::true_best() const {
  for (const auto& search : searches)
    if (search.method == Method::brute_force && search.best &&
        std::ranges::none_of(search.history, &Evaluated::has_failed))
      return search.best->value;
  return std::nullopt;
}

TuneRun::TuneRun(const TuneFile& file, RunPoints run,
                 std::optional<algorithms::selection::RulesFormat> rules)
    : file_(file),
      whole_space_(make_space(file)),
      space_(rules ? space_without_choices(file) : whole_space_),
      times_(std::move(run)),
      rules_format_(rules) {
  std::vector<std::vector<TuneJob>> stages;
  std::int64_t last = 0;
  for (const auto& objective : file.objectives) {
    if (stages.empty() || objective.stage != last) stages.emplace_back();
    last = objective.stage;
    stages.back().emplace_back(file, objective);
  }
  for (auto& jobs : stages) stages_.emplace_back(file, std::move(jobs), times_);
}

std::vector<Error> TuneRun::prepare() {
  for (std::size_t i = 0; i < file_.parameters.size(); ++i) {
    const auto& parameter = file_.parameters[i];
    const auto has = [&](const TuneStage& stage) { return stage.has(i); };
    if (!parameter.is_simulated() || std::ranges::any_of(stages_, has)) continue;
    return {error_at(file_, parameter.axis.spot,
                     fmt::format("no objective has an option {}", in_quotes(parameter.given)),
                     "omit it, or add a workload that has it")};
  }
  for (auto& stage : stages_)
    if (auto errors = stage.prepare(whole_space_); !errors.empty()) return errors;
  return {};
}

Combination TuneRun::whole(const Combination& combination) const {
  return rules_format_ ? with_default_choices(file_, combination) : combination;
}

std::vector<Combination> TuneRun::whole(std::vector<Combination> combinations) const {
  for (auto& combination : combinations) combination = whole(combination);
  return combinations;
}

std::vector<Combination> TuneRun::survivors(std::vector<Evaluated> evaluated) const {
  sort_by_value(evaluated);
  std::vector<Combination> kept;
  for (const auto& result : evaluated)
    if (result.value && *result.value <= (1 + file_.survivors) * *evaluated.front().value)
      kept.push_back(result.combination);
  return kept;
}

// Resets parameters without effect on the best to their defaults. These evaluations are not part of
// the search, whose count follows its own rules.
std::optional<Error> TuneRun::settle(Evaluations& evaluations, TuneSearch& search) const {
  if (!evaluations.best()) return std::nullopt;
  const auto before = evaluations.count();
  for (std::size_t i = 0; i < space_.dimensions(); ++i) {
    // Of equal combinations, `best` is the one with the fewest changes.
    Combination settled = evaluations.best()->combination;
    settled[i] = space_.parameters()[i].default_value;
    TUTTI_TRY(evaluations.evaluate({space_.canonical(settled)}));
  }
  if (const auto more = evaluations.count() - before; more > 0)
    search.outcome.remarks.push_back(
        fmt::format("{} more, to reset parameters without effect on the best to their defaults",
                    counted(more, "evaluation")));
  return std::nullopt;
}

Result<TuneSearch> TuneRun::search(Method method) {
  TuneSearch result{.method = method};
  auto options = file_.search;
  options.method = method;
  std::vector<Combination> going_on;
  for (std::size_t number = 0; number < stages_.size(); ++number) {
    auto& stage = stages_[number];
    Evaluations evaluations(
        space_, stage.levels(),
        [&](const auto& combinations, auto level) {
          return stage.evaluate(whole(combinations), level);
        },
        [&](const auto& combination, auto level) {
          return stage.has_failed(whole(combination), level);
        });
    if (number == 0) {
      result.outcome = TUTTI_TRY(tuning::search(evaluations, options));
      if (!result.outcome.effects.empty())
        result.predicted = predicted_evaluations(space_, result.outcome.effects);
    } else {
      TUTTI_TRY(evaluations.evaluate(going_on));
    }
    result.evaluations += evaluations.count();
    result.cost += evaluations.cost();
    if (number + 1 == stages_.size())
      if (const auto error = settle(evaluations, result)) return *error;
    result.best = evaluations.best();
    if (number == 0) result.history = evaluations.history();
    going_on = survivors(evaluations.history());
    if (number + 1 < stages_.size())
      result.outcome.remarks.push_back(fmt::format("stage {}: {} of {} continue", number + 1,
                                                   going_on.size(), evaluations.history().size()));
  }
  return result;
}

Result<TuneFindings> TuneRun::run() {
  findings_ = {.name = file_.name, .description = file_.description, .space = space_};
  report_parameters();
  for (auto& stage : stages_) {
    const auto defaults =
        TUTTI_TRY(stage.evaluate({whole_space_.defaults()}, stage.levels().whole()));
    findings_.default_value = defaults.front();
    if (rules_format_)
      stage.choose_by_point(whole_space_, [format = *rules_format_](const Row& parameters) {
        return rules_can_choose(parameters, format);
      });
  }
  for (const Method method : file_.methods) {
    findings_.searches.push_back(TUTTI_TRY(search(method)));
  }
  findings_.simulations = times_.simulated();
  findings_.failed_simulations = times_.failed();
  if (const auto error = compare()) return *error;
  return std::move(findings_);
}

// Compares all searches: sensitivities, and the gains of the best values.
std::optional<Error> TuneRun::compare() {
  std::vector<Evaluated> all;
  std::set<Combination> seen;
  for (const auto& search : findings_.searches)
    for (const auto& evaluated : search.history)
      if (seen.insert(evaluated.combination).second) all.push_back(evaluated);
  findings_.evaluated = all.size();
  findings_.failed_combinations =
      static_cast<std::size_t>(std::ranges::count_if(all, &Evaluated::has_failed));
  findings_.sensitivities = sensitivities(space_, all);
  report_memory(all);
  const Evaluated* best = findings_.best();
  if (best == nullptr) return std::nullopt;
  if (rules_format_)
    if (auto error = make_rules()) return error;
  const auto defaults = TUTTI_TRY(points(space_.defaults()));
  const auto tuned = TUTTI_TRY(points(best->combination));
  for (std::size_t i = 0; i < defaults.size() && i < tuned.size(); ++i) {
    const auto bytes = number_of(cell_in(tuned[i].parameters, "message_bytes"));
    findings_.points.push_back(
        {.choice = rules_ ? rules_->chosen[i] : "",
         .name = defaults[i].name,
         .message_bytes = bytes ? std::optional(static_cast<Bytes>(*bytes)) : std::nullopt,
         .weight = defaults[i].weight,
         .default_s = defaults[i].time_s,
         .best_s = rules_ ? rules_->times_s[i] : tuned[i].time_s,
         .least_s = tuned[i].least_s});
  }
  return std::nullopt;
}

// Makes rules for the best combination; requires a single stage.
std::optional<Error> TuneRun::make_rules() {
  const auto choices = TUTTI_TRY(stages_.front().choices(whole(findings_.best()->combination)));
  rules_ = rules_by_size(choices, *rules_format_);
  for (const auto& parameter : file_.parameters)
    findings_.is_by_size.push_back(parameter.is_choice());
  findings_.remarks.push_back(
      fmt::format("with the rules the calls take {}", format_seconds(rules_->value)));
  if (rules_->value_of_one_choice)
    findings_.remarks.back() +=
        fmt::format("; with one choice for all sizes of each collective {}, {:+.1f} %",
                    format_seconds(*rules_->value_of_one_choice),
                    (*rules_->value_of_one_choice / rules_->value - 1) * 100);
  return std::nullopt;
}

// Reports how many of the evaluated combinations the constraint excluded.
void TuneRun::report_memory(const std::vector<Evaluated>& all) {
  if (!file_.memory_bytes) return;
  const auto excluded = std::ranges::count_if(
      all, [](const Evaluated& evaluated) { return !evaluated.value && !evaluated.has_failed; });
  if (excluded > 0)
    findings_.remarks.push_back(
        fmt::format("{} of {} evaluated combinations need more than {} of buffers in a process",
                    excluded, all.size(), format_bytes(*file_.memory_bytes)));
}

// Reports the parameters that simulations do not model, and what stages mean for the numbers.
void TuneRun::report_parameters() {
  findings_.remarks = file_.notes;
  if (stages_.size() > 1)
    findings_.remarks.push_back(
        fmt::format("{} stages: the search, its effects and the sensitivities refer to the first "
                    "one, the best time to the last one, among the combinations that reached it",
                    stages_.size()));
  for (const auto& parameter : file_.parameters) {
    findings_.without_effect.push_back(parameter.is_virtual ? "virtual" : parameter.without_effect);
    if (parameter.is_left)
      findings_.remarks.push_back(fmt::format("{}: not searched", parameter.given));
    else if (!parameter.without_effect.empty())
      findings_.remarks.push_back(
          fmt::format("{}: {}: {}", parameter.given,
                      file_.searches_without_effect ? "no effect here" : "not searched",
                      parameter.without_effect));
  }
  for (const auto& aggregate : file_.aggregates)
    if (aggregate.option.empty())
      findings_.remarks.push_back(
          fmt::format("{}: a text of other parameters' values; no effect here", aggregate.given));
}

Result<std::vector<std::optional<double>>> TuneRun::values(
    const std::vector<Combination>& combinations) {
  return stages_.back().evaluate(whole(combinations), stages_.back().levels().whole());
}

Result<std::vector<TunedPoint>> TuneRun::points(const Combination& combination) {
  std::vector<TunedPoint> all;
  for (std::size_t number = 0; number < stages_.size(); ++number) {
    auto points = TUTTI_TRY(stages_[number].points(whole(combination)));
    for (auto& point : points) {
      if (stages_.size() > 1) point.name = fmt::format("stage {}: {}", number + 1, point.name);
      all.push_back(std::move(point));
    }
  }
  return all;
}

namespace {

// Omits the parameters that the objective does not have: they would be dimensions without effect.
TuneFile single_study(const TuneFile& file, const TuneObjective& objective) {
  TuneFile study = file;
  study.objectives = {objective};
  const TuneJob job(file, objective);
  study.parameters.clear();
  for (std::size_t i = 0; i < file.parameters.size(); ++i)
    if (!file.parameters[i].is_simulated() || job.has(i))
      study.parameters.push_back(file.parameters[i]);
  return study;
}

}  // namespace

Result<std::vector<TunedObjective>> tune_each(const TuneFile& file, const RunPoints& run) {
  std::deque<TuneFile> files;
  std::deque<TuneRun> runs;
  for (const auto& objective : file.objectives) {
    files.push_back(single_study(file, objective));
    runs.emplace_back(files.back(), run);
    if (auto errors = runs.back().prepare(); !errors.empty()) return errors;
  }
  std::vector<TunedObjective> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto findings = TUTTI_TRY(runs[i].run());
    all.push_back({TuneJob(files[i], files[i].objectives.front()).name(), std::move(findings)});
  }
  return all;
}

}  // namespace tutti::studies::tuning
