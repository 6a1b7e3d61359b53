// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/model_choice.hpp"

#include <chrono>

#include "algorithms/models/message_cost.hpp"
#include "sim/jobs/memory_estimate.hpp"
#include "sim/jobs/run_point.hpp"

namespace tutti::studies::select {
namespace {

constexpr double near = 0.1;

template <class Value>
const ChoiceCandidate* find_least(const std::vector<ChoiceCandidate>& candidates,
                                  const Value& value) {
  const ChoiceCandidate* least = nullptr;
  for (const auto& candidate : candidates)
    if (value(candidate) && (least == nullptr || *value(candidate) < *value(*least)))
      least = &candidate;
  return least;
}

ChosenCall make_choice(std::string chooser, const std::string& name,
                       const std::optional<PreciseTime>& time, Seconds best_s) {
  ChosenCall call{.chooser = std::move(chooser), .name = name, .time_s = {}, .loss = {}};
  if (!time) return call;
  call.time_s = time->mean_s;
  if (best_s > 0) call.loss = time->mean_s / best_s - 1;
  return call;
}

// The part of a call that a library knows in MPI_Bcast, without the machine.
struct Decision {
  const algorithms::Algorithm* algorithm;
  algorithms::ModelArgs args;
  const AlgorithmModel* model;

  std::optional<Prediction> predict(const algorithms::models::Gamma& gamma) const {
    auto prediction =
        predicted_time(*model, {.procs = args.procs,
                                .message_bytes = args.call.message_bytes,
                                .segment_bytes = args.call.segment_bytes,
                                .form = algorithms::models::stage_form(*algorithm, args, gamma)});
    return prediction.time_s > 0 ? std::optional(std::move(prediction)) : std::nullopt;
  }
};

// A call that falls back belongs to another algorithm.
bool falls_back(const algorithms::Algorithm& algorithm, const algorithms::ModelArgs& args) {
  return algorithm.falls_back_to != nullptr && !algorithm.falls_back_to(args).empty();
}

std::optional<Decision> make_decision(const ModelFile& file, const Point& point,
                                      const platforms::Machine& machine) {
  const auto* algorithm = point.call.algorithm;
  const auto args = model_args(point, machine);
  if (args.procs < 2) return std::nullopt;
  if (falls_back(*algorithm, args)) return std::nullopt;
  const auto fanout =
      algorithm->default_fanout > 0 ? std::optional(args.call.fanout) : std::nullopt;
  const auto* model = file.find(algorithm->collective, algorithm->name, fanout);
  if (model == nullptr) return std::nullopt;
  return Decision{algorithm, args, model};
}

std::optional<Prediction> predict(const ModelFile& file, const Decision& decision,
                                  const Point& point, const platforms::Machine& machine) {
  auto prediction = decision.predict(file.gamma);
  if (!prediction) return std::nullopt;
  if (auto outside = placement_outside(file, point.placement, machine); !outside.empty())
    prediction->outside = std::move(outside);
  return prediction;
}

// The models choose among the calls that their experiments cover, if there are any.
const ChoiceCandidate* models_choice(const std::vector<ChoiceCandidate>& candidates) {
  const auto* covered = find_least(candidates, [](const ChoiceCandidate& candidate) {
    return candidate.outside.empty() ? candidate.predicted_s : std::nullopt;
  });
  if (covered != nullptr) return covered;
  return find_least(candidates,
                    [](const ChoiceCandidate& candidate) { return candidate.predicted_s; });
}

// Repeats the choice until its time is measurable.
Seconds measure_choice(const std::vector<Decision>& decisions,
                       const algorithms::models::Gamma& gamma) {
  using Clock = std::chrono::steady_clock;
  constexpr auto long_enough = std::chrono::microseconds(200);
  const auto start = Clock::now();
  std::int64_t choices = 0;
  double sum = 0;
  while (Clock::now() - start < long_enough) {
    for (const auto& decision : decisions)
      sum += decision.predict(gamma).value_or(Prediction{}).time_s;
    ++choices;
  }
  TUTTI_CHECK(sum >= 0, "predictions below zero");
  return std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(choices);
}

void add_to(ChoiceLosses& losses, const ChoiceCell& cell, const ChosenCall& choice) {
  if (!choice.loss) return;
  const double loss = *choice.loss;
  if (losses.cells == 0 || loss > losses.largest) {
    losses.largest = loss;
    losses.worst_at = fmt::format("{} x {}", cell.procs, format_bytes(cell.message_bytes));
    losses.worst_choice = choice.name;
  }
  ++losses.cells;
  losses.best += loss <= 0;
  losses.close += loss <= near;
  losses.sum += loss;
}

// The name contains the segment size of the library's rules.
LibraryChoice library_choice(const Point& point) {
  const auto segment = point.call.args.segment_bytes;
  std::string name(point.call.algorithm->name);
  if (segment > 0) name += ' ' + format_bytes(segment);
  return {.rules = point.requested_algorithm.substr(std::string_view("auto:").size()),
          .name = std::move(name),
          .simulated = {}};
}

class ChoicePlanner {
 public:
  ChoicePlanner(const ModelChoiceSpec& spec, const platforms::Machine& machine)
      : spec_(spec), machine_(machine) {}

