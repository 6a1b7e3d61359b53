// SPDX-License-Identifier: BSD-3-Clause
// sim fit models: the parameters of implementation-derived models, from experiments on a simulated
// machine.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "algorithms/selection/versions.hpp"
#include "sim/base/error_list.hpp"
#include "sim/commands/check_run.hpp"
#include "sim/commands/fit.hpp"
#include "sim/commands/model_jobs.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/platform.hpp"
#include "sim/commands/report_output.hpp"
#include "sim/commands/run_options.hpp"
#include "sim/reports/model_fit_report.hpp"
#include "sim/studies/algorithm_models/model_fit.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::commands {
namespace {

using studies::ModelExperiment;
using studies::ModelTerms;

constexpr std::string_view fitting = "The models";
constexpr const char* fitted_segments = "2KiB:128KiB";
constexpr Bytes default_gamma_bytes = 8192;
constexpr std::int64_t default_gamma_procs = 8;

constexpr OptionSpec fit_models_specs[] = {
    job_option::platform,
    job_option::set,
    {job_option::machine, "--procs", "N",
     "processes of the experiments: about half of those that are of interest (required)"},
    job_option::ppn,
    model_option::map,
    job_option::oversubscribe,
    model_option::force,
    {model_option::calls, "--collective", "NAMES", "a list, or all (required)"},
    {model_option::calls, "--algorithm", "NAMES",
     "of these collectives, or all; default: those that Open MPI 3.1 has"},
    {model_option::calls, "--message-size", "SIZES", "default: 8KiB:4MiB, doubling"},
    {model_option::calls, "--segment-size", "SIZES",
     "default: 2KiB:128KiB, doubling; one alone cannot tell alpha from beta"},
    {model_option::calls, "--fanout", "N",
     "or radix, a model for each; default: that of the algorithm"},
    model_option::noise,
    {fitting, "--experiment", "HOW",
     "alone (default): a call, until its last rank ends; gather: a linear gather behind it, until "
     "the root has all, as on a real machine"},
    {fitting, "--terms", "WHICH",
     "extended (default): alpha and beta for classes of message sizes, and lambda; published: "
     "alpha and beta alone"},
    {fitting, "--gamma-procs", "N", "gamma is measured up to there; default: 8"},
    {fitting, "--gamma-size", "SIZE", "of its messages; default: 8KiB"},
    jobs_option,
    written(job_option::output_row(
        "-o,--output", "FILE",
        "writes the models (TOML) there, and tells what they are; default: to standard output")),
    written(job_option::output_row(
        "--report", "FILE",
        "writes parameters, gamma and experiments there: .html, .csv, .json, "
        ".jsonl, .md, .txt; `sim plot` draws it")),
    document_format,
    part_option,
    job_option::color,
    job_option::quiet,
    job_option::help,
};

struct FitModelsRequest : JobRequest {
  std::vector<studies::Sweep> sweeps;  // of each collective
  bool names_algorithms = false;
  bool with_gather = false;
  ModelTerms terms = ModelTerms::extended;
  int gamma_procs = default_gamma_procs;
  Bytes gamma_bytes = default_gamma_bytes;
  int jobs = 1;
  ReportOutputs outputs;
};

class FitModelsReading : private ModelJobReading {
 public:
  explicit FitModelsReading(const Parsed& parsed) : ModelJobReading(parsed) {}

  Result<FitModelsRequest> read() {
    read_machine(request_);
    read_job(job_, fitted_segments);
    read_collectives();
    read_fit();
    read_output();
    if (!errors_.empty()) return errors_.errors();
    request_.force = parsed_.has("--force");
    request_.command = "sim fit models" + reproducing_options(fit_models_specs, parsed_);
    return std::move(request_);
  }

 private:
  void read_collectives() {
    if (!parsed_.has("--collective"))
      return wrong("--collective", "is required", "a list of names, or all");
    std::vector<std::string> names;
    for (const auto& each : algorithms::all_algorithms())
      if (std::ranges::find(names, each.name) == names.end()) names.emplace_back(each.name);
    const auto wanted = names_of("--algorithm", "all", names, true);
    request_.names_algorithms =
        parsed_.has("--algorithm") && parsed_.value("--algorithm") != workloads::all_name;
    for (const auto& name : names_of("--collective", "", collective_names(), true))
      add_collective(name, wanted);
    if (errors_.empty() && request_.sweeps.empty())
      wrong(parsed_.has("--algorithm") ? "--algorithm" : "--collective",
            "leaves no algorithm that has a model", "`sim list algorithms` names those of each");
  }

