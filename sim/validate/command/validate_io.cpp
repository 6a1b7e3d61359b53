// SPDX-License-Identifier: BSD-3-Clause
// sim validate io: the analytic model of collective I/O beside the dissertation's tables, and, with
// --cases, beside the simulation.

#include "io_models/two_phase_model.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/studies/point.hpp"
#include "sim/studies/study_point.hpp"
#include "sim/studies/workloads/io_options.hpp"
#include "sim/validate/command/validate.hpp"
#include "sim/validate/report/io_cases.hpp"

namespace tutti::commands {
namespace {

// sim validate io --cases: does the model of collective I/O move as the simulation does?

using io_models::Partitioning;
using studies::AggregatorCount;

constexpr std::string_view cases_group = "With --cases";

constexpr OptionSpec all_io_cases_specs[] = {
    taking(platform_names, {cases_group, "--platform", "NAME",
                            "a SimGrid XML file, or a name of the catalog; default: crill"}),
    {cases_group, "--set", "KEY=VALUE", "overrides a parameter of the platform", true},
    {cases_group, "--procs", "N", "default: 36,64,144,225,256,576"},
    {cases_group, "--ppn", "N", "processes per node; default: the platform's, else all cores"},
    taking(job_option::map_words,
           {cases_group, "--map", "HOW", "block (default), round-robin, or file:PATH"}),
    {cases_group, "--oversubscribe", "", "allow more processes than cores"},
    {cases_group, "--bytes-per-proc", "SIZES",
     "default: 14440000,64MiB,256MiB: squares of 3800, 8192, 16384 bytes"},
    taking("1d 2d", {cases_group, "--decomposition", "NAMES", "1d, 2d; default: both"}),
    taking("even static", {cases_group, "--partitioning", "NAMES", "even, static; default: both"}),
    {cases_group, "--aggregators", "N",
     "those above the number of processes are left out; default: 1, 2, 4, ... up to that"},
    {cases_group, "--buffer-size", "SIZE", "default: 32MiB of even, 1MiB of static domains"},
    {cases_group, "--least-change", "PERCENT", "what is less counts as no change; default: 1%"},
    taking("paper", {cases_group, "--fail-below", "PERCENT",
                     "exit with 1 if fewer of the pairs of some row match; paper: fewer than in "
                     "the paper's row"}),
    jobs_option};

constexpr const char* default_procs = "36,64,144,225,256,576";

constexpr const char* default_bytes = "14440000,64MiB,256MiB";

Bytes default_buffer(Partitioning partitioning) {
  return Bytes{partitioning == Partitioning::even ? 32 : 1} << 20;
}

struct CasesRequest : JobRequest {
  DocumentOutput document;
  studies::IoSweep sweep;  // all but the aggregators and, if they are not given, the buffers
  std::vector<std::int64_t> aggregators;  // empty: 1, 2, 4, ...
  bool has_buffer = false;
  double least_change = 0.01;
  bool fails = false;
  std::optional<double> least_rate;  // unset: the paper's
  int jobs = 1;
};

// Reads them as `sim run write` does.
class CasesReading : OptionReader {
 public:
  explicit CasesReading(const OptionValues& parsed) : OptionReader(parsed) {}

  Result<CasesRequest> read(std::span<const OptionSpec> all) {
    refuse_arguments();
    read_output();
    read_points();
    read_comparison();
    if (!errors_.empty()) return errors_.errors();
    request_.command = "sim validate io" + reproducing_options(all, parsed_);
    return std::move(request_);
  }

 private:
  // Of `sim run write`, with the values that are usual here.
  OptionValues as_run() const {
    OptionValues run = parsed_;
    run.arguments = {"write"};
    for (const char* name : {"--format", "--output"}) run.erase(name);
    run.set("--engine", {"flow"});
    const std::pair<std::string_view, const char*> defaults[] = {
        {"--platform", "crill"},
        {"--procs", default_procs},
        {"--bytes-per-proc", default_bytes},
        {"--decomposition", "1d,2d"},
        {"--partitioning", "even,static"}};
    for (const auto& [name, value] : defaults)
      if (!run.has(name)) run.set(name, {value});
    return run;
  }

