// SPDX-License-Identifier: BSD-3-Clause
// sim fit models: parameters of implementation-derived models, from experiments on a simulated
// machine.

#include "sim/base/common.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/platform.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fit/command/fit.hpp"
#include "sim/fit/command/fit_data.hpp"
#include "sim/fit/command/fit_models_request.hpp"
#include "sim/fit/command/model_jobs.hpp"
#include "sim/fit/report/reports.hpp"
#include "sim/studies/background_jobs.hpp"

namespace tutti::commands {
namespace {

using studies::ObservedTimes;

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

const Subcommand fit_models{
    .usage = "models",
    .summary = "fit models of collectives to simulated experiments",
    .help =
        "Estimates, for each algorithm, the cost of a message in its stages (alpha, beta) by Huber "
        "regression over simulated experiments, and gamma(P) of the machine, following Nuriyev and "
        "Lastovetsky; writes them as TOML. With --times it fits measured times instead. `sim "
        "select` chooses algorithms by these models.",
    .specs = fit_models_options(),
    .run = run_fit_models};

}  // namespace tutti::commands
