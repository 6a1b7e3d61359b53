// SPDX-License-Identifier: BSD-3-Clause
// sim place COLLECTIVES: compares placements of the ranks, and searches for a better one.
#include "platforms/placing/host_file.hpp"
#include "platforms/placing/rank_file.hpp"
#include "platforms/reader.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/explain/command/compared_calls.hpp"
#include "sim/jobs/accelerators.hpp"
#include "sim/place/command/place.help.hpp"
#include "sim/place/report/reports.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/studies/workloads/collective_options.hpp"
#include "sim/studies/workloads/workload.hpp"

namespace tutti::commands {
namespace {

struct PlaceOptions : studies::place::PlaceSpec {
  int jobs = default_jobs();
};

constexpr options::OptionGroup search_group{"The placements", texts::place.all};
constexpr const char* default_place_sizes = "8,8KiB,1MiB";
constexpr std::string_view placement_formats[] = {"rankfile", "hostfile", "map"};
constexpr OptionSpec place_format =
    taking("text rankfile hostfile map csv json jsonl md",
           job_option::output_row("--format", "FORMAT", texts::place["--format"]));
constexpr options::AxisKind budget_axis{parse_integer, 0, 1'000'000};
constexpr options::AxisKind seed_axis{parse_integer, 0, INT64_MAX};

const options::OptionTable<PlaceOptions>& place_options() {
  static const options::OptionTable<PlaceOptions> table{
      {search_group("--budget", "COUNT"), options::number(budget_axis, &PlaceOptions::budget)},
      {search_group("--random", "COUNT"), options::number(budget_axis, &PlaceOptions::randoms)},
      {search_group("--seed", "NUMBER"), options::number(seed_axis, &PlaceOptions::seed)},
      {jobs_option, options::value_from(read_jobs, &PlaceOptions::jobs)},
      {taking(reports::place_document_parts, part_option)},
      {place_format},
      {written(job_option::output_row("-o,--output", "FILE", texts::place["--output"]))},
      {job_option::color},
      {job_option::quiet},
      {job_option::help}};
  return table;
}

std::span<const OptionSpec> place_specs() {
  static const auto all = [] {
    auto calls = options_of_compared_calls();
    std::erase_if(calls, [](const OptionSpec& spec) {
      return spec.name() == "--message-buffer" || spec.name() == "--int-buffer";  // of profiles
    });
    const auto position = std::ranges::find(calls, "--message-size", &OptionSpec::name);
    position->help = "Message sizes; default: 8,8KiB,1MiB";
    calls.insert(position + 1,
                 {job_option::output, "--algorithm", "NAME",
                  "Algorithm of each collective: auto (default) and its rules, as in `sim run`"});
    (position + 1)->group = position->group;
    return joined_specs({calls, place_options().specs()});
  }();
  return all;
}

// The calls of one collective.
Result<studies::CollectiveRequest> read_calls(OptionValues values, std::string_view collective) {
  values.arguments = {std::string(collective)};
  const auto* known = algorithms::find_collective(collective);
  if (known != nullptr && known->has_message && !values.has("--message-size"))
    values.set("--message-size", {default_place_sizes});
  OptionReader reader(values);
  studies::CollectiveRequest request;
  read_collective(reader, studies::other_workload_names(false), request);
  const auto& sweep = request.sweep;
  for (const auto& [option, count] :
       {std::pair("--procs", sweep.procs.size()), {"--ppn", sweep.ppn.size()}})
    if (count > 1) reader.wrong(option, "takes one value", "run `sim place` once for each job");
  if (sweep.algorithms.size() > 1 || std::ranges::any_of(sweep.algorithms, [](const auto& name) {
        return workloads::is_all(name) || workloads::is_best(name);
      }))
    reader.wrong("--algorithm", "takes one algorithm", "`sim run` compares algorithms");
  if (sweep.common.engine == engines::EngineKind::ideal)
    reader.wrong("--engine", "needs times, but engine ideal is untimed", "use --engine flow");
  if (!reader.errors().empty()) return reader.errors().errors();
  return request;
}

std::string placement_text(const studies::place::Placed& best, const platforms::Machine& machine,
                           const std::string& format) {
  if (format == "hostfile") return host_file_text(best.placement, machine);
  if (format == "map") return map_file_text(best.placement, machine);
  return rank_file_text(best.placement, machine);
}

// Files that do not name cores, or fill nodes in order, cannot express every placement.
std::optional<Error> inexpressible(const platforms::Placement& placement, const std::string& text,
                                   const std::string& format, const platforms::Machine& machine) {
  using platforms::MapPolicy;
  platforms::PlacementRequest request{.procs = static_cast<int>(placement.host_of.size()),
                                      .policy = format == "hostfile" ? MapPolicy::host_file
                                                : format == "map"    ? MapPolicy::file
                                                                     : MapPolicy::rank_file,
                                      .file = "the placement",
                                      .map_text = std::make_shared<const std::string>(text),
                                      .oversubscribe = true};
  const auto read = platforms::place(machine, request);
  if (read && read->host_of == placement.host_of) return std::nullopt;
  return usage_error("--format",
                     fmt::format("a {} cannot express the fastest placement, whose ranks do not "
                                 "fill one node after the other",
                                 format),
                     "use --format rankfile");
}

// The format of the placement that is written; empty: the report is.
std::string read_placement_format(const OptionValues& values) {
  if (values.has("--format")) {
    const auto& word = values.value("--format");
    return std::ranges::count(placement_formats, word) > 0 ? word : std::string();
  }
  if (!values.has("--output")) return {};
  const auto& path = values.value("--output");
  const bool is_report = path == "-" || names_device(path) || reports::format_of_file(path);
  return is_report ? std::string() : std::string(placement_formats[0]);
}

Result<int> write_placement(const reports::PlaceReport& report, const platforms::Machine& machine,
                            const std::string& format, const OptionValues& values) {
  if (report.usual_calls.empty() && report.run.is_stopped) return report.run.code;
  if (report.usual_calls.empty())
    return make_error(ErrorKind::run, "",
                      fmt::format("no placement was written: the times of {} are missing, with "
                                  "which the others are compared",
                                  report.usual));
  const auto& best = report.all.front();
  const auto text = placement_text(best, machine, format);
  if (const auto error = inexpressible(best.placement, text, format, machine)) return *error;
  TUTTI_TRY(write_result(values, text));
  return report.run.code;
}

Result<int> run_place(const OptionValues& values, const Diagnostics& diagnostics) {
  OptionReader reader(values);
  PlaceOptions spec;
  place_options().read(reader, spec);
  if (values.arguments.size() != 1)
    reader.wrong("", "expected a list of collectives", "for example: sim place allreduce,alltoall");
  if (!reader.errors().empty()) return reader.errors().errors();
  const auto format = read_placement_format(values);
  DocumentOutput document;
  if (format.empty())
    document = TUTTI_TRY(document_output(values, reports::place_document_parts(), place_format));
  reports::PlaceReport report;
  JobRequest job;
  for (const auto collective : split(values.arguments.front(), ',')) {
    auto request = TUTTI_TRY(read_calls(values, collective));
    static_cast<options::MachineRequest&>(job) = request;
    report.collectives.push_back(request.sweep.collective);
    spec.sweeps.push_back(std::move(request.sweep));
  }
  const auto& first = spec.sweeps.front();
  spec.usual = first.common.placement;
  spec.usual.procs = static_cast<int>(first.procs.front());
  if (!first.ppn.empty()) spec.usual.ppn = static_cast<int>(first.ppn.front());
  const auto machine = TUTTI_TRY(studies::load_machine(job));
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  if (const auto warning = jobs::device_buffer_warning(machine, spec.sweeps[0].message_bytes))
    diagnostics.warning(*warning);
  static_cast<studies::place::Placements&>(report) =
      TUTTI_TRY(studies::place::compare_placements(spec, machine, runner(spec.jobs, diagnostics)));
  job.command = fmt::format("sim place {}{}", shell_quoted(values.arguments.front()),
                            reproducing_options(place_specs(), values));
  begin_report(report, job, machine, report.run);
  // A placement on standard output is not mixed with the report.
  if (format.empty() || output_path(values))
    TUTTI_TRY(write_document(place_document(report), document));
  return format.empty() ? report.run.code : write_placement(report, machine, format, values);
}

const Subcommand place_alone{.usage = "place COLLECTIVES",
                             .help = texts::place["place"],
                             .specs = place_specs,
                             .run = run_place,
                             .operands = Operands::names,
                             .words = studies::collective_names};

}  // namespace

extern const Command place_command{
    .name = "place",
    .summary = "compare placements of the ranks, and search for a better one",
    .alone = &place_alone};

}  // namespace tutti::commands