  void read_points() {
    const auto asked = parsed_.has("--decomposition") ? parsed_.value("--decomposition") : "";
    if (asked.find("tiles") != asked.npos || asked.find("file:") != asked.npos)
      return wrong("--decomposition", "the model has formulas for 1d and 2d alone");
    const auto values = as_run();
    OptionReader reader(values);
    studies::IoRequest run;
    read_io(reader, run);
    if (!reader.errors().empty()) return add(reader.errors().errors());
    request_.platform = run.platform;
    request_.overrides = run.overrides;
    request_.sweep = std::move(run.sweep);
    auto& sweep = request_.sweep;
    if (sweep.ppn.size() > 1) wrong("--ppn", "takes one value");
    if (sweep.buffer_bytes.size() > 1) wrong("--buffer-size", "takes one value");
    request_.has_buffer = parsed_.has("--buffer-size");
    sort(sweep.procs);
    sort(sweep.bytes_per_proc);
    if (sweep.bytes_per_proc.front() == 0)
      wrong("--bytes-per-proc", "of 0 bytes nothing can be compared");
    if (parsed_.has("--aggregators")) read_aggregators();
  }

  void read_aggregators() {
    for (const auto& count : request_.sweep.aggregators) {
      if (count.kind != AggregatorCount::Kind::given)
        return wrong("--aggregators", "takes numbers here", "for example 1:64");
      request_.aggregators.push_back(count.count);
    }
    sort(request_.aggregators);
    if (request_.aggregators.front() > request_.sweep.procs.back())
      wrong("--aggregators", "all are more than there are processes");
  }

  static void sort(std::vector<std::int64_t>& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }

  void read_comparison() {
    const auto least = part_of(parsed_, "--least-change");
    if (!least)
      add(least.errors());
    else
      request_.least_change = least->value_or(request_.least_change);
    request_.fails = parsed_.has("--fail-below");
    if (request_.fails && parsed_.value("--fail-below") != "paper") {
      const auto rate = part_of(parsed_, "--fail-below");
      if (!rate)
        add(rate.errors());
      else if (**rate > 1)
        wrong("--fail-below", "is more than all of them", "for example 90%, or paper");
      else
        request_.least_rate = *rate;
    }
  }

  void read_output() {
    if (auto document = document_output(parsed_, reports::io_case_parts()))
      request_.document = *std::move(document);
    else
      add(document.errors());
    if (const auto jobs = jobs_of(parsed_))
      request_.jobs = *jobs;
    else
      add(jobs.errors());
  }

