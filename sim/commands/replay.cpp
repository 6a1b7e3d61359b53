// SPDX-License-Identifier: BSD-3-Clause
// sim replay: what if the program of a trace were changed?
#include "sim/commands/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/quote.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/replay_request.hpp"
#include "sim/commands/replay_timeline.hpp"
#include "sim/commands/result_argument.hpp"
#include "sim/reports/replay_report.hpp"
#include "sim/reports/wrap.hpp"
#include "sim/studies/replay/replacement.hpp"
#include "sim/studies/replay/time_spool.hpp"
#include "workloads/traces/otf2_new.hpp"

namespace tutti::commands {
namespace {

namespace replay = studies::replay;
namespace traces = workloads::traces;

namespace option = replay_option;

constexpr auto specs = joined(
    trace_option::of_reading, option::of_change, option::of_model,
    std::array{
        option::causes,
        job_option::output_row("-o,--output", "DIR", "writes the new trace there: an empty folder"),
        trace_option::ti},
    option::of_timeline, option::of_report);

struct Request : ReplayRequest {
  std::optional<std::string> to;     // the new trace's folder
  std::optional<std::string> ti_to;  // of it as a time independent one
  TimelineRequest timeline;
};

class Reading : private ReplayReading {
 public:
  explicit Reading(const Parsed& parsed) : ReplayReading(parsed, request_) {}

  Result<Request> read() {
    read_traces(1, "`sim replay traces.otf2`; `sim replay --help` names the subcommands");
    read_change();
    request_.args.causes = parsed_.has("--causes") || value_of("--part", "") == "causes";
    read_model();
    request_.to = read_folder("--output");
    request_.ti_to = read_folder("--ti");
    if (request_.to)
      refuse_without_times("--output", "a time independent trace is not written as OTF2",
                           "--ti DIR writes one");
    read_report(reports::replay_document_parts());
    read_timeline();
    if (!errors_.empty()) return errors_.errors();
    set_command("sim replay", specs);
    return std::move(request_);
  }

 private:
  // Before a long run.
  std::optional<std::string> read_folder(const char* option) {
    if (!parsed_.has(option)) return std::nullopt;
    const std::string& folder = parsed_.value(option);
    std::error_code failed;
    if (std::filesystem::exists(folder, failed) &&
        (!std::filesystem::is_empty(folder, failed) || failed))
      wrong(option, fmt::format("{} is no empty folder", in_quotes(folder)),
            "the new trace gets a folder of its own");
    return folder;
  }

  void read_timeline() {
    file_of("--plot");
    auto timeline = timeline_request(parsed_, request_.outputs.has_page());
    if (timeline)
      request_.timeline = *std::move(timeline);
    else
      add(timeline.errors());
  }

  using JobReading::add;

