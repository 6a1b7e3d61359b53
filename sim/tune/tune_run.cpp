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
  const TuneSearch* found = nullptr;
  for (const auto& search : searches)
    if (search.best && (found == nullptr || *search.best->value < *found->best->value))
      found = &search;
  return found;
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
      whole_space_(space_of(file)),
      space_(rules ? space_without_choices(file) : whole_space_),
      times_(std::move(run)),
      rules_format_(rules) {
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
std::optional<Error> TuneRun::settle(Evaluations& evaluations, TuneSearch& found) const {
  if (!evaluations.best()) return std::nullopt;
  const auto before = evaluations.count();
  for (std::size_t i = 0; i < space_.dimensions(); ++i) {
    // Of equal combinations the one with the fewest changes.
    Combination settled = evaluations.best()->combination;
    settled[i] = space_.parameters()[i].default_value;
    if (const auto done = evaluations.of({space_.canonical(settled)}); !done) return done.error();
  }
  if (const auto more = evaluations.count() - before; more > 0)
    found.outcome.remarks.push_back(
        fmt::format("{} more, to reset parameters without effect on the best to their defaults",
                    counted(more, "evaluation")));
  return std::nullopt;
}

Result<TuneSearch> TuneRun::search(Method method) {
  TuneSearch found{.method = method};
  auto options = file_.search;
  options.method = method;
  std::vector<Combination> going_on;
  for (std::size_t number = 0; number < stages_.size(); ++number) {
    auto& stage = stages_[number];
    Evaluations evaluations(
        space_, stage.levels(),
        [&](const auto& combinations, auto level) {
          std::vector<Combination> all;
          for (const auto& combination : combinations) all.push_back(whole(combination));
          return stage.evaluate(all, level);
        },
        [&](const auto& combination, auto level) {
          return stage.has_failed(whole(combination), level);
        });
    if (number == 0) {
      found.outcome = TUTTI_TRY(tuning::search(evaluations, options));
      if (!found.outcome.effects.empty())
        found.predicted = predicted_evaluations(space_, found.outcome.effects);
    } else if (const auto done = evaluations.of(going_on); !done) {
      return done.errors();
    }
    found.evaluations += evaluations.count();
    found.cost += evaluations.cost();
    if (number + 1 == stages_.size())
      if (const auto error = settle(evaluations, found)) return *error;
    found.best = evaluations.best();
    if (number == 0) found.history = evaluations.history();
    going_on = survivors(evaluations.history());
    if (number + 1 < stages_.size())
      found.outcome.remarks.push_back(fmt::format("stage {}: {} of {} continue", number + 1,
                                                  going_on.size(), evaluations.history().size()));
  }
  return found;
}

Result<TuneFindings> TuneRun::run() {
  found_ = {.name = file_.name, .description = file_.description, .space = space_};
  report_parameters();
  for (auto& stage : stages_) {
    const auto defaults =
        TUTTI_TRY(stage.evaluate({whole_space_.defaults()}, stage.levels().whole()));
    found_.default_value = defaults.front();
    if (rules_format_)
      stage.choose_by_point(whole_space_, [format = *rules_format_](const Row& parameters) {
        return rules_can_choose(parameters, format);
      });
  }
  for (const Method method : file_.methods) {
    found_.searches.push_back(TUTTI_TRY(search(method)));
  }
  found_.simulations = times_.simulated();
  found_.failed_simulations = times_.failed();
  if (const auto error = compare()) return *error;
  return std::move(found_);
}

// Compares all searches: sensitivities, and the gains of the best values.
std::optional<Error> TuneRun::compare() {
  std::vector<Evaluated> all;
  std::set<Combination> seen;
  for (const auto& search : found_.searches)
    for (const auto& evaluated : search.history)
      if (seen.insert(evaluated.combination).second) all.push_back(evaluated);
  found_.evaluated = all.size();
  found_.failed_combinations =
      static_cast<std::size_t>(std::ranges::count_if(all, &Evaluated::has_failed));
  found_.sensitivities = sensitivities(space_, all);
  report_memory(all);
  const Evaluated* best = found_.best();
  if (best == nullptr) return std::nullopt;
  if (rules_format_)
    if (auto error = make_rules()) return error;
  const auto defaults = points(space_.defaults());
  const auto tuned = points(best->combination);
  if (!defaults) return defaults.error();
  if (!tuned) return tuned.error();
  for (std::size_t i = 0; i < defaults->size() && i < tuned->size(); ++i) {
    const auto bytes = number_of(cell_in((*tuned)[i].parameters, "message_bytes"));
    found_.points.push_back(
        {.choice = rules_ ? rules_->chosen[i] : "",
         .name = (*defaults)[i].name,
         .message_bytes = bytes ? std::optional(static_cast<Bytes>(*bytes)) : std::nullopt,
         .weight = (*defaults)[i].weight,
         .default_s = (*defaults)[i].time_s,
         .best_s = rules_ ? rules_->times_s[i] : (*tuned)[i].time_s,
         .least_s = (*tuned)[i].least_s});
  }
  return std::nullopt;
}

// Makes rules for the best combination; requires a single stage.
std::optional<Error> TuneRun::make_rules() {
  const auto choices = stages_.front().choices(whole(found_.best()->combination));
  if (!choices) return choices.error();
  rules_ = rules_by_size(*choices, *rules_format_);
  for (const auto& parameter : file_.parameters) found_.is_by_size.push_back(parameter.is_choice());
  found_.remarks.push_back(
      fmt::format("with the rules the calls take {}", format_seconds(rules_->value)));
  if (rules_->value_of_one_choice)
    found_.remarks.back() +=
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
    found_.remarks.push_back(
        fmt::format("{} of {} evaluated combinations need more than {} of buffers in a process",
                    excluded, all.size(), format_bytes(*file_.memory_bytes)));
}

// Reports the parameters that simulations do not model, and what stages mean for the numbers.
void TuneRun::report_parameters() {
  found_.remarks = file_.notes;
  if (stages_.size() > 1)
    found_.remarks.push_back(
        fmt::format("{} stages: the search, its effects and the sensitivities refer to the first "
                    "one, the best time to the last one, among the combinations that reached it",
                    stages_.size()));
  for (const auto& parameter : file_.parameters) {
    found_.without_effect.push_back(parameter.is_virtual ? "virtual" : parameter.without_effect);
    if (parameter.is_left)
      found_.remarks.push_back(fmt::format("{}: not searched", parameter.given));
    else if (!parameter.without_effect.empty())
      found_.remarks.push_back(
          fmt::format("{}: {}: {}", parameter.given,
                      file_.searches_without_effect ? "no effect here" : "not searched",
                      parameter.without_effect));
  }
  for (const auto& aggregate : file_.aggregates)
    if (aggregate.option.empty())
      found_.remarks.push_back(
          fmt::format("{}: a text of other parameters' values; no effect here", aggregate.given));
}

Result<std::vector<std::optional<double>>> TuneRun::values(
    const std::vector<Combination>& combinations) {
  std::vector<Combination> all;
  for (const auto& combination : combinations) all.push_back(whole(combination));
  return stages_.back().evaluate(all, stages_.back().levels().whole());
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
TuneFile alone(const TuneFile& file, const TuneObjective& objective) {
  TuneFile one = file;
  one.objectives = {objective};
  const TuneJob job(file, objective);
  one.parameters.clear();
  for (std::size_t i = 0; i < file.parameters.size(); ++i)
    if (!file.parameters[i].is_simulated() || job.has(i))
      one.parameters.push_back(file.parameters[i]);
  return one;
}

}  // namespace

Result<std::vector<TunedObjective>> tune_each(const TuneFile& file, const RunPoints& run) {
  std::deque<TuneFile> files;
  std::deque<TuneRun> runs;
  for (const auto& objective : file.objectives) {
    files.push_back(alone(file, objective));
    runs.emplace_back(files.back(), run);
    if (auto errors = runs.back().prepare(); !errors.empty()) return errors;
  }
  std::vector<TunedObjective> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto found = TUTTI_TRY(runs[i].run());
    all.push_back({TuneJob(files[i], files[i].objectives.front()).name(), std::move(found)});
  }
  return all;
}

}  // namespace tutti::studies::tuning