  CasesRequest request_;
};

// The counts that some number of processes can have.
std::vector<AggregatorCount> aggregators_of(const CasesRequest& request, std::int64_t procs) {
  std::vector<AggregatorCount> counts;
  const auto add = [&](std::int64_t count) {
    counts.push_back({AggregatorCount::Kind::given, count});
  };
  for (const auto count : request.aggregators)
    if (count <= procs) add(count);
  if (request.aggregators.empty())
    for (std::int64_t count = 1; count <= procs; count *= 2) add(count);
  return counts;
}

Result<std::vector<studies::IoPoint>> points_of(const CasesRequest& request,
                                                const platforms::Machine& machine) {
  std::vector<studies::IoPoint> all;
  for (const auto procs : request.sweep.procs)
    for (const auto partitioning : request.sweep.partitionings) {
      studies::IoSweep sweep = request.sweep;
      sweep.procs = {procs};
      sweep.partitionings = {partitioning};
      sweep.aggregators = aggregators_of(request, procs);
      if (!request.has_buffer) sweep.buffer_bytes = {default_buffer(partitioning)};
      auto points = TUTTI_TRY(studies::io_points_of(sweep, machine));
      if (points.skipped.count > 0) return points.skipped.reasons;
      std::ranges::move(points.all, std::back_inserter(all));
      if (auto error = options::too_many_points({all.size()})) return *std::move(error);
    }
  return all;
}

Result<std::vector<studies::StudyPoint>> to_simulate(const std::vector<studies::IoPoint>& points,
                                                     const studies::PointOrigin& origin) {
  std::vector<studies::StudyPoint> all;
  for (const auto& point : points) {
    auto made = TUTTI_TRY(studies::study_point(
        point, origin,
        fmt::format("{}, {} each", name_of(point), format_bytes(point.access->bytes(0)))));
    all.push_back(std::move(made));
  }
  return all;
}

std::vector<Error> low_rates(const reports::IoCases& cases, const CasesRequest& request) {
  if (!request.fails) return {};
  const auto low = reports::low_rates(cases, request.least_rate);
  if (low.empty()) return {};
  return {make_error(ErrorKind::run, "", fmt::format("{}", fmt::join(low, "; ")))};
}

Result<int> run_io_cases(const CasesRequest& request, const studies::PointOrigin& origin,
                         const std::vector<studies::StudyPoint>& points,
                         const Diagnostics& diagnostics) {
  const auto done = run_check(points, request.jobs, diagnostics);
  if (done.not_run > 0) return done.code;
  reports::IoCases cases{.records = {},
                         .rates = studies::shuffle_rates(*origin.machine),
                         .least_change = request.least_change};
  for (const auto& answer : done.answers)
    if (answer) cases.records.push_back(*answer);
  if (cases.records.empty()) return done.code;
  reports::Document document = reports::io_case_document(cases);
  begin_report(document, request, *origin.machine, done);
  TUTTI_TRY(write_document(document, request.document));
  if (done.code != exit_done) return done.code;
  const auto low = low_rates(cases, request);
  if (!low.empty()) return low;
  return exit_done;
}

// The options that mean something with --cases alone.
std::span<const OptionSpec> io_cases_specs() { return all_io_cases_specs; }

// `all`: the options of the command, for the line that reproduces the run. The exit code.
Result<int> validate_io_cases(const OptionValues& parsed, std::span<const OptionSpec> all,
                              const Diagnostics& diagnostics) {
  const auto request = TUTTI_TRY(CasesReading(parsed).read(all));
  auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  const studies::PointOrigin origin{
      .platform = request.platform,
      .overrides = {},
      .command = request.command,
      .machine = std::make_shared<const platforms::Machine>(std::move(machine))};
  const auto points = points_of(request, *origin.machine);
  if (!points) return parsed.placed(points.errors());
  const auto simulations = to_simulate(*points, origin);
  if (!simulations) return parsed.placed(simulations.errors());
  return run_io_cases(request, origin, *simulations, diagnostics);
}

const std::vector<OptionSpec>& validate_io_specs() {
  static const std::vector<OptionSpec> all = [] {
    std::vector<OptionSpec> rows{
        taking("5.1",
               {option_group, "--table", "NUMBER", "table of the dissertation: 5.1 (default)"}),
        {option_group, "--cases", "",
         "Tables 5.3 to 5.5: simulates points (576, in about a minute on two cores), and compares "
         "how model and simulation change from one to the next"}};
    std::ranges::copy(io_cases_specs(), std::back_inserter(rows));
    rows.insert(rows.end(), {document_format, part_option, job_option::output_file,
                             job_option::color, job_option::quiet, job_option::help});
    return rows;
  }();
  return all;
}

std::optional<Error> idle_option(const OptionValues& parsed) {
  for (const auto& spec : io_cases_specs())
    if (parsed.has(spec.name()))
      return usage_error(parsed.typed(spec.name()), "is for the simulated points",
                         "add --cases, or leave it out");
  return std::nullopt;
}

Result<int> validate_parameters(const OptionValues& parsed) {
  if (const auto error = idle_option(parsed)) return *error;
  if (auto error = unexpected_argument(parsed, "the table is named by --table")) return *error;
  const auto output = TUTTI_TRY(document_output(parsed, reports::io_parameter_parts()));
  const auto table = TUTTI_TRY(choice_of(parsed, "--table", {"5.1"}));
  const auto values = io_models::compare_with_model(io_models::table_5_1());
  auto document = reports::io_parameter_document(values);
  document.provenance = reports::plain_provenance("sim validate io" +
                                                  reproducing_options(validate_io_specs(), parsed));
  const int written = TUTTI_TRY(write_document(document, output));
  const auto differ = std::ranges::count_if(values, [](const auto& value) { return !value.equal; });
  if (written != exit_done || differ == 0) return written;
  return make_error(ErrorKind::run, "",
                    fmt::format("{} of {} values differ from Table 5.1", differ, values.size()));
}

Result<int> run_validate_io(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (!parsed.has("--cases")) return validate_parameters(parsed);
  if (parsed.has("--table"))
    return usage_error(parsed.typed("--table"), "is not for --cases", "leave one of the two out");
  return validate_io_cases(parsed, validate_io_specs(), diagnostics);
}

}  // namespace

const Subcommand validate_io{
    .usage = "io",
    .summary = "the model of collective I/O: tables and tendencies",
    .help =
        "Computes the parameters of the analytic model of the shuffle of two-phase I/O (n_as, n_s, "
        "n_ar, n_r, m_s) and prints them beside the 60 values of Table 5.1 of the dissertation. "
        "With --cases: does the model move as the simulation (engine flow) does, where the data of "
        "a process, the number of aggregators or that of processes change? Beside Tables 5.3 to "
        "5.5, which compare the model with measurements.",
    .specs = validate_io_specs(),
    .run = run_validate_io};

}  // namespace tutti::commands
