// SPDX-License-Identifier: BSD-3-Clause
// sim fit storage: fits a specification for --storage to measured bandwidths.
#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fit/command/fit_data.hpp"
#include "sim/fit/command/fit_storage.help.hpp"
#include "sim/fit/report/reports.hpp"
#include "sim/studies/background_jobs.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view storage_group = "The storage";

struct FitStorageRequest {
  options::MachineRequest machine;
  studies::OnlyRows only;
  std::vector<std::string> files;
  std::optional<int> targets, servers;
  Bytes stripe_bytes = Bytes{1} << 20;
  int ppn = 1;
  int jobs = default_jobs();
  DocumentOutput output;
  std::string command;
};

using FitStorageOptions = options::OptionTable<FitStorageRequest>;

const auto fit_storage_options =
    FitStorageOptions{
        {taking(platform_names,
                {job_option::machine, "-p,--platform", "NAME",
                 "Platform of the clients; required, unless all files are of obdfilter-survey"})},
        {job_option::set},
        {job_option::machine, "--ppn", "N",
         "Processes per node of rows that do not have it; default: 1",
         options::count(platforms::most_procs, &FitStorageRequest::ppn)},
        {storage_group, "--targets", "N",
         "Number of targets; default: the largest number in the files",
         options::count(io_models::most_targets, &FitStorageRequest::targets)},
        {storage_group, "--servers", "N",
         "Number of servers, over which the targets are divided; default: one per target",
         options::count(io_models::most_targets, &FitStorageRequest::servers)},
        {storage_group, "--stripe", "SIZE", "Stripe size of the files; default: 1MiB",
         options::number(bytes_axis, &FitStorageRequest::stripe_bytes)},
        {{"The measurements", "--only", "COLUMN=TEXT",
          "Use only rows with this text in the column; may be repeated", true},
         options::value_from(only_rows, &FitStorageRequest::only)},
        {jobs_option, options::value_from(read_jobs, &FitStorageRequest::jobs)}}
        .then([](OptionReader& read, FitStorageRequest& request) {
          request.files = read.values().arguments;
          if (read.values().has("--platform"))
            read.read_machine(request.machine);
          else
            read.reject({"--set"}, "has no effect without --platform", "add --platform NAME");
          if (request.files.empty())
            read.wrong("", "no measurements", "expected files of IOR, obdfilter-survey, or CSV");
          if (request.stripe_bytes < 1) read.wrong("--stripe", "must be at least 1 B");
        }) +
    document_options({reports::storage_fit_document_parts}).of(&FitStorageRequest::output);

// Targets, servers and stripes; its bandwidth is any, because it is fitted.
Result<io_models::StorageSpec> layout_of(const FitStorageRequest& request,
                                         const std::vector<studies::StorageMeasurement>& measured) {
  int targets = request.targets.value_or(0);
  if (targets == 0)
    for (const auto& measurement : measured)
      targets = std::max(targets, measurement.targets.value_or(0));
  if (targets == 0)
    return usage_error("--targets", "is required: the files have no number of targets",
                       "for example --targets 16");
  auto text = fmt::format("targets={},bandwidth=1GBps,stripe={}B", targets, request.stripe_bytes);
  if (request.servers) text += fmt::format(",servers={}", *request.servers);
  auto layout = io_models::parse_storage(text);
  if (layout) return layout;
  std::vector<Error> errors = layout.errors();
  for (auto& error : errors) error.place = request.servers ? "--servers" : "--stripe";
  return errors;
}

// Warns if the storage model does not describe the measurements.
void warn_of_errors(const reports::StorageFitReport& report, const Diagnostics& diagnostics) {
  constexpr double large = 0.5;
  std::size_t count = 0, worst = 0;
  const auto error = [&](std::size_t row) {
    return std::abs(std::log(report.predicted_Bps[row] / report.measured[row].Bps));
  };
  for (std::size_t row = 0; row < report.measured.size(); ++row) {
    count += error(row) > std::log1p(large) ? 1 : 0;
    if (error(row) > error(worst)) worst = row;
  }
  if (count == 0) return;
  const auto& row = report.measured[worst];
  diagnostics.warning(fmt::format(
      "{}:{}: measured {}, predicted {}: no values describe {} of {} within {:.0f} %; check their "
      "units, numbers of nodes and targets, the platform, and the scatter of repetitions",
      printable(row.file), row.line, format_rate(row.Bps), format_rate(report.predicted_Bps[worst]),
      count, counted(report.measured.size(), "measurement"), 100 * large));
}

Result<int> run_fit_storage(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request =
      TUTTI_TRY(read_request(parsed, fit_storage_options, "fit storage", Words::files));
  reports::StorageFitReport report;
  report.files = request.files;
  report.measured = TUTTI_TRY(FitData(request.only, diagnostics).storage(request.files));
  studies::StorageJobs jobs{.layout = TUTTI_TRY(layout_of(request, report.measured)),
                            .ppn = request.ppn,
                            .parallel = request.jobs};
  std::optional<platforms::Machine> machine;
  if (!request.machine.platform.empty()) {
    machine = TUTTI_TRY(studies::load_machine(request.machine));
    for (const auto& warning : machine->warnings) diagnostics.warning(warning);
    jobs.machine = &*machine;
    report.provenance = reports::provenance_of(*machine, request.machine.platform,
                                               request.machine.overrides, request.command);
  } else {
    report.provenance = reports::plain_provenance(request.command);
    if (std::ranges::any_of(report.measured,
                            [](const auto& measurement) { return !measurement.is_local; }))
      return usage_error("--platform", "is required: the platform of the clients",
                         "a SimGrid XML file, or a name from `sim list platforms`");
  }
  static_cast<studies::StorageFit&>(report) =
      TUTTI_TRY(studies::fit_storage(report.measured, jobs, progress_of_fit(diagnostics)));
  warn_of_errors(report, diagnostics);
  return write_document(reports::storage_fit_document(report), request.output);
}

// The columns are those of the reader.
const std::string fit_storage_help =
    fmt::format("{}\n\n{}\n{}\n{}", texts::fit_storage["storage"], texts::fit_storage["columns"],
                studies::storage_columns_help(), texts::fit_storage["units"]);

}  // namespace

extern const Subcommand fit_storage{
    .usage = "storage FILE...",
    .summary = "fit a --storage specification to measured bandwidths",
    .help = fit_storage_help,
    .specs = fit_storage_options,
    .run = run_fit_storage};

}  // namespace tutti::commands
