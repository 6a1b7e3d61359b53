// SPDX-License-Identifier: BSD-3-Clause
// sim fit models: parameters of implementation-derived models, from experiments on a simulated
// machine.

#include "algorithms/selection/algorithm_sets.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/commands/platform.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fit/command/fit_data.hpp"
#include "sim/fit/command/fit_models.help.hpp"
#include "sim/fit/command/model_jobs.hpp"
#include "sim/fit/model_study.hpp"
#include "sim/fit/report/reports.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/studies/workloads/collective_options.hpp"

namespace tutti::commands {
namespace {

using studies::ObservedTimes;

struct FitModelsRequest : JobRequest, studies::ModelSpec {
  std::optional<std::string> output;  // unset: standard output
  std::vector<std::string> times;     // files of measured times; empty: simulate the experiments
  studies::OnlyRows only;
  studies::MissingValues missing;  // of `times`
  int jobs = default_jobs();
  ReportOutputs outputs;
};

constexpr std::string_view fitting = "The models";
// The segment sizes that `sim select` chooses from.
constexpr const char* fitted_segments = "0,1KiB,4KiB,8KiB,16KiB,64KiB";

class FitModelsOptionReader {
 public:
  FitModelsOptionReader(OptionReader& reader, FitModelsRequest& request)
      : reader_(reader), request_(request) {}

  void read() {
    read_model_job(reader_, fitted_segments, job_);
    if (values_.has("--times"))
      read_times();
    else
      read_collectives();
    if (request_.gamma_procs < 2) reader_.wrong("--gamma-procs", "must be at least 2");
    request_.measured.gamma_bytes = request_.gamma_bytes;
  }

 private:
  void read_times() {
    for (const char* option : {"--nodes", "--allocation", "--oversubscribe", "--message-size",
                               "--segment-size", "--fanout", "--noise", "--experiment"})
      if (values_.has(option))
        reader_.wrong(option, "has no effect with --times: the files determine the experiments",
                      "select rows with --only");
    read_missing();
    request_.measured.collectives =
        reader_.names_of("--collective", "all", studies::collective_names(), true);
    request_.measured.algorithms =
        reader_.names_of("--algorithm", "all", studies::algorithm_names(), true);
    if (request_.measured.algorithms.size() == 1)
      request_.missing.algorithm = request_.measured.algorithms.front();
    if (auto only = only_rows(values_))
      request_.only = *std::move(only);
    else
      reader_.add(only.errors());
  }

  // What the files do not contain.
  void read_missing() {
    const auto count = [this](std::string_view option) {
      return values_.has(option) ? reader_.single(option, count_axis) : std::nullopt;
    };
    request_.missing.procs = count("--procs");
    request_.missing.ppn = count("--ppn");
    if (values_.has("--map")) read_mapping(reader_, "--map", request_.missing);
  }

  void read_collectives() {
    if (values_.has("--only")) reader_.wrong("--only", "has no effect without --times", "omit it");
    if (!values_.has("--collective"))
      return reader_.wrong("--collective", "is required", "a list of names, or all");
    const auto wanted = reader_.names_of("--algorithm", "all", studies::algorithm_names(), true);
    request_.names_algorithms =
        values_.has("--algorithm") && values_.value("--algorithm") != workloads::all_name;
    for (const auto& name : reader_.names_of("--collective", "", studies::collective_names(), true))
      add_collective(name, wanted);
    if (reader_.errors().empty() && request_.sweeps.empty())
      reader_.wrong(values_.has("--algorithm") ? "--algorithm" : "--collective",
                    "selects no algorithm with a model",
                    "`sim list algorithms` lists the algorithms");
  }

  bool is_wanted(const algorithms::Algorithm& algorithm, const std::vector<std::string>& wanted) {
    if (algorithm.cost == nullptr) return false;
    if (!values_.has("--algorithm"))
      return algorithm.id > 0 && algorithms::selection::is_in_set("ompi-3.1", algorithm);
    return std::ranges::find(wanted, algorithm.name) != wanted.end();
  }

