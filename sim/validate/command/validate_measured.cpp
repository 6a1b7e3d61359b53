// SPDX-License-Identifier: BSD-3-Clause
// sim validate measured: compares predictions for a machine with measured times of collectives.

#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/base/text_file.hpp"
#include "sim/fit/command/fit_data.hpp"
#include "sim/jobs/memory_estimate.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/validate/command/validate.hpp"
#include "sim/validate/command/validate_measured.help.hpp"
#include "sim/validate/report/reports.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view measurements = "The measurements";

struct ValidateMeasuredRequest : JobRequest {
  std::vector<std::string> files;
  studies::OnlyRows only;
  studies::MissingValues missing;
  platforms::PlacementRequest placement;
  std::string allocations_path;
  int jobs = default_jobs();
  DocumentOutput document;
};

void read_files(OptionReader& reader, ValidateMeasuredRequest& request) {
  request.files = reader.values().arguments;
  if (request.files.empty())
    reader.wrong("", "no measurements",
                 "name files of measured collectives: the output of OSU or Intel's benchmarks, or "
                 "CSV, see `man sim`, FILES");
  reader.read_placement(request.placement);
}

using MeasuredOptions = options::OptionTable<ValidateMeasuredRequest>;

const MeasuredOptions validate_measured_options =
    MeasuredOptions{
        {{measurements, "--only", "COLUMN=TEXT", texts::validate_measured["--only"], true},
         options::value_from(only_rows, &ValidateMeasuredRequest::only)},
        {measurements, "--over", "FILE", texts::validate_measured["--over"],
         options::text(&ValidateMeasuredRequest::allocations_path)}} +
    missing_value_options(measurements).of(&ValidateMeasuredRequest::missing) + machine_options() +
    MeasuredOptions{{job_option::map},
                    {job_option::nodes},
                    {job_option::allocation},
                    {job_option::machine, "--force", "",
                     "Simulate even if the estimated memory exceeds that of this machine",
                     options::flag(&ValidateMeasuredRequest::force)},
                    {jobs_option, options::value_from(read_jobs, &ValidateMeasuredRequest::jobs)}}
        .then(read_files) +
    document_options(
        {.parts = reports::measured_document_parts,
         .part = job_option::output_row("--part", "NAME", texts::validate_measured["--part"])})
        .of(&ValidateMeasuredRequest::document);

// Returns the machine itself if the job's torus is unknown or the machine is not a torus.
studies::JobMachines job_machines(const ValidateMeasuredRequest& request,
                                  const platforms::Machine& machine) {
  return studies::JobMachines([&](const std::string& torus) -> Result<platforms::Machine> {
    if (torus.empty() || !machine.topology->kind().ends_with("torus")) return machine;
    auto overrides = request.overrides;
    overrides.emplace_back("torus/dimensions", torus);
    return studies::load_machine({request.platform, overrides});
  });
}

// Adds the nodes of the jobs to the rows.
std::optional<Error> add_allocations(const std::string& path,
                                     std::vector<studies::MeasuredCollective>& rows,
                                     const Diagnostics& diagnostics) {
  std::vector<std::shared_ptr<const platforms::Allocation>> allocations;
  const auto text = TUTTI_TRY(read_text_file(path));
  for (auto& allocation : TUTTI_TRY(platforms::read_allocations(text, path)))
    allocations.push_back(std::make_shared<const platforms::Allocation>(std::move(allocation)));
  std::size_t without = 0;
  for (auto& row : rows) {
    row.allocation = platforms::allocation_of_run(allocations, row.run, row.nodes());
    without += row.allocation ? 0 : 1;
  }
  if (without == rows.size())
    return make_error(ErrorKind::input, path, "no row belongs to one of these allocations",
                      "rows and allocations need the same column timestamp");
  if (without > 0)
    diagnostics.warning(
        fmt::format("{} in no allocation of {} run on the first nodes of the machine",
                    counted(without, "row"), printable(path)));
  return std::nullopt;
}

// The names of the benchmarks that measured the rows; empty if some are bare calls.
std::string benchmark_names(const std::vector<studies::MeasuredCollective>& rows) {
  std::set<std::string_view> names;
  for (const auto& row : rows) names.insert(row.harness == nullptr ? "" : row.harness->name);
  return names.contains("") ? "" : fmt::format("{}", fmt::join(names, ", "));
}

Result<int> score(const ValidateMeasuredRequest& request, const platforms::Machine& machine,
                  const std::vector<studies::MeasuredCollective>& rows,
                  const Diagnostics& diagnostics) {
  auto machines = job_machines(request, machine);
  auto plan = TUTTI_TRY(studies::plan_scores(rows, machine.name, machines, request.placement));
  if (!request.force)
    if (auto errors = jobs::memory_errors(plan.calls, machine, &studies::ScoringPlan::Call::point);
        !errors.empty())
      return errors;
  if (plan.omitted > 0)
    diagnostics.warning(fmt::format("{} skipped that cannot run on {}: {}",
                                    counted(plan.omitted, "row"), machine.name, plan.why));
  reports::MeasuredReport report{
      {}, simulate_times(plan, runner(request.jobs, diagnostics)), std::move(plan.others), {}};
  const auto& run = report.run;
  if (report.times.empty()) return run.code;
  begin_report(report, request, machine, run);
  report.benchmark = benchmark_names(rows);
  if (run.not_run > 0)
    report.failed.push_back(fmt::format("INCOMPLETE: {} not run because the check was stopped",
                                        counted(run.not_run, "simulation")));
  TUTTI_TRY(write_document(reports::measured_document(report), request.document));
  return run.code;
}

Result<int> run_validate_measured(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request =
      TUTTI_TRY(read_request(parsed, validate_measured_options, "validate measured", Words::files));
  const auto machine = TUTTI_TRY(studies::load_machine(request));
  auto rows = TUTTI_TRY(FitData(request.only, diagnostics, request.missing)
                            .collectives(request.files, studies::UnknownAlgorithms::are_kept));
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  if (!request.allocations_path.empty())
    if (auto error = add_allocations(request.allocations_path, rows, diagnostics))
      return *std::move(error);
  return score(request, machine, rows, diagnostics);
}

}  // namespace

const Subcommand validate_measured{.usage = "measured FILE...",
                                   .summary = "compare predicted with measured times",
                                   .help = texts::validate_measured["measured"],
                                   .specs = validate_measured_options,
                                   .run = run_validate_measured};

}  // namespace tutti::commands