  bool is_wanted(const algorithms::Algorithm& algorithm, const std::vector<std::string>& wanted) {
    if (algorithm.cost == nullptr) return false;
    if (!parsed_.has("--algorithm")) return algorithms::selection::is_in_ompi_31(algorithm);
    return std::ranges::find(wanted, algorithm.name) != wanted.end();
  }

  void add_collective(const std::string& name, const std::vector<std::string>& wanted) {
    studies::Sweep sweep = job_;
    sweep.collective = name;
    if (!algorithms::find_collective(name)->has_message) sweep.message_bytes = {0};
    for (const auto* each : algorithms::algorithms_of(name))
      if (is_wanted(*each, wanted)) sweep.algorithms.emplace_back(each->name);
    if (!sweep.algorithms.empty()) request_.sweeps.push_back(std::move(sweep));
  }

  void read_fit() {
    if (const auto how = choice_of(parsed_, "--experiment", {"alone", "gather"}))
      request_.with_gather = *how == "gather";
    else
      add(how.errors());
    if (const auto which = choice_of(parsed_, "--terms", {"extended", "published"}))
      request_.terms = *which == "extended" ? ModelTerms::extended : ModelTerms::published;
    else
      add(which.errors());
    if (const auto procs = count_of(parsed_, "--gamma-procs", studies::most_gamma_procs))
      request_.gamma_procs = static_cast<int>(procs->value_or(default_gamma_procs));
    else
      add(procs.errors());
    if (request_.gamma_procs < 2) wrong("--gamma-procs", "is at least 2");
    std::vector<std::int64_t> sizes{default_gamma_bytes};
    read_axis("--gamma-size", bytes_axis, sizes);
    if (sizes.size() > 1) wrong("--gamma-size", "takes one value");
    request_.gamma_bytes = sizes.front();
  }

  void read_output() {
    if (const auto jobs = jobs_of(parsed_))
      request_.jobs = *jobs;
    else
      add(jobs.errors());
    request_.output = file_of("--output");
    if (auto outputs = report_outputs(parsed_, reports::model_fit_document_parts(), "the models"))
      request_.outputs = *std::move(outputs);
    else
      add(outputs.errors());
  }

