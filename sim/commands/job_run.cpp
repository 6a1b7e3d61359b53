// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/job_run.hpp"

#include "sim/commands/job_run.help.hpp"
#include "sim/commands/progress.hpp"
#include "sim/options/option_values.hpp"
#include "sim/reports/trace_json.hpp"
#include "sim/studies/background_jobs.hpp"

namespace tutti::commands {
namespace {

using options::OptionReader;

constexpr runtime::RankId first_traced = 64;  // number of ranks traced by default

constexpr OptionSpec file_row(std::string_view name, std::string_view help,
                              options::OptionNeeds needs = {.simulation = true, .one_call = true}) {
  return needing(needs, written(job_option::output_row(name, "FILE", help)));
}

// "-" is standard output, the default.
void read_report_file(OptionReader& read, std::string_view option, RunOutput& output) {
  if (read.values().value(option) != "-") options::file (&RunOutput::path)(read, option, output);
}

void read_trace_ranks(OptionReader& read, std::string_view option, RunOutput& output) {
  auto ranks = options::parse_ranks(read.values().value(option));
  if (!ranks) return read.wrong(option, ranks.error().message, ranks.error().hint);
  output.traced = *std::move(ranks);
}

void check_trace(OptionReader& read, const std::vector<std::int64_t>& procs,
                 const RunOutput& output) {
  if (!read.values().has("--trace-ranks")) return;
  if (!output.trace)
    read.wrong("--trace-ranks", "has no effect without --trace", "add --trace FILE");
  // More than one number of processes is rejected later.
  if (output.traced.empty() || procs.empty() || output.traced.back().last < procs.front()) return;
  read.wrong("--trace-ranks",
             fmt::format("rank {} is out of range: the job has {} processes",
                         output.traced.back().last, procs.front()),
             fmt::format("the last rank is {}", procs.front() - 1));
}

void read_format(OptionReader& read, const options::OptionTable<RunOutput>& table,
                 RunOutput& output) {
  const auto row = std::ranges::find(table.specs(), "--format", &OptionSpec::name);
  const auto word = chosen_format(read.values(), *row);
  if (!word) return read.add(word.errors());
  output.format = reports::format_of(*word).value_or(reports::Format::text);
}

// A file whose name has a comma is one platform.
std::vector<std::string> split_platforms(const options::MachineRequest& request) {
  if (exists(request.platform)) return {request.platform};
  return split_words(request.platform, ',');
}

}  // namespace

namespace run_output {

using options::flag;
using options::Option;

const Option<RunOutput> output_file{job_option::output_file, read_report_file};
const Option<RunOutput> traffic{
    file_row("--traffic", "Write a CSV of the messages and bytes between each pair of ranks"),
    options::file(&RunOutput::traffic)};
const Option<RunOutput> ranks{file_row("--ranks", texts::job_run["--ranks"]),
                              options::file(&RunOutput::ranks)};
const Option<RunOutput> links{
    file_row("--links", "Write a CSV of the load of each link: bytes, utilization, peak flows",
             {.simulation = true, .times = true, .one_call = true}),
    options::file(&RunOutput::links)};
const Option<RunOutput> histogram{file_row("--histogram", texts::job_run["--histogram"]),
                                  options::file(&RunOutput::histogram)};
const Option<RunOutput> aggregator_times{
    file_row("--aggregator-times",
             "Write a CSV of the time each aggregator spends waiting for messages and on I/O",
             {.simulation = true, .times = true}),
    options::file(&RunOutput::aggregator_times)};
const Option<RunOutput> trace{job_option::trace, options::file(&RunOutput::trace)};
const Option<RunOutput> trace_ranks{job_option::trace_ranks, read_trace_ranks};
const Option<RunOutput> critical_path{job_option::critical_path, flag(&RunOutput::critical_path)};
const Option<RunOutput> goal{file_row("--goal", texts::job_run["--goal"]),
                             options::file(&RunOutput::goal)};
const Option<RunOutput> provenance{
    job_option::provenance,
    options::enum_choice<reports::CsvProvenance>(reports::csv_provenances, &RunOutput::provenance)};
const Option<RunOutput> spreadsheet{spreadsheet_option, flag(&RunOutput::for_spreadsheets)};
const Option<RunOutput> no_cost{job_option::no_cost, flag(&RunOutput::with_cost, false)};
const Option<RunOutput> verbose{
    {job_option::output, "-v,--verbose", "", texts::job_run["--verbose"], true, false},
    flag(&RunOutput::verbose)};
const Option<RunOutput> jobs{jobs_option, options::value_from(read_jobs, &RunOutput::jobs)};

}  // namespace run_output

jobs::InsideRequest RunOutput::inside() const {
  jobs::InsideRequest inside{
      .links = links.has_value(), .histogram = histogram.has_value(), .path = critical_path};
  if (trace) inside.trace = {{0, first_traced - 1}};
  if (!traced.empty()) inside.trace = traced;
  return inside;
}

void read_run_output(OptionReader& reader, const options::OptionTable<RunOutput>& table,
                     const std::vector<std::int64_t>& procs, RunOutput& output) {
  table.read(reader, output);
  reader.model_only(table);
  reader.reject_untimed(table);
  check_trace(reader, procs, output);
  read_format(reader, table, output);
  const auto format = output.format;
  if (output.critical_path && format != reports::Format::text && format != reports::Format::json &&
      format != reports::Format::jsonl)
    reader.wrong("--critical-path", "does not apply to this format",
                 "use --format text, json or jsonl");
}

const char* single_point_option(const RunOutput& output) {
  if (output.ranks) return "--ranks";
  if (output.trace) return "--trace";
  if (output.goal) return "--goal";
  return output.critical_path ? "--critical-path" : nullptr;
}

std::vector<Error> single_point_only(const char* option, std::size_t points) {
  return {usage_error(option, fmt::format("applies to a single point, but there are {}", points),
                      "give each option one value, not a list")};
}

std::optional<Error> write_trace(const RunOutput& output, const reports::ReportHead& head,
                                 const TracedPoint& point, const Diagnostics& diagnostics) {
  constexpr auto most = engines::RankTrace::most_events;
  const auto procs = point.job.procs();
  auto ranks = options::below(point.requested, procs);
  if (output.traced.empty() && ranks.back().last + 1 < procs)
    diagnostics.note(fmt::format("the trace shows ranks {} of {}; --trace-ranks selects others",
                                 reports::ranges_text(ranks), procs));
  if (point.job.inside.trace_is_cut)
    diagnostics.warning(
        fmt::format("the trace is truncated: it contains at most {} slices and {} "
                    "messages; trace fewer ranks (--trace-ranks)",
                    most, most));
  if (point.job.first_target)
    ranks.push_back({procs, static_cast<runtime::RankId>(point.job.host_of.size()) - 1});
  return write_file(*output.trace, reports::trace_json(head, point.job, ranks, point.machine));
}

Result<Machines> load_machines(const options::MachineRequest& request) {
  Machines machines;
  for (const auto& name : split_platforms(request)) {
    machines.push_back(TUTTI_TRY(studies::load_machine({name, request.overrides})));
    const auto& machine = machines.back();
    if (std::ranges::count(machines, machine.content_hash, &platforms::Machine::content_hash) > 1)
      return usage_error("--platform", fmt::format("{} is given twice", in_quotes(name)),
                         "omit one of them");
  }
  return machines;
}

reports::ReportHead make_head(const options::MachineRequest& request, const RunOutput& output,
                              const Machines& machines, const std::string& command) {
  reports::ReportHead head;
  head.provenance = reports::plain_provenance(command);
  head.provenance.overrides = request.overrides;
  const auto names = split_platforms(request);
  for (std::size_t i = 0; i < machines.size(); ++i)
    head.provenance.platforms.push_back(reports::platform_source(machines[i], names[i]));
  head.with_cost = output.with_cost;
  return head;
}

std::vector<Error> single_platform_only(const RunOutput& output, const Machines& machines) {
  std::vector<Error> errors;
  if (machines.size() < 2) return errors;
  const auto reject = [&](bool is_given, const std::string& option) {
    if (is_given)
      errors.push_back(
          usage_error(option, "has no column for --platform", "run each platform separately"));
  };
  reject(output.traffic.has_value(), "--traffic");
  reject(output.links.has_value(), "--links");
  reject(output.histogram.has_value(), "--histogram");
  reject(output.aggregator_times.has_value(), "--aggregator-times");
  reject(reports::is_of_benchmark(output.format), "--format " + reports::name_of(output.format));
  return errors;
}

}  // namespace tutti::commands
