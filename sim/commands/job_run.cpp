// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/job_run.hpp"

#include <unistd.h>

#include "sim/commands/progress.hpp"
#include "sim/options/option_values.hpp"
#include "sim/reports/trace_json.hpp"

namespace tutti::commands {
namespace {

using options::OptionReader;

constexpr runtime::RankId first_traced = 64;  // the first so many, unless others are named

constexpr OptionSpec csv_row(std::string_view name, std::string_view help) {
  return written(job_option::output_row(name, "FILE", help));
}

// "-" is standard output, where the report goes anyway.
void read_report_file(OptionReader& read, std::string_view option, RunOutput& output) {
  if (read.values().value(option) != "-") options::file (&RunOutput::output)(read, option, output);
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
    read.wrong("--trace-ranks", "says which ranks --trace shows", "add --trace FILE");
  // More than one number of processes is refused later.
  if (output.traced.empty() || procs.empty() || output.traced.back().last < procs.front()) return;
  read.wrong("--trace-ranks",
             fmt::format("there is no rank {}: the job has {} processes", output.traced.back().last,
                         procs.front()),
             fmt::format("the last one is {}", procs.front() - 1));
}

void read_format(OptionReader& read, RunOutput& output) {
  const auto& values = read.values();
  const auto names = reports::format_names();
  std::optional<reports::Format> format = reports::Format::text;
  if (values.has("--format")) {
    const std::string& name = values.value("--format");
    format = reports::format_of(name);
    if (!format)
      read.wrong("--format", fmt::format("unknown format {}", in_quotes(name)),
                 did_you_mean(name, names, fmt::format("there are: {}", fmt::join(names, ", "))));
  } else if (output.output && !names_device(*output.output)) {
    format = reports::format_of_file(*output.output);
    if (!format)
      read.wrong("--output",
                 fmt::format("no format goes by the extension of {}", in_quotes(*output.output)),
                 "use .txt .csv .json .jsonl .osu .md, or say --format");
  }
  output.format = format.value_or(reports::Format::text);
}

}  // namespace

namespace run_output {

using options::flag;
using options::Option;

const Option<RunOutput> output_file{job_option::output_file, read_report_file};
const Option<RunOutput> traffic{csv_row("--traffic", "CSV of who sends how much to whom"),
                                options::file(&RunOutput::traffic)};
const Option<RunOutput> ranks{
    csv_row("--ranks",
            "CSV of each rank's node and times; for a single point\nWrites a CSV with each rank's "
            "node, begin and end (see `FILES`), for a single point only."),
    options::file(&RunOutput::ranks)};
const Option<RunOutput> links{
    csv_row("--links", "CSV of what each link carries: bytes, utilisation, peak flows"),
    options::file(&RunOutput::links)};
const Option<RunOutput> histogram{
    csv_row("--histogram",
            "CSV of messages by size, path and protocol\nWrites a CSV of the messages by size, "
            "path and protocol: what an algorithm really sends. See `FILES`."),
    options::file(&RunOutput::histogram)};
const Option<RunOutput> aggregator_times{
    csv_row("--aggregator-times",
            "CSV of what each aggregator spends: waiting for messages, at the file"),
    options::file(&RunOutput::aggregator_times)};
const Option<RunOutput> trace{job_option::trace, options::file(&RunOutput::trace)};
const Option<RunOutput> trace_ranks{job_option::trace_ranks, read_trace_ranks};
const Option<RunOutput> critical_path{job_option::critical_path, flag(&RunOutput::critical_path)};
const Option<RunOutput> no_cost{job_option::no_cost, flag(&RunOutput::with_cost, false)};
const Option<RunOutput> verbose{{job_option::output, "-v,--verbose", "",
                                 "tell about every point"
                                 "\nTell about every point: algorithm, sizes, processes, processes "
                                 "per node, root and time; and what the libraries say.",
                                 true, false},
                                flag(&RunOutput::verbose)};
const Option<RunOutput> jobs{jobs_option, options::made(jobs_of, &RunOutput::jobs)};

options::OptionSpec format(std::string_view words, std::string_view formats) {
  return taking(words, job_option::output_row("--format", "FORMAT", formats));
}

}  // namespace run_output

studies::InsideRequest RunOutput::inside() const {
  studies::InsideRequest inside{
      .links = links.has_value(), .histogram = histogram.has_value(), .path = critical_path};
  if (trace) inside.trace = {{0, first_traced - 1}};
  if (!traced.empty()) inside.trace = traced;
  return inside;
}

void read_run_output(OptionReader& reader, const options::OptionTable<RunOutput>& table,
                     const std::vector<std::int64_t>& procs, RunOutput& output) {
  table.read(reader, output);
  check_trace(reader, procs, output);
  read_format(reader, output);
  const auto format = output.format;
  if (output.critical_path && format != reports::Format::text && format != reports::Format::json &&
      format != reports::Format::jsonl)
    reader.wrong("--critical-path", "has no place in this format",
                 "take --format text, json or jsonl");
}

const char* single_point_option(const RunOutput& output) {
  if (output.ranks) return "--ranks";
  if (output.trace) return "--trace";
  return output.critical_path ? "--critical-path" : nullptr;
}

std::vector<Error> single_point_only(const char* option, std::size_t points) {
  return {usage_error(option, fmt::format("is for a single point; these are {}", points),
                      "give one value each, not lists")};
}

std::optional<Error> write_trace(const RunOutput& output, const reports::ReportHead& head,
                                 const TracedPoint& point, const Diagnostics& diagnostics) {
  constexpr auto most = engines::RankTrace::most_events;
  const auto procs = point.job.procs();
  auto ranks = options::below(point.requested, procs);
  if (output.traced.empty() && ranks.back().last + 1 < procs)
    diagnostics.note(fmt::format("the trace shows ranks {} of {}; --trace-ranks takes others",
                                 reports::ranges_text(ranks), procs));
  if (point.job.inside.trace_is_cut)
    diagnostics.warning(
        fmt::format("the trace ends early: it holds at most {} slices and {} "
                    "messages; take fewer ranks (--trace-ranks)",
                    most, most));
  if (point.job.first_target)
    ranks.push_back({procs, static_cast<runtime::RankId>(point.job.host_of.size()) - 1});
  return write_file(*output.trace, reports::trace_json(head, point.job, ranks, point.machine));
}

std::optional<std::size_t> report_width(const RunOutput& output) {
  return output.output ? std::nullopt : terminal_width(STDOUT_FILENO);
}

reports::ReportHead head_of(const options::MachineRequest& request, const RunOutput& output,
                            const platforms::Machine& machine, const std::string& command) {
  reports::ReportHead head;
  head.provenance = reports::provenance_of(machine, request.platform, request.overrides, command);
  head.with_cost = output.with_cost;
  return head;
}

}  // namespace tutti::commands