  FitModelsRequest request_;
  studies::Sweep job_;
};

// The sizes of a gather that are small beside most broadcasts, and no segment size.
Bytes gather_bytes_of(std::size_t index, Bytes segment_bytes) {
  constexpr Bytes sizes[] = {256, 1024, 4096, 16384};
  const Bytes size = sizes[index % std::size(sizes)];
  return size == segment_bytes ? size / 2 : size;
}

// Of a root that sends: others' ends it does not see.
bool ends_elsewhere(const algorithms::Algorithm& algorithm) {
  return algorithm.collective == "bcast" || algorithm.collective.starts_with("scatter");
}

// An algorithm that was named must run; of all of them those do that can.
Result<std::vector<studies::Point>> calls_of(const FitModelsRequest& request, studies::Sweep sweep,
                                             const std::string& algorithm,
                                             const platforms::Machine& machine) {
  if (!request.names_algorithms) return calls_that_run(std::move(sweep), algorithm, machine);
  sweep.algorithms = {algorithm};
  auto points = studies::points_of(sweep, machine);
  if (!points) return points.errors();
  return std::move(points->all);
}

// Calls that run as the algorithm they name.
Result<std::vector<ModelExperiment>> experiments_of(const FitModelsRequest& request,
                                                    const platforms::Machine& machine) {
  std::vector<ModelExperiment> experiments;
  for (const auto& sweep : request.sweeps)
    for (const auto& algorithm : sweep.algorithms) {
      auto points = calls_of(request, sweep, algorithm, machine);
      if (!points) return points.errors();
      for (auto& point : *points) {
        if (!workloads::runs_as(point.call, point.placement.procs).empty()) continue;
        ModelExperiment experiment{std::move(point), {}};
        if (request.with_gather && ends_elsewhere(*experiment.point.call.algorithm))
          experiment.gather_bytes =
              gather_bytes_of(experiments.size(), experiment.point.call.args.segment_bytes);
        experiments.push_back(std::move(experiment));
      }
    }
  if (experiments.empty())
    return usage_error("--algorithm", "none of these runs as itself with such messages",
                       "larger messages, or another number of processes");
  return experiments;
}

struct ModelKey {
  const algorithms::Algorithm* algorithm;
  int fanout;
  auto operator<=>(const ModelKey&) const = default;
};

ModelKey key_of(const studies::Point& point) {
  return {point.call.algorithm, point.call.args.fanout};
}

studies::ModelObservation observation_of(const ModelExperiment& experiment, Seconds time_s,
                                         const platforms::Machine& machine,
                                         const algorithms::models::Gamma& gamma) {
  const auto& point = experiment.point;
  return {.form = algorithms::models::stage_form(*point.call.algorithm,
                                                 studies::model_args(point, machine), gamma),
          .gather_messages = experiment.gather_bytes ? point.placement.procs - 1.0 : 0.0,
          .gather_bytes = experiment.gather_bytes.value_or(0),
          .time_s = time_s};
}

// What the model says of a whole experiment.
Seconds predicted(const studies::AlgorithmModel& model, const studies::ModelObservation& of) {
  const auto size = static_cast<double>(of.gather_bytes);
  const auto& own = model.class_of(of.gather_bytes);
  const Seconds alpha_s =
      model.gather_beta_s_per_B ? model.gather_alpha_s.value_or(0) : own.alpha_s;
  return studies::predicted_time(model, of.form) +
         of.gather_messages *
             (alpha_s + model.gather_beta_s_per_B.value_or(own.beta_s_per_B) * size);
}

// Answers of the experiments, as far as they have one.
class Fitting {
 public:
  Fitting(const FitModelsRequest& request, const platforms::Machine& machine,
          const std::vector<ModelExperiment>& experiments)
      : request_(request), machine_(machine), experiments_(experiments) {}

  // The first answers are those of gamma's experiments.
  void fit(const CheckRun& run, std::size_t gamma_count, reports::ModelFitReport& report) {
    std::vector<Seconds> gamma_times;
    for (std::size_t i = 0; i < gamma_count; ++i)
      gamma_times.push_back(studies::precise_time_in(*run.answers[i]).mean_s);
    const auto gamma = studies::gamma_of(gamma_times);
    report.gamma_residual = gamma.largest_residual;
    describe(report.file);
    report.file.gamma = gamma.gamma;
    for (std::size_t i = gamma_count; i < experiments_.size(); ++i)
      if (run.answers[i])
        observe(experiments_[i], studies::precise_time_in(*run.answers[i]), gamma.gamma);
    for (const auto& key : order_) add_model(key, report);
  }

 private:
  struct Observed {
    std::vector<const ModelExperiment*> experiments;
    std::vector<studies::PreciseTime> times;
    std::vector<studies::ModelObservation> observations;
  };

  void describe(studies::ModelFile& file) const {
    const auto& sweep = request_.sweeps.front();
    file.platform = request_.platform;
    file.platform_hash = machine_.content_hash;
    file.ppn = sweep.ppn.empty() ? 0 : sweep.ppn.front();
    file.map = studies::map_name(sweep.common.placement);
    file.procs = sweep.procs;
    const auto sizes = std::ranges::minmax(sweep.message_bytes);
    file.least_message_bytes = sizes.min;
    file.most_message_bytes = sizes.max;
    file.terms = request_.terms == ModelTerms::extended ? "extended" : "published";
    file.experiment = request_.with_gather ? "gather" : "alone";
    file.gamma_segment_bytes = request_.gamma_bytes;
  }

  // A call that takes no time has nothing to tell.
  void observe(const ModelExperiment& experiment, const studies::PreciseTime& time,
               const algorithms::models::Gamma& gamma) {
    if (time.mean_s <= 0) return;
    const ModelKey key = key_of(experiment.point);
    auto& observed = observed_[key];
    if (observed.times.empty()) order_.push_back(key);
    observed.experiments.push_back(&experiment);
    observed.times.push_back(time);
    observed.observations.push_back(observation_of(experiment, time.mean_s, machine_, gamma));
  }

