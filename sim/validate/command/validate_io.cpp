// SPDX-License-Identifier: BSD-3-Clause
// sim validate io: compares the analytic model of collective I/O with the tables of Jha's
// dissertation and, with --cases, with simulations.

#include "io_models/two_phase_model.hpp"
#include "sim/base/common.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/validate/command/validate.hpp"
#include "sim/validate/report/reports.hpp"

namespace tutti::commands {
namespace {

// sim validate io --cases: checks whether the model of collective I/O follows the trends of the
// simulation.

constexpr std::string_view cases_group = "With --cases";

struct CasesRequest : JobRequest, studies::IoCasesSpec {
  CasesRequest() { platform = "crill"; }

  DocumentOutput document;
  double least_change = 0.01;
  bool fails = false;
  std::optional<double> least_rate;  // unset: the paper's
  int jobs = default_jobs();
};

void read_decompositions(OptionReader& read, std::string_view option, CasesRequest& request) {
  const auto& requested = read.values().value(option);
  if (requested.find("tiles") != requested.npos || requested.find("file:") != requested.npos)
    return read.wrong(option, "the model has formulas for 1d and 2d only");
  request.sweep.accesses.decompositions = read.names_of(option, "", {"1d", "2d", "tiles"});
}

void read_partitionings(OptionReader& read, std::string_view option, CasesRequest& request) {
  request.sweep.partitionings.clear();
  for (const auto& each : read.names_of(option, "", io_models::partitioning_names))
    request.sweep.partitionings.push_back(*io_models::parse_partitioning(each));
}

void read_aggregators(OptionReader& read, std::string_view option, CasesRequest& request) {
  for (const auto& word : words_of(read.values().value(option)))
    if (word == "auto" || word == "per-node")
      return read.wrong(option, "expected numbers", "for example 1:64");
  read.read_axis(option, count_axis, request.aggregators);
}

void read_least_rate(OptionReader& read, std::string_view option, CasesRequest& request) {
  request.fails = true;
  if (read.values().value(option) == "paper") return;
  options::fraction (&CasesRequest::least_rate)(read, option, request);
  if (request.least_rate.value_or(0) > 1)
    read.wrong(option, "must be at most 100%", "for example 90%, or paper");
}

void sort(std::vector<std::int64_t>& values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

void read_points(OptionReader& read, CasesRequest& request) {
  auto& sweep = request.sweep;
  read.read_placement(sweep.common.placement);
  constexpr const char* one_each = "run the command once for each value";
  if (sweep.ppn.size() > 1) read.wrong("--ppn", "expected a single value", one_each);
  if (sweep.buffer_bytes.size() > 1)
    read.wrong("--buffer-size", "expected a single value", one_each);
  sort(sweep.procs);
  sort(sweep.accesses.bytes_per_proc);
  sort(request.aggregators);
  if (sweep.accesses.bytes_per_proc.front() == 0)
    read.wrong("--bytes-per-proc", "must be greater than 0");
  if (!request.aggregators.empty() && request.aggregators.front() > sweep.procs.back())
    read.wrong("--aggregators", "all values exceed the number of processes",
               "an aggregator is one of the processes");
}

constexpr auto of_cases = options::under(&CasesRequest::sweep);
constexpr auto of_case_accesses = options::under(of_cases(&studies::IoSweep::accesses));

using CasesOptions = options::OptionTable<CasesRequest>;
using studies::IoSweep;

// These options require --cases.
const CasesOptions io_cases_options = CasesOptions{
    {cases_group, "-p,--platform", "NAME", "SimGrid XML file or catalog name; default: crill",
     options::text(&CasesRequest::platform)},
    {{cases_group, "--set", "KEY=VALUE", "Override a parameter of the platform", true},
     options::made(options::read_overrides, &CasesRequest::overrides)},
    {taking(job_option::background_words,
            {cases_group, "--background", "TRAFFIC", "Traffic of other jobs, as for `sim run`"}),
     options::made(options::read_overrides, &CasesRequest::overrides)},
    {cases_group, "-n,--procs", "N", "Numbers of processes; default: 36,64,144,225,256,576",
     options::list(count_axis, of_cases(&IoSweep::procs))},
    {cases_group, "--ppn", "N", "Processes per node; default: the platform's, else all cores",
     options::list(count_axis, of_cases(&IoSweep::ppn))},
    {job_option::in_group(cases_group, job_option::map)},
    {job_option::in_group(cases_group, job_option::nodes)},
    {job_option::in_group(cases_group, job_option::allocation)},
    {cases_group, "--oversubscribe", "", "Allow more processes than cores"},
    {cases_group, "--bytes-per-proc", "SIZES",
     "Data per process; default: 14440000,64MiB,256MiB (squares of 3800, 8192, 16384 bytes)",
     options::list(bytes_axis, of_case_accesses(&studies::AccessRequest::bytes_per_proc))},
    {cases_group, "--decomposition", "NAMES", "Decompositions of the data: 1d, 2d; default: both",
     options::takes("1d 2d"), read_decompositions},
    {cases_group, "--partitioning", "NAMES", "File domains: even, static; default: both",
     options::takes("even static"), read_partitionings},
    {cases_group, "--aggregators", "N",
     "Numbers of aggregators; those above the number of processes are skipped; default: 1, 2, 4, "
     "...",
     read_aggregators},
    {cases_group, "--buffer-size", "SIZE",
     "Collective buffer; default: 32MiB for even, 1MiB for static domains",
     options::list(some_bytes_axis, of_cases(&IoSweep::buffer_bytes))},
    {cases_group, "--least-change", "PERCENT", "Ignore changes smaller than this; default: 1%",
     options::fraction(&CasesRequest::least_change)},
    {cases_group, "--fail-below", "PERCENT",
     "Exit with 1 if a smaller fraction of the pairs of a row matches; paper: the paper's fraction",
     options::takes("paper"), read_least_rate},
    {jobs_option,
     options::made(jobs_of,
                   &CasesRequest::jobs)}}.then(read_points);

const CasesOptions validate_io_options =
    (CasesOptions{{option_group, "--table", "NUMBER", "Table of the dissertation: 5.1 (default)",
                   options::takes("5.1")},
                  {option_group, "--cases", "",
                   "Simulate 576 points (about a minute on two cores) and compare the changes of "
                   "model and simulation between neighbors, as in Tables 5.3 to 5.5"}} +
     io_cases_options +
     CasesOptions{{document_format},
                  {taking(reports::io_case_parts, part_option)},
                  {job_option::output_file},
                  {job_option::provenance},
                  {job_option::color},
                  {job_option::quiet},
                  {job_option::help}})
        .then([](OptionReader& read, CasesRequest& request) {
          read_document(read, {reports::io_case_parts}, request.document);
        });

Result<int> validate_io_cases(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request = TUTTI_TRY(request_of(parsed, validate_io_options, "validate io"));
  auto machine = TUTTI_TRY(studies::load_machine(request));
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  const auto points =
      studies::io_cases(request, {.platform = request.platform,
                                  .overrides = {},
                                  .command = request.command,
                                  .machine = std::make_shared<const platforms::Machine>(machine)});
  if (!points) return parsed.placed(points.errors());
  const auto done = run_check(*points, request.jobs, diagnostics);
  if (done.not_run > 0) return done.code;
  reports::IoCases cases{.records = {},
                         .rates = studies::shuffle_rates(machine),
                         .least_change = request.least_change};
  for (const auto& answer : done.answers)
    if (answer) cases.records.push_back(*answer);
  if (cases.records.empty()) return done.code;
  reports::Document document = reports::io_case_document(cases);
  begin_report(document, request, machine, done);
  TUTTI_TRY(write_document(document, request.document));
  if (done.code != exit_done || !request.fails) return done.code;
  const auto low = reports::low_rates(cases, request.least_rate);
  if (low.empty()) return exit_done;
  return make_error(ErrorKind::check, "", fmt::format("{}", fmt::join(low, "; ")));
}

std::optional<Error> idle_option(const OptionValues& parsed) {
  for (const auto& spec : io_cases_options.specs())
    if (parsed.has(spec.name()))
      return usage_error(parsed.typed(spec.name()), "requires --cases",
                         "add --cases or remove the option");
  return std::nullopt;
}

Result<int> validate_parameters(const OptionValues& parsed) {
  if (const auto error = idle_option(parsed)) return *error;
  if (auto error = unexpected_argument(parsed, "select the table with --table")) return *error;
  const auto output = TUTTI_TRY(document_output(parsed, reports::io_parameter_parts()));
  const auto table = TUTTI_TRY(choice_of(parsed, "--table", {"5.1"}));
  const auto values = io_models::compare_with_model(io_models::table_5_1());
  auto document = reports::io_parameter_document(values);
  document.provenance = reports::plain_provenance("sim validate io" +
                                                  reproducing_options(validate_io_options, parsed));
  TUTTI_TRY(write_document(document, output));
  const auto differ = std::ranges::count_if(values, [](const auto& value) { return !value.equal; });
  if (differ == 0) return exit_done;
  return make_error(ErrorKind::check, "",
                    fmt::format("{} of {} values differ from Table 5.1", differ, values.size()));
}

Result<int> run_validate_io(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (!parsed.has("--cases")) return validate_parameters(parsed);
  if (parsed.has("--table"))
    return usage_error(parsed.typed("--table"), "cannot be combined with --cases",
                       "remove one of the two");
  return validate_io_cases(parsed, diagnostics);
}

}  // namespace

const Subcommand validate_io{
    .usage = "io",
    .summary = "check the analytic model of collective I/O",
    .help =
        "Computes the parameters of the analytic model of the shuffle phase of two-phase I/O "
        "(n_as, n_s, n_ar, n_r, m_s) and compares them with the 60 values of Table 5.1 of Jha's "
        "dissertation. With --cases, checks whether the model follows the trends of the simulation "
        "(engine flow) when the data per process, the number of aggregators or the number of "
        "processes changes, and compares the result with Tables 5.3 to 5.5, which compare the "
        "model with measurements.",
    .specs = validate_io_options,
    .run = run_validate_io};

}  // namespace tutti::commands
