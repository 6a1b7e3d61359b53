// SPDX-License-Identifier: BSD-3-Clause
// sim validate measured: the scoreboard of a machine, against measured times of collectives.

#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/command/fit_data.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/validate/command/validate.hpp"
#include "sim/validate/report/reports.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view measurements = "The measurements";

struct ValidateMeasuredRequest : JobRequest {
  std::vector<std::string> files;
  studies::OnlyRows only;
  const workloads::Harness* harness = nullptr;
  platforms::PlacementRequest placement;
  int jobs = default_jobs();
  DocumentOutput document;
};

void read_files(OptionReader& reader, ValidateMeasuredRequest& request) {
  request.files = reader.values().arguments;
  if (request.files.empty())
    reader.wrong("", "no measurements", "CSV files of measured collectives: `man sim`, FILES");
  reader.read_placement(request.placement);
}

using MeasuredOptions = options::OptionTable<ValidateMeasuredRequest>;

const MeasuredOptions validate_measured_options =
    MeasuredOptions{
        {{measurements, "--only", "COLUMN=TEXT",
          "rows that have this text there: collective=bcast; of several all must hold", true},
         options::made(only_rows, &ValidateMeasuredRequest::only)},
        {measurements, "--benchmark", "NAME",
         "simulates collectives as this benchmark measures them: osu, imb, pico, reprompi; "
         "default: bare calls"
         "\nAs of `sim run`; by default each row is simulated as a bare call.",
         options::takes("osu imb pico reprompi"),
         options::made(harness_of, &ValidateMeasuredRequest::harness)}} +
    machine_options() +
    MeasuredOptions{
        {job_option::machine, "--map", "HOW", "block (default), round-robin, file:PATH",
         options::takes(job_option::map_words)},
        {job_option::machine, "--force", "", "simulate although the memory seems too small",
         options::flag(&ValidateMeasuredRequest::force)},
        {jobs_option, options::made(jobs_of, &ValidateMeasuredRequest::jobs)}}
        .then(read_files) +
    document_options({.parts = reports::measured_document_parts,
                      .part = job_option::output_row(
                          "--part", "NAME",
                          "one table alone: scores, methods, alike, worst, accuracy, points; csv "
                          "and jsonl have the points otherwise")})
        .of(&ValidateMeasuredRequest::document);

// The machine itself where the job's torus is not known, or it has none.
studies::JobMachines job_machines(const ValidateMeasuredRequest& request,
                                  const platforms::Machine& machine) {
  return studies::JobMachines([&](const std::string& torus) -> Result<platforms::Machine> {
    if (torus.empty() || !machine.topology->kind().ends_with("torus")) return machine;
    auto overrides = request.overrides;
    overrides.emplace_back("torus/dimensions", torus);
    return platforms::load_machine(request.platform, overrides);
  });
}

Result<int> score(const ValidateMeasuredRequest& request, const platforms::Machine& machine,
                  const std::vector<studies::MeasuredCollective>& rows,
                  const Diagnostics& diagnostics) {
  auto machines = job_machines(request, machine);
  auto plan = TUTTI_TRY(studies::plan_scores(rows, machine.name, machines, request.placement));
  if (!request.force)
    if (auto errors = studies::memory_errors(plan.calls, &studies::ScoringPlan::Call::point);
        !errors.empty())
      return errors;
  if (plan.omitted > 0)
    diagnostics.warning(fmt::format("{} left out, of what {} cannot run: {}",
                                    counted(plan.omitted, "row"), machine.name, plan.why));
  reports::MeasuredReport report{
      {}, scored_times(plan, runner(request.jobs, diagnostics)), std::move(plan.others), {}};
  const auto& run = report.run;
  if (report.times.empty()) return run.code;
  begin_report(report, request, machine, run);
  if (request.harness != nullptr) report.benchmark = request.harness->name;
  if (run.not_run > 0)
    report.failed.push_back(fmt::format("INCOMPLETE: {} not run, the check was stopped",
                                        counted(run.not_run, "simulation")));
  TUTTI_TRY(write_document(reports::measured_document(report), request.document));
  return run.code;
}

Result<int> run_validate_measured(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request =
      TUTTI_TRY(request_of(parsed, validate_measured_options, "validate measured", Words::files));
  const auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  const auto rows =
      TUTTI_TRY(FitData(request.only, diagnostics, request.harness)
                    .collectives(request.files, studies::UnknownAlgorithms::are_kept));
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  return score(request, machine, rows, diagnostics);
}

}  // namespace

const Subcommand validate_measured{
    .usage = "measured FILE...",
    .summary = "the scoreboard: simulated against measured times",
    .help =
        "Simulates each measured collective and reports how far off the machine's predictions are, "
        "whether they order the algorithms rightly, and how much is lost by choosing by them; "
        "beside them, what formulas and a simulation without contention predict. FILE is a CSV "
        "file with the columns collective, algorithm, procs (or nprocs), ppn, message_bytes (or "
        "buffer_bytes, the whole vector) and time_s (or t_median_s), as HLC-Lab/pico writes it; "
        "algorithms that Tutti does not have are left out and counted.",
    .specs = validate_measured_options,
    .run = run_validate_measured};

}  // namespace tutti::commands