  void add_model(const ModelKey& key, reports::ModelFitReport& report) const {
    const Observed& observed = observed_.at(key);
    auto model = studies::fit_model(observed.observations, request_.terms);
    model.collective = key.algorithm->collective;
    model.algorithm = key.algorithm->name;
    if (key.algorithm->default_fanout > 0) model.fanout = key.fanout;
    for (std::size_t i = 0; i < observed.times.size(); ++i) {
      const auto& point = observed.experiments[i]->point;
      report.calls.push_back({.collective = model.collective,
                              .algorithm = model.algorithm,
                              .procs = point.placement.procs,
                              .message_bytes = point.call.args.message_bytes,
                              .segment_bytes = point.call.args.segment_bytes,
                              .simulated = observed.times[i],
                              .predicted_s = predicted(model, observed.observations[i])});
    }
    report.file.models.push_back(std::move(model));
  }

  const FitModelsRequest& request_;
  const platforms::Machine& machine_;
  const std::vector<ModelExperiment>& experiments_;
  std::vector<ModelKey> order_;
  std::map<ModelKey, Observed> observed_;
};

int write_models(const FitModelsRequest& request, const reports::ModelFitReport& report,
                 const Diagnostics& diagnostics) {
  const auto document = reports::model_fit_document(report);
  std::vector<std::string> comments{"Models of collectives, made by Tutti:", request.command,
                                    "time = sum over the messages of the stages (alpha + beta "
                                    "bytes) + hops (lambda + mu bytes)"};
  const std::string text = studies::model_file_text(report.file, comments);
  const int code = write_report_file(document, request.outputs, diagnostics);
  if (code != exit_done) return code;
  if (!request.output || request.output == "-") return print(text, diagnostics);
  if (const auto error = write_file(*request.output, text)) return diagnostics.fail({*error});
  return write_document(document, request.outputs.shown, diagnostics);
}

int run_fit_models(const Parsed& parsed, const Diagnostics& diagnostics) {
  const auto request = FitModelsReading(parsed).read();
  if (!request) return diagnostics.fail(request.errors());
  const auto machine = platforms::load_machine(request->platform, request->overrides);
  if (!machine) return diagnostics.fail(machine.errors());
  auto experiments =
      studies::gamma_experiments(*machine, request->gamma_bytes, request->gamma_procs,
                                 request->sweeps.front().common.benchmark.noise);
  if (!experiments) return diagnostics.fail(experiments.errors());
  const std::size_t gamma_count = experiments->size();
  auto calls = experiments_of(*request, *machine);
  if (!calls) return diagnostics.fail(as_typed(calls.errors(), parsed));
  std::ranges::move(*calls, std::back_inserter(*experiments));
  if (const auto errors = check_jobs(*experiments, *machine, request->force); !errors.empty())
    return diagnostics.fail(as_typed(errors, parsed));
  for (const auto& warning : machine->warnings) diagnostics.warning(warning);
  const CheckRun done =
      run_check(simulations_of(*experiments, *machine), request->jobs, diagnostics);
  for (std::size_t i = 0; i < gamma_count; ++i)
    if (!done.answers[i]) return done.code;
  reports::ModelFitReport report;
  report.provenance =
      reports::provenance_of(*machine, request->platform, request->overrides, request->command);
  report.failed = done.failed;
  report.not_run = done.not_run;
  Fitting(*request, *machine, *experiments).fit(done, gamma_count, report);
  if (report.file.models.empty()) return done.code;
  for (const auto& warning : reports::model_fit_warnings(report.file)) diagnostics.warning(warning);
  return first_problem({write_models(*request, report, diagnostics), done.code});
}

}  // namespace

const Subcommand fit_models{
    .usage = "models",
    .summary = "models of collectives, from experiments on a simulated machine",
    .help =
        "Finds, for each algorithm, what a message costs in its stages (alpha, beta) by Huber's "
        "regression over simulated experiments, and gamma(P) of the machine, as Nuriyev and "
        "Lastovetsky do; writes them as TOML. `sim select` chooses algorithms by them.",
    .specs = fit_models_specs,
    .run = run_fit_models};

}  // namespace tutti::commands
