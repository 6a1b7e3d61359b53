// SPDX-License-Identifier: BSD-3-Clause
// sim validate measured: the scoreboard of a machine, against measured times of collectives.

#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fit/command/fit_data.hpp"
#include "sim/fit/message_rows.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/run_point.hpp"
#include "sim/validate/command/validate.hpp"
#include "sim/validate/report/measured.hpp"

namespace tutti::commands {
namespace {

using studies::MeasuredCollective;
using studies::Point;
using studies::TimePredictions;

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

// A simulation, and the rows that it predicts: several runs may have measured one thing.
struct Simulation {
  Point point;
  const platforms::Machine* machine = nullptr;
  std::vector<std::size_t> rows;
};

// Those that cannot be made on the machine are counted, with the first reason.
struct Simulations {
  std::vector<Simulation> all;
  std::size_t left_out = 0;
  std::vector<Error> why = {};
};

Result<Simulation> possible_simulation(const MeasuredCollective& measured,
                                       const ValidateMeasuredRequest& request,
                                       studies::JobMachines& machines) {
  const auto machine = TUTTI_TRY(machines.of(measured.torus));
  auto point = TUTTI_TRY(studies::point_of(measured, *machine, request.placement));
  if (auto placement = platforms::place(*machine, point.placement); !placement)
    return placement.errors();
  return Simulation{.point = std::move(point), .machine = machine, .rows = {}};
}

Simulations simulations_of(const std::vector<MeasuredCollective>& rows,
                           const ValidateMeasuredRequest& request, studies::JobMachines& machines) {
  Simulations found;
  std::map<studies::CallKey, std::optional<std::size_t>> known;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto [at, is_new] = known.try_emplace(call_key(rows[row]));
    if (is_new) {
      auto simulation = possible_simulation(rows[row], request, machines);
      if (simulation) {
        at->second = found.all.size();
        found.all.push_back(*std::move(simulation));
      } else if (found.why.empty()) {
        found.why = simulation.errors();
      }
    }
    if (at->second)
      found.all[*at->second].rows.push_back(row);
    else
      ++found.left_out;
  }
  return found;
}

Result<Row> predict(Point point, const platforms::Machine& machine) {
  const auto* harness = point.benchmark.harness;
  const auto answer = TUTTI_TRY(studies::run_point(point, machine));
  Row row{{"time_s", studies::printed_time(answer.record, harness)}};
  if (answer.record.model_hockney_s) row.push_back({"hockney_s", *answer.record.model_hockney_s});
  if (answer.record.model_loggp_s) row.push_back({"loggp_s", *answer.record.model_loggp_s});
  point.contention = engines::Contention::off;
  const auto uncontended = TUTTI_TRY(studies::run_point(point, machine));
  row.push_back({"uncontended_s", studies::printed_time(uncontended.record, harness)});
  return row;
}

TimePredictions predictions_in(const Row& answer) {
  return {.simulated_s = studies::time_in(answer),
          .uncontended_s = number_of(cell_in(answer, "uncontended_s")),
          .hockney_s = number_of(cell_in(answer, "hockney_s")),
          .loggp_s = number_of(cell_in(answer, "loggp_s"))};
}

std::vector<studies::StudyPoint> study_points(const Simulations& simulations) {
  std::vector<studies::StudyPoint> points;
  for (const auto& each : simulations.all) {
    points.push_back(
        studies::simulation_of(each.point, [&each] { return predict(each.point, *each.machine); }));
    points.back().name =
        fmt::format("{} {}, {}, {}", each.point.call.algorithm->collective,
                    each.point.call.algorithm->name, counted(each.point.placement.procs, "process"),
                    format_bytes(each.point.call.args.message_bytes));
  }
  return points;
}

Result<int> score(const ValidateMeasuredRequest& request, const platforms::Machine& machine,
                  std::vector<MeasuredCollective> rows, const Diagnostics& diagnostics) {
  const auto unknown = std::stable_partition(
      rows.begin(), rows.end(), [](const auto& row) { return !row.algorithm.empty(); });
  reports::MeasuredReport report;
  report.others.assign(unknown, rows.end());
  rows.erase(unknown, rows.end());
  if (rows.empty())
    return make_error(ErrorKind::input, "", "no row has an algorithm of Tutti",
                      "`sim list algorithms` names them all");
  auto machines = job_machines(request, machine);
  const Simulations simulations = simulations_of(rows, request, machines);
  if (simulations.all.empty())
    return make_error(
        ErrorKind::input, "",
        fmt::format("no row can run on {}: {}", machine.name, simulations.why.front().message),
        "a machine with as many nodes and cores, or --only");
  if (!request.force)
    if (auto errors = studies::memory_errors(simulations.all, &Simulation::point); !errors.empty())
      return errors;
  if (simulations.left_out > 0)
    diagnostics.warning(fmt::format("{} left out, of what {} cannot run: {}",
                                    counted(simulations.left_out, "row"), machine.name,
                                    simulations.why.front().message));
  const auto run = run_check(study_points(simulations), request.jobs, diagnostics);
  begin_report(report, request, machine, run);
  if (request.harness != nullptr) report.benchmark = request.harness->name;
  for (std::size_t i = 0; i < simulations.all.size(); ++i) {
    if (!run.answers[i]) continue;
    for (const std::size_t row : simulations.all[i].rows) {
      report.times.push_back({rows[row], predictions_in(*run.answers[i])});
      // What "auto" means here: a pair with itself is none.
      report.times.back().measured.algorithm = simulations.all[i].point.call.algorithm->name;
    }
  }
  if (run.not_run > 0)
    report.failed.push_back(fmt::format("INCOMPLETE: {} not run, the check was stopped",
                                        counted(run.not_run, "simulation")));
  if (report.times.empty()) return run.code;
  const int written =
      TUTTI_TRY(write_document(reports::measured_document(report), request.document));
  return written != exit_done ? written : run.code;
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
