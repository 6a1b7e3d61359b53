// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/command/tune_run.hpp"

#include "algorithms/collective.hpp"
#include "algorithms/selection/write_rules.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/replay/replay_workload.hpp"
#include "sim/studies/study_points.hpp"
#include "sim/tune/tune_file.hpp"

namespace tutti::commands {
namespace {

using algorithms::selection::RulesFormat;
using studies::select::Candidate;
using studies::select::RuleSet;
using studies::select::RuleWish;
using studies::select::TimeTable;

constexpr double most_loss = 0.01;
constexpr std::size_t library = 0;  // the candidate that is Open MPI's own choice

std::int64_t number_in(const Row& row, std::string_view column) {
  return static_cast<std::int64_t>(number_of(cell_in(row, column)).value_or(0));
}
std::string collective_of(const Row& row) { return to_text(cell_in(row, "collective")); }

// Parameters that the algorithm does not have are 0. Rules have no radix of knomial, and those of
// Open MPI 4.1 no limit of requests.
Candidate candidate_of(const Row& row, RulesFormat format) {
  Candidate found{.algorithm = to_text(cell_in(row, "requested_algorithm"))};
  const auto* algorithm = algorithms::find_algorithm(collective_of(row), found.algorithm);
  if (algorithm == nullptr) return {.algorithm = std::string(studies::tuning::own_choice)};
  const auto fanout = static_cast<int>(number_in(row, "fanout"));
  const bool is_knomial = algorithm->name == "knomial";
  found.id = algorithm->id;
  if (algorithm->segmented) found.segment_bytes = number_in(row, "segment_bytes");
  if (algorithm->default_fanout > 0 && !is_knomial) found.fanout = fanout;
  if (algorithm->limits_requests)
    found.max_requests = static_cast<int>(number_in(row, "max_requests"));
  found.in_rules_file = found.id > 0 && !(is_knomial && fanout != algorithm->default_fanout) &&
                        (found.max_requests == 0 || format == RulesFormat::open_mpi_5_0);
  found.runs_beyond = algorithm->name != "two_proc";
  return found;
}

// The points of one collective, and what is decided of them.
class OfCollective {
 public:
  OfCollective(std::string name, RulesFormat format)
      : format_(format), wish_(studies::select::wish_of_rules_file(name, most_loss)) {
    table_.collective = std::move(name);
    table_.candidates = {{.algorithm = std::string(studies::tuning::own_choice)}};
  }

  // `choices`: of the point of that number, the library's own first.
  void add(std::size_t number, const std::vector<TunedPoint>& choices) {
    const auto& own = choices.front();
    studies::select::TimedCell cell{.procs = static_cast<int>(number_in(own.parameters, "procs")),
                                    .nodes = static_cast<int>(number_in(own.parameters, "nodes")),
                                    .message_bytes = number_in(own.parameters, "message_bytes"),
                                    .times_s = {own.time_s}};
    for (const auto& each : choices) {
      const auto candidate = index_of(candidate_of(each.parameters, format_));
      cell.times_s.resize(table_.candidates.size());
      if (candidate != library) cell.times_s[candidate] = each.time_s;
    }
    numbers_.push_back(number);
    weights_.push_back(own.weight);
    table_.cells.push_back(std::move(cell));
  }

  void decide(RulesBySize& into) {
    for (auto& cell : table_.cells) cell.times_s.resize(table_.candidates.size());
    TimeTable sorted = table_;
    std::ranges::stable_sort(sorted.cells, {}, [](const auto& cell) {
      return std::pair(cell.procs, cell.message_bytes);
    });
    RuleSet rules = rules_of(sorted, wish_);
    leave_to_library(rules);
    into.collectives.push_back(written(table_, rules));
    for (std::size_t i = 0; i < table_.cells.size(); ++i) {
      const auto& cell = table_.cells[i];
      const auto choice = choice_of(rules, cell.procs, wish_.seen(cell.procs, cell.message_bytes))
                              .value_or(library);
      into.times_s[numbers_[i]] = cell.times_s[choice];
      into.chosen[numbers_[i]] =
          choice == library ? "Open MPI's own" : label_of(table_.candidates[choice]);
    }
  }

  // Of the points, with the choice that is best for all of them together.
  std::optional<double> value_of_one_choice() const {
    std::optional<double> least;
    for (std::size_t i = 0; i < table_.candidates.size(); ++i) {
      double sum = 0;
      bool runs = true;
      for (std::size_t cell = 0; cell < table_.cells.size(); ++cell) {
        const auto& time_s = table_.cells[cell].times_s[i];
        runs = runs && time_s;
        sum += weights_[cell] * time_s.value_or(0);
      }
      if (runs) least = std::min(least.value_or(sum), sum);
    }
    return least;
  }