  Result<ModelChoicePlan> make() {
    for (const auto& collective : spec_.collectives)
      for (const auto procs : spec_.job.procs)
        for (const auto bytes : sizes(collective))
          if (auto errors = add_setting(collective, procs, bytes)) return *std::move(errors);
    if (plan_.settings.empty())
      return usage_error("options", "leave no call that runs without falling back",
                         "use larger messages, or smaller segments");
    return std::move(plan_);
  }

 private:
  std::vector<std::int64_t> sizes(const std::string& collective) const {
    if (!algorithms::find_collective(collective)->has_message) return {0};
    return spec_.job.message_bytes;
  }

  std::optional<std::vector<Error>> add_setting(const std::string& collective, std::int64_t procs,
                                                Bytes bytes) {
    ModelChoicePlan::Setting setting;
    setting.cell.collective = collective;
    setting.cell.procs = procs;
    setting.cell.message_bytes = bytes;
    Sweep sweep = spec_.job;
    sweep.collective = collective;
    sweep.procs = {procs};
    sweep.message_bytes = {bytes};
    for (const auto& model : spec_.models)
      if (model.collective == collective)
        if (auto errors = add_candidates(model, sweep, setting)) return errors;
    sweep.segment_bytes.clear();
    for (const char* rules : {"auto:ompi-3.1", "auto:ompi-4.1"}) add_library(rules, sweep, setting);
    if (!setting.candidates.empty()) plan_.settings.push_back(std::move(setting));
    return std::nullopt;
  }

  std::optional<std::vector<Error>> add_candidates(const AlgorithmModel& model, Sweep sweep,
                                                   ModelChoicePlan::Setting& setting) {
    sweep.fanouts.clear();
    if (model.fanout) sweep.fanouts = {*model.fanout};
    for (const auto& point : TUTTI_TRY(calls_that_run(std::move(sweep), model.algorithm, machine_)))
      if (!falls_back(*point.call.algorithm, model_args(point, machine_)))
        setting.candidates.push_back(add_experiment(point));
    return std::nullopt;
  }

  // A version without rules for the collective has no choice.
  void add_library(const char* rules, Sweep sweep, ModelChoicePlan::Setting& setting) {
    sweep.algorithms = {rules};
    const auto points = make_points(sweep, machine_);
    if (!points || points->all.empty()) return;
    setting.libraries.push_back(add_experiment(points->all.front()));
    setting.cell.libraries.push_back(library_choice(points->all.front()));
  }

  // Simulates equal calls once.
  std::size_t add_experiment(const Point& point) {
    const auto& args = point.call.args;
    const auto key = std::tuple(point.call.algorithm, point.placement.procs, args.message_bytes,
                                args.segment_bytes, args.fanout);
    const auto [known, is_new] = numbers_.try_emplace(key, plan_.experiments.size());
    if (is_new) plan_.experiments.push_back({point, {}});
    return known->second;
  }

  const ModelChoiceSpec& spec_;
  const platforms::Machine& machine_;
  ModelChoicePlan plan_;
  std::map<std::tuple<const algorithms::Algorithm*, int, Bytes, Bytes, int>, std::size_t> numbers_;
};

std::optional<PreciseTime> call_time(const PointsRun& run, std::size_t call) {
  if (!run.answers[call]) return std::nullopt;
  return precise_time_in(*run.answers[call]);
}

// The cell has all predictions, and simulated times where the run has an answer.
ChoiceCell timed_cell(const ModelChoicePlan::Setting& setting, const ModelChoicePlan& plan,
                      const ModelChoiceSpec& spec, const platforms::Machine& machine,
                      const PointsRun& run) {
  ChoiceCell cell = setting.cell;
  std::vector<Point> points;
  for (const auto call : setting.candidates) points.push_back(plan.experiments[call].point);
  const auto predicted_calls = predictions(spec.file, points, machine);
  cell.decision_s = predicted_calls.decision_s;
  cell.ppn = platforms::place(machine, points.front().placement).value().ppn;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& predicted = predicted_calls.of_call[i];
    cell.candidates.push_back(
        {.name = choice_name(points[i], points),
         .simulated = call_time(run, setting.candidates[i]),
         .predicted_s = predicted ? std::optional(predicted->time_s) : std::nullopt,
         .outside = predicted ? predicted->outside : "",
         .formula_s = algorithms::models::hockney(
             *points[i].call.algorithm, model_args(points[i], machine), machine.hockney)});
  }
  for (std::size_t i = 0; i < setting.libraries.size(); ++i)
    cell.libraries[i].simulated = call_time(run, setting.libraries[i]);
  return cell;
}

}  // namespace