  Request request_;
};

// The replay, and the new trace where one is wanted.
Result<replay::ReplayResult> replayed(const Request& request, const ReadTrace& read,
                                      const ReplayModel& model) {
  const traces::Trace& trace = read.trace;
  if (!request.to && !request.ti_to) return model.run(trace, request.args);
  replay::TimeSpool times(trace.definitions.ranks.size(), trace.first);
  auto result = model.run(trace, request.args, &times);
  if (!result) return result;
  if (request.to)
    if (auto error = write_trace(request.traces.front(), read, *request.to, times))
      return *std::move(error);
  if (!request.ti_to) return result;
  times.rewind();
  const auto notes = write_ti(request.traces.front(), read, *request.ti_to, times);
  if (!notes) return notes.errors();
  result->notes.insert(result->notes.end(), notes->begin(), notes->end());
  return result;
}

// The trace with other calls; what was before is that of the trace as it is.
Result<replay::ReplayResult> replayed(const Request& request, const traces::Trace& original,
                                      const replay::Replaced& replaced, const ReplayModel& model) {
  const auto as_it_is = replay::replay(original, {});
  auto args = request.args;
  args.costs = as_it_is.costs;
  replay::TimeSpool times(original.definitions.ranks.size(), original.first);
  auto result = model.run(replaced.trace, args, request.to ? &times : nullptr);
  if (!result) return result;
  auto& notes = result->notes;
  notes.insert(notes.begin(), replaced.notes.begin(), replaced.notes.end());
  if (request.model.name == "recorded" && replaced.calls > 0)
    notes.emplace_back("what a new call takes is the least that the trace tells of such calls");
  if (auto error = replay::take_before(*result, as_it_is)) return *std::move(error);
  if (!request.to) return result;
  notes.emplace_back(
      "the new trace has regions, messages and collectives, but nothing else of the "
      "old one: metrics, parameters, threads");
  if (auto error = traces::write_otf2(replaced.trace, *request.to, times)) return *std::move(error);
  return result;
}

// What the model takes for the program as it is; the recorded one gives the trace's own times.
Result<std::optional<replay::Ticks>> end_without_change(const Request& request,
                                                        const traces::Trace& trace,
                                                        const ReplayModel& model) {
  const bool changes = !request.args.hypothesis.is_empty() || request.args.cpu_factor != 1;
  if (!changes || request.model.name == "recorded") return std::optional<replay::Ticks>();
  const auto result = model.run(trace, {});
  if (!result) return result.errors();
  return std::optional(result->end_after);
}

reports::ReplayReport report_of(const Request& request, const traces::Trace& trace,
                                const ReplayModel& model,
                                std::optional<replay::Ticks> end_without_change) {
  reports::ReplayReport report;
  report.provenance = reports::plain_provenance(request.command);
  report.trace = request.traces.front().path;
  report.hypothesis = request.hypothesis_path;
  report.model = model.name();
  report.end_without_change = end_without_change;
  report.has_times = trace.has_times;
  report.causes = request.args.causes;
  report.notes = trace.notes;
  report.written = request.to.value_or("");
  return report;
}

int run(const Request& request, const Diagnostics& diagnostics) {
  const auto read = read_trace(request.traces.front());
  if (!read) return diagnostics.fail(read.errors());
  const traces::Trace& trace = read->trace;
  if (const auto error = check_ranks(request.timeline, trace)) return diagnostics.fail({*error});
  const auto model = ReplayModel::make(request.model, trace.definitions.ranks.size(), diagnostics);
  if (!model) return diagnostics.fail(model.errors());
  const auto& replaces = request.args.hypothesis.replaces;
  std::optional<replay::Replaced> replaced;
  if (!replaces.empty()) replaced = replay::replace_calls(trace, replaces);
  const auto result =
      replaced ? replayed(request, trace, *replaced, *model) : replayed(request, *read, *model);
  if (!result) return diagnostics.fail(result.errors());
  const auto unchanged = end_without_change(request, trace, *model);
  if (!unchanged) return diagnostics.fail(unchanged.errors());
  const traces::Trace& changed = replaced ? replaced->trace : trace;
  const auto report = report_of(request, trace, *model, *unchanged);
  std::vector<reports::TimelinePicture> timelines;
  if (request.timeline.is_wanted) {
    auto picture = timeline_picture(request.timeline, request.traces.front().path, trace,
                                    model->replayer(trace), request.args, *result);
    if (!picture) return diagnostics.fail(picture.errors());
    timelines.push_back(*std::move(picture));
  }
  if (request.timeline.plot)
    if (const int code = write_plot(reports::draw(timelines.front()), report,
                                    *request.timeline.plot, diagnostics);
        code != exit_done)
      return code;
  return write_reports(reports::replay_document(report, changed.definitions, *result),
                       request.outputs, diagnostics, std::move(timelines));
}

int run(const Parsed& parsed, Diagnostics& diagnostics) {
  const auto request = Reading(parsed).read();
  return request ? run(*request, diagnostics) : diagnostics.fail(request.errors());
}

const Subcommand* const subcommands[] = {&replay_suggest, &replay_diff};

constexpr SubcommandGroup group{.command = "replay", .help = {}, .subcommands = subcommands};

// A trace of such a name is "./suggest".
bool names_subcommand(const Arguments& arguments) {
  return !arguments.empty() && std::ranges::find(subcommands, arguments.front(),
                                                 &Subcommand::name) != std::end(subcommands);
}

}  // namespace

std::string replay_help() {
  std::string text = "Usage: sim replay TRACE [OPTION]...\n";
  for (const auto* each : subcommands)
    text += fmt::format("       sim replay {} [OPTION]...\n", each->usage);
  text += '\n';
  for (const auto& line : reports::wrap(
           "Replays the trace of a parallel program (OTF2: of Score-P, EZTrace, ...; or SimGrid's "
           "time independent trace), changed as an optimisation would change it, and tells what "
           "that would bring: the end, wait states by call path as Scalasca defines them, before "
           "and after, and the new trace.",
           reports::page_width))
    text += line + '\n';
  text += "\nSubcommands:\n";
  for (const auto* each : subcommands)
    text += fmt::format("  {:<14} {}\n", each->usage, each->summary);
  return text + options_help(specs);
}

int replay_command(const Arguments& arguments, Diagnostics& diagnostics) {
  if (names_subcommand(arguments)) return run_group(group, arguments, diagnostics);
  return run_simple(specs, replay_help, run, arguments, diagnostics);
}

}  // namespace tutti::commands