 private:
  std::size_t index_of(const Candidate& candidate) {
    auto& all = table_.candidates;
    const auto found = std::ranges::find(all, candidate);
    if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
    all.push_back(candidate);
    return all.size() - 1;
  }

  static void leave_to_library(RuleSet& rules) {
    for (auto& of_procs : rules)
      for (auto& rule : of_procs.rules)
        if (rule.choice == library) rule.choice.reset();
  }

  RulesFormat format_;
  RuleWish wish_;
  TimeTable table_;  // cells in the order of the points
  std::vector<std::size_t> numbers_;
  std::vector<double> weights_;
};

}  // namespace

bool rules_can_choose(const Row& parameters, RulesFormat format) {
  const auto candidate = candidate_of(parameters, format);
  return candidate.in_rules_file || candidate.algorithm == studies::tuning::own_choice;
}

RulesBySize rules_by_size(const std::vector<std::vector<TunedPoint>>& points, RulesFormat format) {
  RulesBySize made;
  std::map<std::string, OfCollective> collectives;
  double others = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    made.times_s.push_back(points[i].front().time_s);
    made.chosen.emplace_back();
    const auto name = collective_of(points[i].front().parameters);
    if (points[i].size() > 1)
      collectives.try_emplace(name, name, format).first->second.add(i, points[i]);
    else
      others += points[i].front().weight * made.times_s.back().value_or(0);
  }
  made.value_of_one_choice = others;
  for (auto& [name, collective] : collectives) {
    collective.decide(made);
    const auto one = collective.value_of_one_choice();
    if (one && made.value_of_one_choice)
      *made.value_of_one_choice += *one;
    else
      made.value_of_one_choice.reset();
  }
  for (std::size_t i = 0; i < points.size(); ++i)
    made.value += points[i].front().weight * made.times_s[i].value_or(0);
  return made;
}

std::string rules_file_of(const RulesBySize& rules, RulesFormat format,
                          const std::string& command) {
  const std::string more = format == RulesFormat::open_mpi_5_0 ? ", requests" : "";
  return rules_file_text(
      rules.collectives, format,
      {command, "for the machine, processes, message sizes and settings of that study alone",
       "mpirun --mca coll_tuned_use_dynamic_rules 1 \\",
       "  --mca coll_tuned_dynamic_rules_filename THIS_FILE",
       fmt::format("A rule: bytes, algorithm (0: Open MPI's own), fan-out, segment{}", more)});
}

std::vector<Error> check_choices(const studies::tuning::TuneFile& file) {
  using studies::tuning::error_at;
  std::vector<Error> errors;
  const auto objective_has = [](const auto& objective, const auto& parameter) {
    const auto workload =
        std::ranges::find(objective.base, studies::workload_key, &studies::StudyAxis::name)
            ->values.front()
            .text;
    return (parameter.workload.empty() || parameter.workload == workload) &&
                   studies::has_study_option(workload, parameter.axis.name)
               ? workload
               : std::string();
  };
  bool has_choices = false;
  for (const auto& parameter : file.parameters) {
    if (!parameter.is_choice()) continue;
    has_choices = true;
    for (const auto& objective : file.objectives) {
      const auto workload = objective_has(objective, parameter);
      if (workload.empty() || algorithms::selection::obeys_rules_file(workload)) continue;
      errors.push_back(
          error_at(file, parameter.axis.spot,
                   fmt::format("Open MPI's rules do not choose the algorithm of {}", workload),
                   fmt::format("\"bcast/{}\" is that of one collective", parameter.axis.name)));
    }
  }
  for (const auto& objective : file.objectives) {
    if (objective.stage > 1)
      errors.push_back(error_at(file, objective.spot, "--rules takes a study of one stage"));
    const auto workload =
        std::ranges::find(objective.base, studies::workload_key, &studies::StudyAxis::name);
    if (workload->values.front().text == studies::replay_word)
      errors.push_back(error_at(file, objective.spot, "--rules does not go with workload replay",
                                "its calls have many sizes; tune \"allreduce/algorithm\" for all"));
  }
  if (!has_choices)
    errors.push_back(error_at(file, {1, 0}, "--rules: no algorithm is tuned",
                              "[[parameter]] name = \"bcast/algorithm\", values = [...]"));
  return errors;
}

