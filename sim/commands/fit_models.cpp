// SPDX-License-Identifier: BSD-3-Clause
// sim fit models: the parameters of implementation-derived models, from experiments on a simulated
// machine.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "algorithms/selection/versions.hpp"
#include "sim/base/counted.hpp"
#include "sim/base/error_list.hpp"
#include "sim/commands/check_run.hpp"
#include "sim/commands/fit.hpp"
#include "sim/commands/fit_data.hpp"
#include "sim/commands/model_jobs.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/platform.hpp"
#include "sim/commands/report_output.hpp"
#include "sim/commands/run_options.hpp"
#include "sim/reports/model_fit_report.hpp"
#include "sim/studies/algorithm_models/measured_experiments.hpp"
#include "sim/studies/algorithm_models/model_fit.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::commands {
namespace {

using studies::ModelExperiment;
using studies::ModelTerms;

constexpr std::string_view fitting = "The models";
// Those among which `sim select` chooses.
constexpr const char* fitted_segments = "0,1KiB,4KiB,8KiB,16KiB,64KiB";
constexpr std::int64_t usual_procs[] = {4, 8, 16, 40, 90};
constexpr Bytes default_gamma_bytes = 8192;
constexpr std::int64_t default_gamma_procs = 8;

constexpr OptionSpec fit_models_specs[] = {
    job_option::platform,
    job_option::set,
    {job_option::machine, "--procs", "N",
     "processes of the experiments, between which predictions are interpolated; default: "
     "4,8,16,40,90, as far as the machine has room for them"},
    job_option::ppn,
    model_option::map,
    job_option::oversubscribe,
    model_option::force,
    {model_option::calls, "--collective", "NAMES", "a list, or all (required)"},
    {model_option::calls, "--algorithm", "NAMES",
     "of these collectives, or all; default: those that Open MPI 3.1 has"},
    {model_option::calls, "--message-size", "SIZES",
     "default: 8KiB:4MiB, doubling, and where the machine's eager messages end"},
    {model_option::calls, "--segment-size", "SIZES",
     "0: unsegmented; default: 0,1KiB,4KiB,8KiB,16KiB,64KiB; one alone cannot tell alpha from "
     "beta; calls of more than 50,000 messages in segments are left out"},
    {model_option::calls, "--fanout", "N",
     "or radix, a model for each; default: that of the algorithm"},
    model_option::noise,
    {fitting, "--experiment", "HOW",
     "alone (default): a call, until its last rank ends; gather: a linear gather behind it, until "
     "the root has all, as on a real machine"},
    {fitting, "--terms", "WHICH",
     "extended (default): alpha and beta for classes of message sizes, and lambda; published: "
     "alpha and beta alone"},
    {fitting, "--times", "FILES",
     "fit to these measured times in place of simulated ones, separated by commas: ReproMPI (with "
     "--params=algorithm:NAME,segment_bytes:N), or CSV with columns collective, algorithm, procs, "
     "message_bytes, segment_bytes, time_s, maybe ppn, fanout, gather_bytes"},
    {fitting, "--only", "COLUMN=TEXT", "of the measured times these rows; may be repeated", true},
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
  std::vector<std::string> times;  // files of measured ones; none: simulate
  studies::MeasuredWish measured;
  studies::OnlyRows only;
  int jobs = 1;
  ReportOutputs outputs;
};

class FitModelsReading : private ModelJobReading {
 public:
  explicit FitModelsReading(const Parsed& parsed) : ModelJobReading(parsed) {}

  Result<FitModelsRequest> read() {
    read_machine(request_);
    read_job(job_, fitted_segments);
    if (parsed_.has("--times"))
      read_times();
    else
      read_collectives();
    read_fit();
    read_output();
    if (!errors_.empty()) return errors_.errors();
    request_.force = parsed_.has("--force");
    request_.command = "sim fit models" + reproducing_options(fit_models_specs, parsed_);
    return std::move(request_);
  }