std::string placement_outside(const ModelFile& file, const platforms::PlacementRequest& placement,
                              const platforms::Machine& machine) {
  const int usual = machine.default_ppn.value_or(machine.cores_per_host);
  const std::int64_t ppn = placement.ppn.value_or(usual);
  const std::int64_t fitted = file.ppn > 0 ? file.ppn : usual;
  if (ppn != fitted) return fmt::format("{} processes per node (fitted with {})", ppn, fitted);
  const auto map = map_name(placement);
  return map == file.map ? "" : fmt::format("--map {} (fitted with {})", map, file.map);
}

std::vector<ChosenCall> choices_in(const ChoiceCell& cell) {
  const auto* best = find_least(cell.candidates, [](const ChoiceCandidate& candidate) {
    return candidate.simulated ? std::optional(candidate.simulated->mean_s) : std::nullopt;
  });
  TUTTI_CHECK(best != nullptr, "a cell without a simulated call");
  const Seconds best_s = best->simulated->mean_s;
  std::vector<ChosenCall> choices{make_choice("best", best->name, best->simulated, best_s)};
  if (const auto* choice = models_choice(cell.candidates)) {
    choices.push_back(make_choice("models", choice->name, choice->simulated, best_s));
    choices.back().outside = choice->outside;
  } else {
    choices.push_back({.chooser = "models", .name = {}, .time_s = {}, .loss = {}});
  }
  const auto* formula = find_least(cell.candidates, [](const ChoiceCandidate& candidate) {
    return std::optional(candidate.formula_s);
  });
  choices.push_back(make_choice("formulas", formula->name, formula->simulated, best_s));
  for (const auto& library : cell.libraries)
    choices.push_back(make_choice(library.rules, library.name, library.simulated, best_s));
  return choices;
}

std::optional<Prediction> predicted_time(const ModelFile& file, const Point& call,
                                         const platforms::Machine& machine) {
  const auto decision = make_decision(file, call, machine);
  return decision ? predict(file, *decision, call, machine) : std::nullopt;
}

Predictions predictions(const ModelFile& file, const std::vector<Point>& calls,
                        const platforms::Machine& machine) {
  Predictions predictions;
  std::vector<Decision> decisions;
  for (const auto& call : calls) {
    const auto decision = make_decision(file, call, machine);
    predictions.of_call.push_back(decision ? predict(file, *decision, call, machine)
                                           : std::nullopt);
    if (decision) decisions.push_back(*decision);
  }
  if (!decisions.empty()) predictions.decision_s = measure_choice(decisions, file.gamma);
  return predictions;
}

std::string choice_name(const Point& point, const std::vector<Point>& all) {
  const auto* algorithm = point.call.algorithm;
  const auto& args = point.call.args;
  bool segments_differ = false, fanouts_differ = false;
  for (const auto& other : all) {
    if (other.call.algorithm != algorithm) continue;
    segments_differ |= other.call.args.segment_bytes != args.segment_bytes;
    fanouts_differ |= other.call.args.fanout != args.fanout;
  }
  std::string name(algorithm->name);
  if (fanouts_differ) name += fmt::format(" {}", args.fanout);
  if (segments_differ)
    name += args.segment_bytes > 0 ? " " + format_bytes(args.segment_bytes) : " whole";
  return name;
}

std::vector<ChoiceLosses> choice_losses(const std::vector<ChoiceCell>& cells) {
  std::vector<ChoiceLosses> all;
  for (const auto& cell : cells)
    for (const auto& choice : choices_in(cell)) {
      if (choice.chooser == "best") continue;
      auto losses = std::ranges::find_if(all, [&](const ChoiceLosses& other) {
        return other.collective == cell.collective && other.chooser == choice.chooser;
      });
      if (losses == all.end())
        losses = all.insert(all.end(), {.collective = cell.collective, .chooser = choice.chooser});
      add_to(*losses, cell, choice);
    }
  std::erase_if(all, [](const ChoiceLosses& losses) { return losses.cells == 0; });
  std::ranges::stable_sort(all, {}, &ChoiceLosses::collective);
  return all;
}

Result<ModelChoicePlan> plan_choices(const ModelChoiceSpec& spec, const platforms::Machine& machine,
                                     bool force) {
  auto plan = TUTTI_TRY(ChoicePlanner(spec, machine).make());
  auto errors = job_errors(plan.experiments, machine, force, &ModelExperiment::point);
  if (!errors.empty()) return errors;
  return plan;
}

ModelChoices model_choices(const ModelChoiceSpec& spec, const ModelChoicePlan& plan,
                           const platforms::Machine& machine, const RunPoints& run) {
  ModelChoices choices{.cells = {}, .run = run(simulations_of(plan.experiments, machine))};
  for (const auto& setting : plan.settings) {
    auto cell = timed_cell(setting, plan, spec, machine, choices.run);
    if (std::ranges::any_of(cell.candidates,
                            [](const auto& candidate) { return candidate.simulated.has_value(); }))
      choices.cells.push_back(std::move(cell));
  }
  return choices;
}

}  // namespace tutti::studies::select
