// SPDX-License-Identifier: BSD-3-Clause
// sim select models: which algorithm fitted models choose, and how good that is, beside formulas
// and Open MPI's decision rules.

#include "algorithms/models/message_cost.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fit/command/model_jobs.hpp"
#include "sim/select/command/select.hpp"
#include "sim/select/report/model_choice_report.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/run_point.hpp"
#include "sim/studies/workloads/collective_options.hpp"

namespace tutti::commands {
namespace {

using studies::ChoiceCell;
using studies::ModelExperiment;
using studies::ModelFile;
using studies::Point;

constexpr const char* selected_segments = "8KiB";

struct SelectModelsRequest : JobRequest {
  std::string file_path;
  ModelFile file;
  studies::Sweep job;
  std::vector<studies::AlgorithmModel> models;  // that compete
  std::vector<std::string> collectives;         // theirs
  int jobs = default_jobs();
  bool with_cost = false;
  DocumentOutput document;
};

void choose_models(OptionReader& reader, SelectModelsRequest& request) {
  std::vector<std::string> collectives, algorithms;
  const auto has = [](const auto& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  const auto once = [&](std::vector<std::string>& names, const std::string& name) {
    if (!has(names, name)) names.push_back(name);
  };
  for (const auto& model : request.file.models) {
    once(collectives, model.collective);
    once(algorithms, model.algorithm);
  }
  const auto of = reader.names_of("--collective", "all", collectives, true);
  const auto named = reader.names_of("--algorithm", "all", algorithms, true);
  for (const auto& model : request.file.models) {
    if (!has(of, model.collective) || !has(named, model.algorithm)) continue;
    request.models.push_back(model);
    once(request.collectives, model.collective);
  }
  if (reader.errors().empty() && request.models.empty())
    reader.wrong("--algorithm", "the file has no model of it for that collective");
}

void place_as_fitted(OptionReader& reader, const ModelFile& file, studies::Sweep& job) {
  if (job.ppn.empty() && file.ppn > 0) job.ppn = {file.ppn};
  if (reader.values().has("--map")) return;
  if (file.map == "round-robin")
    job.common.placement.policy = platforms::MapPolicy::round_robin;
  else if (file.map != "block")
    reader.wrong("--map", fmt::format("is required: the models were fitted with {}", file.map));
}

void read_models_and_job(OptionReader& reader, SelectModelsRequest& request) {
  read_model_job(reader, selected_segments, request.job);
  if (request.file_path.empty()) return;
  auto file = models_in(request.file_path);
  if (!file) return reader.add(file.errors());
  request.file = *std::move(file);
  choose_models(reader, request);
  place_as_fitted(reader, request.file, request.job);
}

using SelectModelsOptions = options::OptionTable<SelectModelsRequest>;

const SelectModelsOptions select_models_options =
    SelectModelsOptions({}) + machine_options() +
    SelectModelsOptions{
        {job_option::procs, options::required("the numbers of processes"), {}},
        {job_option::machine, "--ppn", "N",
         "processes per node; default: as the models were fitted"},
        {job_option::machine, "--map", "HOW", "default: as the models were fitted",
         options::takes(job_option::map_words)},
        {job_option::oversubscribe},
        {model_option::force, options::flag(&SelectModelsRequest::force)},
        {{model_option::calls, "--models", "FILE",
          "of `sim fit models` (required)"
          "\nPredictions of models that `sim fit models` wrote take the place of simulations. Then "
          "the call that the rules choose is simulated in each cell, and in a random tenth of the "
          "cells all that compete; the report and the head of the file say how far the predictions "
          "are off and what the choice loses. Only algorithms of which the file has a model "
          "compete. Processes, sizes, segments and placements outside of what the models were "
          "fitted to are rejected; defaults keep to it. Smaller messages are left to Open MPI's "
          "own rules."},
         options::required("a file of `sim fit models -o FILE`"),
         options::text(&SelectModelsRequest::file_path)},
        {taking("all",
                taking(studies::collective_names, {model_option::calls, "--collective", "NAMES",
                                                   "of those in FILE; default: all"}))},
        {model_option::calls, "--algorithm", "NAMES", "of those in FILE; default: all",
         options::takes("all")},
        {model_option::calls, "--message-size", "SIZES",
         "default: 8KiB:4MiB, doubling"
         "\nSizes as the collective means them (default 1:4MiB), segments "
         "(0,1KiB,4KiB,16KiB,64KiB), fan-outs of chains (2,4,8). The radix of knomial is no part "
         "of a rule and stays 4."},
        {model_option::calls, "--segment-size", "SIZES",
         "default: 8KiB; of several the best is chosen, too"},
        {model_option::noise},
        {jobs_option, options::made(jobs_of, &SelectModelsRequest::jobs)},
        {job_option::output_file},
        {job_option::output_row("--cost", "",
                                "print how long a decision by the models takes on this computer"
                                "\nPrints how long a decision by the models takes on this "
                                "computer, too; it differs from run to run."),
         options::flag(&SelectModelsRequest::with_cost)},
        {document_format},
        {part_option},
        {job_option::color},
        {job_option::quiet},
        {job_option::help}}
        .then(read_models_and_job)
        .then([](OptionReader& reader, SelectModelsRequest& request) {
          read_document(reader, {reports::model_choice_document_parts}, request.document);
        });

// Each different call is simulated once.
class Calls {
 public:
  std::size_t index_of(const Point& point) {
    const auto& args = point.call.args;
    const auto key = std::tuple(point.call.algorithm, point.placement.procs, args.message_bytes,
                                args.segment_bytes, args.fanout);
    const auto [found, is_new] = indices_.try_emplace(key, experiments_.size());
    if (is_new) experiments_.push_back({point, {}});
    return found->second;
  }
  const std::vector<ModelExperiment>& experiments() const { return experiments_; }

 private:
  std::map<std::tuple<const algorithms::Algorithm*, int, Bytes, Bytes, int>, std::size_t> indices_;
  std::vector<ModelExperiment> experiments_;
};

// Of one cell: what can be chosen, and what libraries choose; by their numbers among the calls.
struct SelectedSetting {
  std::string collective;
  std::int64_t procs = 0;
  Bytes message_bytes = 0;
  std::vector<Point> candidates;
  std::vector<std::size_t> calls;
  std::vector<Point> libraries;
  std::vector<std::size_t> library_calls;
};

class Plan {
 public:
  Plan(const SelectModelsRequest& request, const platforms::Machine& machine)
      : request_(request), machine_(machine) {}

  std::optional<std::vector<Error>> make() {
    for (const auto& collective : request_.collectives)
      for (const auto procs : request_.job.procs)
        for (const auto bytes : sizes_of(collective))
          if (auto errors = add_setting(collective, procs, bytes)) return errors;
    return std::nullopt;
  }

  std::vector<SelectedSetting> settings;
  Calls calls;

 private:
  std::vector<std::int64_t> sizes_of(const std::string& collective) const {
    if (!algorithms::find_collective(collective)->has_message) return {0};
    return request_.job.message_bytes;
  }

  std::optional<std::vector<Error>> add_setting(const std::string& collective, std::int64_t procs,
                                                Bytes bytes) {
    SelectedSetting setting{.collective = collective,
                            .procs = procs,
                            .message_bytes = bytes,
                            .candidates = {},
                            .calls = {},
                            .libraries = {},
                            .library_calls = {}};
    studies::Sweep sweep = request_.job;
    sweep.collective = collective;
    sweep.procs = {procs};
    sweep.message_bytes = {bytes};
    for (const auto& model : request_.models)
      if (model.collective == collective)
        if (auto errors = add_candidates(model, sweep, setting)) return errors;
    sweep.segment_bytes.clear();
    for (const char* rules : {"auto:ompi-3.1", "auto:ompi-4.1"}) add_library(rules, sweep, setting);
    if (!setting.candidates.empty()) settings.push_back(std::move(setting));
    return std::nullopt;
  }

  // A call that falls back is another algorithm's.
  std::optional<std::vector<Error>> add_candidates(const studies::AlgorithmModel& model,
                                                   studies::Sweep sweep, SelectedSetting& setting) {
    sweep.fanouts.clear();
    if (model.fanout) sweep.fanouts = {*model.fanout};
    auto points = TUTTI_TRY(studies::calls_that_run(std::move(sweep), model.algorithm, machine_));
    for (auto& point : points) {
      if (falls_back(point)) continue;
      setting.calls.push_back(calls.index_of(point));
      setting.candidates.push_back(std::move(point));
    }
    return std::nullopt;
  }

  bool falls_back(const Point& point) const {
    const auto* algorithm = point.call.algorithm;
    return algorithm->falls_back_to != nullptr &&
           !algorithm->falls_back_to(studies::model_args(point, machine_)).empty();
  }

  // A version without rules for the collective has no choice.
  void add_library(const char* rules, studies::Sweep sweep, SelectedSetting& setting) {
    sweep.algorithms = {rules};
    auto points = studies::points_of(sweep, machine_);
    if (!points || points->all.empty()) return;
    setting.library_calls.push_back(calls.index_of(points->all.front()));
    setting.libraries.push_back(std::move(points->all.front()));
  }

  const SelectModelsRequest& request_;
  const platforms::Machine& machine_;
};

std::string rules_of(const Point& point) {
  return point.requested_algorithm.substr(std::string_view("auto:").size());
}

// As the library passes it: with the segment size of its rules.
std::string library_name(const Point& point) {
  const auto segment = point.call.args.segment_bytes;
  const std::string name(point.call.algorithm->name);
  return segment > 0 ? fmt::format("{} {}", name, format_bytes(segment)) : name;
}

std::optional<studies::PreciseTime> time_of(const studies::PointsRun& run, std::size_t call) {
  if (!run.answers[call]) return std::nullopt;
  return studies::precise_time_in(*run.answers[call]);
}

// Nothing where no candidate could be simulated.
std::optional<ChoiceCell> cell_of(const SelectedSetting& setting,
                                  const SelectModelsRequest& request,
                                  const platforms::Machine& machine,
                                  const studies::PointsRun& run) {
  ChoiceCell cell{.collective = setting.collective,
                  .procs = setting.procs,
                  .ppn = 0,
                  .message_bytes = setting.message_bytes,
                  .candidates = {},
                  .libraries = {}};
  const auto found = studies::predictions(request.file, setting.candidates, machine);
  if (request.with_cost) cell.decision_s = found.decision_s;
  cell.ppn = platforms::place(machine, setting.candidates.front().placement).value().ppn;
  bool is_simulated = false;
  for (std::size_t i = 0; i < setting.candidates.size(); ++i) {
    const Point& point = setting.candidates[i];
    cell.candidates.push_back(
        {.name = studies::choice_name(point, setting.candidates),
         .simulated = time_of(run, setting.calls[i]),
         .predicted_s = found.of_call[i] ? std::optional(found.of_call[i]->time_s) : std::nullopt,
         .outside = found.of_call[i] ? found.of_call[i]->outside : "",
         .formula_s = algorithms::models::hockney(
             *point.call.algorithm, studies::model_args(point, machine), machine.hockney)});
    is_simulated |= cell.candidates.back().simulated.has_value();
  }
  for (std::size_t i = 0; i < setting.libraries.size(); ++i)
    cell.libraries.push_back({.rules = rules_of(setting.libraries[i]),
                              .name = library_name(setting.libraries[i]),
                              .simulated = time_of(run, setting.library_calls[i])});
  return is_simulated ? std::optional(std::move(cell)) : std::nullopt;
}

Result<int> run_select_models(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request = TUTTI_TRY(request_of(parsed, select_models_options, "select models"));
  const auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  Plan plan(request, machine);
  if (const auto errors = plan.make()) return parsed.placed(*errors);
  if (plan.settings.empty())
    return usage_error("options", "leave no call that runs as itself",
                       "larger messages, or smaller segments");
  const auto& experiments = plan.calls.experiments();
  if (const auto errors =
          studies::job_errors(experiments, machine, request.force, &ModelExperiment::point);
      !errors.empty())
    return parsed.placed(errors);
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  warn_of_models(request.file, request.file_path, machine, diagnostics);
  const auto done = run_check(simulations_of(experiments, machine), request.jobs, diagnostics);
  reports::ModelChoiceReport report;
  begin_report(report, request, machine, done);
  report.about = {fmt::format("models of {}, fitted with {} processes", request.file_path,
                              fmt::join(request.file.procs(), ", ")),
                  fmt::format("formulas: Hockney, set {}", machine.hockney.set)};
  for (const auto& setting : plan.settings)
    if (auto cell = cell_of(setting, request, machine, done))
      report.cells.push_back(*std::move(cell));
  if (report.cells.empty()) return done.code;
  for (const auto& warning : reports::model_choice_warnings(report)) diagnostics.warning(warning);
  TUTTI_TRY(write_document(reports::model_choice_document(report), request.document));
  return done.code;
}

}  // namespace

const Subcommand select_models{
    .usage = "models",
    .summary = "the choice of fitted models, beside the best and Open MPI's",
    .help =
        "Chooses an algorithm for each number of processes and message size by models of `sim fit "
        "models`, simulates all of them, and puts the choice beside the best one, the choice by "
        "traditional formulas, and those of Open MPI 3.1 and 4.1 (Nuriyev, Lastovetsky, table 3).",
    .specs = select_models_options,
    .run = run_select_models};

}  // namespace tutti::commands