  void add_collective(const std::string& name, const std::vector<std::string>& wanted) {
    studies::Sweep sweep = job_;
    sweep.collective = name;
    if (!algorithms::find_collective(name)->has_message) sweep.message_bytes = {0};
    for (const auto* algorithm : algorithms::algorithms_of(name))
      if (is_wanted(*algorithm, wanted)) sweep.algorithms.emplace_back(algorithm->name);
    if (!sweep.algorithms.empty()) request_.sweeps.push_back(std::move(sweep));
  }

  OptionReader& reader_;
  const OptionValues& values_ = reader_.values();
  FitModelsRequest& request_;
  studies::Sweep job_;
};

using FitModelsOptions = options::OptionTable<FitModelsRequest>;

FitModelsOptions fitted_call_options() {
  return FitModelsOptions({}) + machine_options() +
         FitModelsOptions{
             {job_option::machine, "-n,--procs", "N", texts::fit_models["--procs"]},
             {job_option::ppn},
             {job_option::map},
             {job_option::nodes},
             {job_option::allocation},
             {job_option::oversubscribe},
             {model_option::force, options::flag(&FitModelsRequest::force)},
             {taking("all", taking(studies::collective_names,
                                   {model_option::calls, "--collective", "NAMES",
                                    "Collectives: a list, or all (required)"}))},
             {model_option::calls, "--algorithm", "NAMES",
              "Algorithms of these collectives, or all; default: those of Open MPI 3.1",
              options::takes("all")},
             {model_option::calls, "--message-size", "SIZES", texts::fit_models["--message-size"]},
             {model_option::calls, "--segment-size", "SIZES", texts::fit_models["--segment-size"]},
             {model_option::calls, "--fanout", "N",
              "Fan-out or radix, with a model for each; default: the algorithm's own"},
             {model_option::noise},
         };
}

FitModelsOptions fitting_options() {
  return {
      {fitting, "--experiment", "HOW", texts::fit_models["--experiment"],
       options::choice<bool>({{"alone", false}, {"gather", true}}, &FitModelsRequest::with_gather)},
      {fitting, "--terms", "WHICH", texts::fit_models["--terms"],
       options::choice<studies::ModelTerms>({{"extended", studies::ModelTerms::extended},
                                             {"published", studies::ModelTerms::published}},
                                            &FitModelsRequest::terms)},
      {fitting, "--times", "FILES", texts::fit_models["--times"],
       [](OptionReader& reader, std::string_view option, FitModelsRequest& request) {
         request.times = split_words(reader.values().value(option), ',');
       }},
      {{fitting, "--only", "COLUMN=TEXT",
        "Use only measured rows with this text in the column; may be repeated", true}},
      {fitting, "--gamma-procs", "N", texts::fit_models["--gamma-procs"],
       options::count(studies::most_gamma_procs, &FitModelsRequest::gamma_procs)},
      {fitting, "--gamma-size", "SIZE", "Message size of the gamma experiments; default: 8KiB",
       options::number(bytes_axis, &FitModelsRequest::gamma_bytes)},
  };
}

FitModelsOptions fit_output_options() {
  return FitModelsOptions{
             {jobs_option, options::value_from(read_jobs, &FitModelsRequest::jobs)},
             {written(job_option::output_row("-o,--output", "FILE", texts::fit_models["--output"])),
              options::file(&FitModelsRequest::output)}} +
         report_options(
             reports::model_fit_document_parts, "the models",
             written(job_option::output_row("--report", "FILE", texts::fit_models["--report"])))
             .of(&FitModelsRequest::outputs);
}

// Built on first use: it needs tables of other files.
const FitModelsOptions& fit_models_options() {
  static const auto table = (fitted_call_options() + fitting_options())
                                .then([](OptionReader& reader, FitModelsRequest& request) {
                                  FitModelsOptionReader(reader, request).read();
                                }) +
                            fit_output_options();
  return table;
}

Result<int> write_models(const FitModelsRequest& request, const reports::ModelFitReport& report) {
  const auto document = reports::model_fit_document(report);
  std::vector<std::string> comments{"Models of collectives, fitted by Tutti:", request.command,
                                    "time = sum over the messages of the stages (alpha + beta "
                                    "bytes)",
                                    "       + hops (lambda + mu bytes)"};
  const std::string text = studies::model_file_text(report.file, comments);
  TUTTI_TRY(write_report_file(document, request.outputs));
  if (!request.output || request.output == "-") return print(text);
  if (const auto error = write_file(*request.output, text)) return *error;
  return write_document(document, request.outputs.shown);
}

void add_measured(const std::vector<studies::PreciseTime>& times, studies::PointsRun& run) {
  for (const auto& time : times) run.answers.emplace_back(studies::row_of(time));
}

// Simulates the experiments for gamma that were not measured.
Result<ObservedTimes> measured_observations(const FitModelsRequest& request,
                                            const platforms::Machine& machine,
                                            const Diagnostics& diagnostics) {
  const auto rows =
      TUTTI_TRY(FitData(request.only, diagnostics, request.missing).collectives(request.times));
  auto measured = studies::measured_experiments(rows, request.measured, machine);
  if (!measured) return studies::in_file(measured.errors(), request.times.front());
  const auto& gamma_times = measured->gamma_times;
  const int most =
      gamma_times.empty() ? request.gamma_procs : static_cast<int>(gamma_times.size()) + 1;
  auto gamma = TUTTI_TRY(studies::gamma_experiments(machine, request.gamma_bytes, most, {}));
  ObservedTimes found;
  found.experiments = std::move(gamma);
  found.gamma_count = gamma_times.empty() ? found.experiments.size() : gamma_times.size();
  if (gamma_times.empty()) {
    diagnostics.note(
        fmt::format("gamma is simulated: the files contain no bcast basic_linear of {} "
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
        "skipped: {} without a named algorithm, {} that run as another algorithm or have no model",
        counted(measured->without_algorithm, "row"), counted(measured->other_algorithm, "call")));
  return found;
}

Result<int> fit_and_write(const FitModelsRequest& request, const platforms::Machine& machine,
                          const ObservedTimes& of, const Diagnostics& diagnostics) {
  if (of.run.not_run > 0) {
    diagnostics.note(
        fmt::format("nothing was written: {} did not run", counted(of.run.not_run, "simulation")));
    return of.run.code;
  }
  for (std::size_t i = 0; i < of.gamma_count; ++i)
    if (!of.run.answers[i]) return of.run.code;
  reports::ModelFitReport report;
  begin_report(report, request, machine, of.run);
  static_cast<studies::FittedModels&>(report) = studies::fitted_models(request, machine, of);
  report.file.platform = request.platform;
  if (!request.times.empty())
    report.file.source = fmt::format("{}", fmt::join(request.times, ", "));
  if (report.file.models.empty()) return of.run.code;
  for (const auto& warning : reports::model_fit_warnings(report.file)) diagnostics.warning(warning);
  TUTTI_TRY(write_models(request, report));
  return of.run.code;
}

Result<int> run_fit_models(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request = TUTTI_TRY(read_request(parsed, fit_models_options(), "fit models"));
  const auto machine = TUTTI_TRY(studies::load_machine(request));
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  complete_axes(request, machine, parsed.has("--message-size"));
  const auto observed = request.times.empty()
                            ? studies::simulated_observations(request, machine, request.force,
                                                              runner(request.jobs, diagnostics))
                            : measured_observations(request, machine, diagnostics);
  if (!observed) return parsed.placed(observed.errors());
  return fit_and_write(request, machine, *observed, diagnostics);
}

}  // namespace

extern const Subcommand fit_models{.usage = "models",
                                   .summary = "fit models of collectives to simulated experiments",
                                   .help = texts::fit_models["models"],
                                   .specs = fit_models_options(),
                                   .run = run_fit_models};

}  // namespace tutti::commands