using reports::TuneReport;
using reports::TuneSearch;
using studies::tuning::Combination;
using studies::tuning::Evaluated;
using studies::tuning::Evaluations;
using studies::tuning::Method;

TuneRun::TuneRun(const studies::tuning::TuneFile& file, const studies::tuning::Space& space,
                 int jobs, const Diagnostics& diagnostics)
    : file_(file),
      space_(space),
      whole_space_(studies::tuning::space_of(file)),
      times_(jobs, diagnostics) {
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
                     "leave it out, or add a workload that has it")};
  }
  for (auto& stage : stages_)
    if (auto errors = stage.prepare(whole_space_); !errors.empty()) return errors;
  return {};
}

Combination TuneRun::whole(const Combination& combination) const {
  return rules_format_ ? studies::tuning::with_default_choices(file_, combination) : combination;
}

std::vector<Combination> TuneRun::survivors(std::vector<Evaluated> evaluated) const {
  sort_by_value(evaluated);
  std::vector<Combination> kept;
  for (const auto& each : evaluated)
    if (each.value && *each.value <= (1 + file_.survivors) * *evaluated.front().value)
      kept.push_back(each.combination);
  return kept;
}

// What has no effect on the best goes back to its default. That is no part of the search, whose
// evaluations are as many as its rules say.
std::optional<Error> TuneRun::settle(Evaluations& evaluations, TuneSearch& found) const {
  if (!evaluations.best()) return std::nullopt;
  const auto before = evaluations.count();
  for (std::size_t i = 0; i < space_.dimensions(); ++i) {
    Combination settled = evaluations.best()->combination;  // of equals that with fewest changes
    settled[i] = space_.parameters()[i].default_value;
    if (const auto done = evaluations.of({space_.canonical(settled)}); !done) return done.error();
  }
  if (const auto more = evaluations.count() - before; more > 0)
    found.outcome.remarks.push_back(
        fmt::format("{} more, to set back to its default what has no effect on the best",
                    counted(more, "evaluation")));
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
      std::vector<Combination> all;
      for (const auto& each : combinations) all.push_back(whole(each));
      return stage.evaluate(all, level);
    });
    if (number == 0) {
      found.outcome = TUTTI_TRY(studies::tuning::search(evaluations, options));
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
      found.outcome.remarks.push_back(fmt::format("stage {}: {} of {} go on", number + 1,
                                                  going_on.size(), evaluations.history().size()));
  }
  return found;
}

std::optional<Error> TuneRun::run(TuneReport& report) {
  report.space = &space_;
  tell_parameters(report);
  for (auto& stage : stages_) {
    const auto defaults = stage.evaluate({whole_space_.defaults()}, stage.levels().whole());
    if (!defaults) return defaults.error();
    report.default_value = defaults->front();
    if (rules_format_)
      stage.choose_by_point(whole_space_, [format = *rules_format_](const Row& parameters) {
        return rules_can_choose(parameters, format);
      });
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
  if (rules_format_)
    if (auto error = make_rules(report)) return error;
  const auto defaults = points(space_.defaults());
  const auto tuned = points(best->combination);
  if (!defaults) return defaults.error();
  if (!tuned) return tuned.error();
  for (std::size_t i = 0; i < defaults->size() && i < tuned->size(); ++i) {
    const auto bytes = number_of(cell_in((*tuned)[i].parameters, "message_bytes"));
    report.points.push_back(
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

// Of the best combination; there is one stage.
std::optional<Error> TuneRun::make_rules(TuneReport& report) {
  const auto choices = stages_.front().choices(whole(report.best()->combination));
  if (!choices) return choices.error();
  rules_ = rules_by_size(*choices, *rules_format_);
  for (const auto& each : file_.parameters) report.is_by_size.push_back(each.is_choice());
  report.remarks.push_back(
      fmt::format("by the rules the calls take {}", format_seconds(rules_->value)));
  if (rules_->value_of_one_choice)
    report.remarks.back() +=
        fmt::format("; with one choice of each collective for all its sizes {}, {:+.1f} %",
                    format_seconds(*rules_->value_of_one_choice),
                    (*rules_->value_of_one_choice / rules_->value - 1) * 100);
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
    if (each.is_left)
      report.remarks.push_back(fmt::format("{}: not searched", each.given));
    else if (!each.without_effect.empty())
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
    auto points = TUTTI_TRY(stages_[number].points(whole(combination)));
    for (auto& each : points) {
      if (stages_.size() > 1) each.name = fmt::format("stage {}: {}", number + 1, each.name);
      all.push_back(std::move(each));
    }
  }
  return all;
}

}  // namespace tutti::commands