 private:
  void read_times() {
    for (const char* option : {"--procs", "--ppn", "--map", "--oversubscribe", "--message-size",
                               "--segment-size", "--fanout", "--noise", "--experiment"})
      if (parsed_.has(option))
        wrong(option, "has no effect with --times: the file has what was measured",
              "--only chooses among its rows");
    request_.times = words_of(parsed_.value("--times"));
    std::vector<std::string> algorithms;
    for (const auto& each : algorithms::all_algorithms())
      if (std::ranges::find(algorithms, each.name) == algorithms.end())
        algorithms.emplace_back(each.name);
    request_.measured.collectives = names_of("--collective", "all", collective_names(), true);
    request_.measured.algorithms = names_of("--algorithm", "all", algorithms, true);
    if (auto only = only_rows(parsed_))
      request_.only = *std::move(only);
    else
      add(only.errors());
  }

  void read_collectives() {
    if (parsed_.has("--only")) wrong("--only", "has no effect without --times", "leave it out");
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
    request_.gamma_bytes = request_.measured.gamma_bytes = sizes.front();
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

// At least one, however small the machine is.
std::vector<std::int64_t> usual_procs_on(const platforms::Machine& machine,
                                         const studies::Sweep& sweep) {
  std::vector<std::int64_t> procs;
  for (const auto each : usual_procs) {
    auto placement = sweep.common.placement;
    placement.procs = static_cast<int>(each);
    if (!sweep.ppn.empty()) placement.ppn = static_cast<int>(sweep.ppn.front());
    if (procs.empty() || platforms::place(machine, placement)) procs.push_back(each);
  }
  return procs;
}

// Numbers of processes that were not given, and the ends of the eager protocols, where times jump.
void complete_axes(FitModelsRequest& request, const platforms::Machine& machine, bool has_sizes) {
  for (auto& sweep : request.sweeps) {
    if (sweep.procs.empty()) sweep.procs = usual_procs_on(machine, sweep);
    if (has_sizes || sweep.message_bytes.size() < 2) continue;
    auto& sizes = sweep.message_bytes;
    const auto range = std::ranges::minmax(sizes);
    for (const Bytes limit : {machine.inter.eager_max, machine.intra.eager_max})
      for (const Bytes size : {limit, limit + 1})
        if (size > range.min && size < range.max) sizes.push_back(size);
    std::ranges::sort(sizes);
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  }
}

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

// A segment that holds the whole message, where calls in one piece are made, too.
bool is_repeated(const studies::Point& point, const studies::Sweep& sweep) {
  const auto& args = point.call.args;
  return args.segment_bytes > 0 && args.segment_bytes >= args.message_bytes &&
         std::ranges::find(sweep.segment_bytes, 0) != sweep.segment_bytes.end();
}

// The smallest message that is not eager any more is no multiple of a segment: its last one would
// be charged as a whole one.
bool is_cut_unevenly(const studies::Point& point, const platforms::Machine& machine) {
  const auto& args = point.call.args;
  return args.segment_bytes > 0 && (args.message_bytes == machine.inter.eager_max + 1 ||
                                    args.message_bytes == machine.intra.eager_max + 1);
}

// A call of so many segments takes long, and shows no more than one of fewer.
bool is_too_long(const studies::Point& point, const platforms::Machine& machine) {
  constexpr std::int64_t most_messages = 50'000;
  const auto* algorithm = point.call.algorithm;
  return point.call.args.segment_bytes > 0 && algorithm->messages != nullptr &&
         algorithm->messages(studies::model_args(point, machine)) > most_messages;
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
        if (is_repeated(point, sweep) || is_too_long(point, machine) ||
            is_cut_unevenly(point, machine))
          continue;
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

// What the model predicts for a whole experiment.
Seconds predicted(const studies::ProcsModel& model, const studies::ModelObservation& of) {
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
    const auto& first = experiments_.back();  // one of those of the models, as all are placed
    file.platform = request_.platform;
    file.platform_hash = machine_.content_hash;
    file.ppn = first.point.placement.ppn.value_or(0);
    file.map = studies::map_name(first.point.placement);
    file.terms = request_.terms == ModelTerms::extended ? "extended" : "published";
    file.experiment =
        std::ranges::any_of(experiments_,
                            [](const auto& each) { return each.gather_bytes.has_value(); })
            ? "gather"
            : "alone";
    if (!request_.times.empty()) file.source = fmt::format("{}", fmt::join(request_.times, ", "));
    file.gamma_segment_bytes = request_.gamma_bytes;
  }

  // A call that takes no time has nothing to tell.
  void observe(const ModelExperiment& experiment, const studies::PreciseTime& time,
               const algorithms::models::Gamma& gamma) {
    if (time.mean_s <= 0) return;
    const ModelKey key = key_of(experiment.point);
    if (!observed_.contains(key)) order_.push_back(key);
    const auto& args = experiment.point.call.args;
    const bool segmented = !studies::is_in_one_piece(args.message_bytes, args.segment_bytes);
    auto& observed = observed_[key][{segmented, experiment.point.placement.procs}];
    observed.experiments.push_back(&experiment);
    observed.times.push_back(time);
    observed.observations.push_back(observation_of(experiment, time.mean_s, machine_, gamma));
  }

  void add_model(const ModelKey& key, reports::ModelFitReport& report) const {
    studies::AlgorithmModel model{.collective = std::string(key.algorithm->collective),
                                  .algorithm = std::string(key.algorithm->name)};
    if (key.algorithm->default_fanout > 0) model.fanout = key.fanout;
    for (const auto& [kind, observed] : observed_.at(key)) {
      model.of_procs.push_back(fitted(kind.second, observed));
      for (std::size_t i = 0; i < observed.times.size(); ++i)
        report.calls.push_back(fitted_call(observed, i, model.of_procs.back()));
    }
    report.file.models.push_back(std::move(model));
  }

  studies::ProcsModel fitted(int procs, const Observed& observed) const {
    auto model = studies::fit_model(observed.observations, request_.terms);
    model.procs = procs;
    for (const auto* each : observed.experiments)
      model.range.add(each->point.call.args.message_bytes, each->point.call.args.segment_bytes);
    return model;
  }

  static reports::FittedCall fitted_call(const Observed& observed, std::size_t index,
                                         const studies::ProcsModel& model) {
    const auto& call = observed.experiments[index]->point.call;
    return {.collective = std::string(call.algorithm->collective),
            .algorithm = std::string(call.algorithm->name),
            .procs = model.procs,
            .message_bytes = call.args.message_bytes,
            .segment_bytes = call.args.segment_bytes,
            .observed = observed.times[index],
            .predicted_s = predicted(model, observed.observations[index])};
  }

  const FitModelsRequest& request_;
  const platforms::Machine& machine_;
  const std::vector<ModelExperiment>& experiments_;
  std::vector<ModelKey> order_;
  // By whether the calls are segmented, and their number of processes.
  std::map<ModelKey, std::map<std::pair<bool, int>, Observed>> observed_;
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

// The experiments behind gamma come first.
struct ObservedTimes {
  std::vector<ModelExperiment> experiments;
  std::size_t gamma_count = 0;
  CheckRun run;
};

void add_measured(const std::vector<studies::PreciseTime>& times, CheckRun& run) {
  for (const auto& time : times) run.answers.emplace_back(studies::row_of(time));
}

// Gamma's are simulated where they were not measured.
Result<ObservedTimes> measured_observations(const FitModelsRequest& request,
                                            const platforms::Machine& machine,
                                            const Diagnostics& diagnostics) {
  const auto rows = FitData(request.only, diagnostics).collectives(request.times);
  if (!rows) return rows.errors();
  auto measured = studies::measured_experiments(*rows, request.measured, machine);
  if (!measured) return in_file(measured.errors(), request.times.front());
  const auto& gamma_times = measured->gamma_times;
  const int most =
      gamma_times.empty() ? request.gamma_procs : static_cast<int>(gamma_times.size()) + 1;
  auto gamma = studies::gamma_experiments(machine, request.gamma_bytes, most, {});
  if (!gamma) return gamma.errors();
  ObservedTimes found;
  found.experiments = *std::move(gamma);
  found.gamma_count = gamma_times.empty() ? found.experiments.size() : gamma_times.size();
  if (gamma_times.empty()) {
    diagnostics.note(
        fmt::format("gamma is simulated: the files have no bcast basic_linear of {} "
                    "with 2, 3, ... processes",
                    format_bytes(request.gamma_bytes)));
    found.run = run_check(simulations_of(found.experiments, machine), request.jobs, diagnostics);
  }
  for (const Seconds time_s : gamma_times) add_measured({{.mean_s = time_s}}, found.run);
  found.experiments.resize(found.gamma_count, found.experiments.front());
  std::ranges::move(measured->experiments, std::back_inserter(found.experiments));
  add_measured(measured->times, found.run);
  const auto skipped = measured->without_algorithm + measured->other_algorithm;
  if (skipped > 0)
    diagnostics.note(fmt::format(
        "left out: {} whose algorithm is not named, {} that run as another "
        "algorithm or have no model",
        counted(measured->without_algorithm, "row"), counted(measured->other_algorithm, "call")));
  return found;
}

Result<ObservedTimes> simulated_observations(const FitModelsRequest& request,
                                             const platforms::Machine& machine,
                                             const Diagnostics& diagnostics) {
  auto gamma = studies::gamma_experiments(machine, request.gamma_bytes, request.gamma_procs,
                                          request.sweeps.front().common.benchmark.noise);
  if (!gamma) return gamma.errors();
  ObservedTimes found;
  found.experiments = *std::move(gamma);
  found.gamma_count = found.experiments.size();
  auto calls = experiments_of(request, machine);
  if (!calls) return calls.errors();
  std::ranges::move(*calls, std::back_inserter(found.experiments));
  if (auto errors = check_jobs(found.experiments, machine, request.force); !errors.empty())
    return errors;
  found.run = run_check(simulations_of(found.experiments, machine), request.jobs, diagnostics);
  return found;
}

int fit_and_write(const FitModelsRequest& request, const platforms::Machine& machine,
                  const ObservedTimes& of, const Diagnostics& diagnostics) {
  if (of.run.not_run > 0) {
    diagnostics.note(
        fmt::format("nothing is written: {} were not run", counted(of.run.not_run, "simulation")));
    return of.run.code;
  }
  for (std::size_t i = 0; i < of.gamma_count; ++i)
    if (!of.run.answers[i]) return of.run.code;
  reports::ModelFitReport report;
  report.provenance =
      reports::provenance_of(machine, request.platform, request.overrides, request.command);
  report.failed = of.run.failed;
  report.not_run = of.run.not_run;
  Fitting(request, machine, of.experiments).fit(of.run, of.gamma_count, report);
  if (report.file.models.empty()) return of.run.code;
  for (const auto& warning : reports::model_fit_warnings(report.file)) diagnostics.warning(warning);
  return first_problem({write_models(request, report, diagnostics), of.run.code});
}

int run_fit_models(const Parsed& parsed, const Diagnostics& diagnostics) {
  auto request = FitModelsReading(parsed).read();
  if (!request) return diagnostics.fail(request.errors());
  const auto machine = platforms::load_machine(request->platform, request->overrides);
  if (!machine) return diagnostics.fail(machine.errors());
  for (const auto& warning : machine->warnings) diagnostics.warning(warning);
  complete_axes(*request, *machine, parsed.has("--message-size"));
  const auto observed = request->times.empty()
                            ? simulated_observations(*request, *machine, diagnostics)
                            : measured_observations(*request, *machine, diagnostics);
  if (!observed) return diagnostics.fail(as_typed(observed.errors(), parsed));
  return fit_and_write(*request, *machine, *observed, diagnostics);
}

}  // namespace

const Subcommand fit_models{
    .usage = "models",
    .summary = "models of collectives, from experiments on a simulated machine",
    .help =
        "Finds, for each algorithm, what a message costs in its stages (alpha, beta) by Huber's "
        "regression over simulated experiments, and gamma(P) of the machine, as Nuriyev and "
        "Lastovetsky do; writes them as TOML. --times fits to measured times instead. `sim select` "
        "chooses algorithms by them.",
    .specs = fit_models_specs,
    .run = run_fit_models};

}  // namespace tutti::commands
