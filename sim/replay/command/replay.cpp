// SPDX-License-Identifier: BSD-3-Clause
// sim replay: what if the program of a trace were changed?
#include "sim/replay/command/replay.hpp"

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/result_argument.hpp"
#include "sim/replay/command/replay_request.hpp"
#include "sim/replay/command/replay_timeline.hpp"
#include "sim/replay/replacement.hpp"
#include "sim/replay/report/reports.hpp"
#include "sim/replay/time_spool.hpp"
#include "sim/reports/wrap.hpp"
#include "workloads/traces/otf2_new.hpp"

namespace tutti::commands {
namespace {

namespace replay = studies::replay;
namespace traces = workloads::traces;

struct ReplayCommandRequest : ReplayRequest {
  std::optional<std::string> to;     // the new trace's folder
  std::optional<std::string> ti_to;  // of it as a time independent one
  TimelineRequest timeline;
};

using ReplayCommandOptions = options::OptionTable<ReplayCommandRequest>;

// Before a long run.
template <class Place>
auto empty_folder(Place place) {
  return [place](OptionReader& read, std::string_view option, ReplayCommandRequest& request) {
    const std::string folder = read.file_of(option).value_or("");
    std::error_code failed;
    if (std::filesystem::exists(folder, failed) &&
        (!std::filesystem::is_empty(folder, failed) || failed))
      read.wrong(option, fmt::format("{} is no empty folder", in_quotes(folder)),
                 "the new trace gets a folder of its own");
    std::invoke(place, request) = folder;
  };
}

void check_written(OptionReader& read, ReplayCommandRequest& request) {
  request.args.causes |= request.outputs.shown.part == "causes";
  const auto& balances = request.args.hypothesis.balances;
  if (request.ti_to && std::ranges::any_of(balances, &replay::Balance::messages))
    read.wrong("--ti", "cannot say other sizes of messages than the trace",
               "-o writes them; or leave out messages = true");
  if (request.to)
    need_times(read, request, "--output", "a time independent trace is not written as OTF2",
               "--ti DIR writes one");
  check_timeline(read, request.timeline, request.outputs.has_page());
}

const ReplayCommandOptions replay_options =
    (ReplayCommandOptions({}) +
     studies::trace_options(1,
                            "`sim replay traces.otf2`; `sim replay --help` names the subcommands") +
     studies::change_options() + studies::model_options() +
     ReplayCommandOptions{
         {replay_option::causes,
          [](auto&, auto, ReplayCommandRequest& request) { request.args.causes = true; }},
         {written(job_option::output_row("-o,--output", "DIR",
                                         "writes the new trace there: an empty folder"
                                         "\nwrites the new trace there, an empty folder: all "
                                         "definitions and events, those that are cut left out.")),
          empty_folder(&ReplayCommandRequest::to)},
         {trace_option::ti, empty_folder(&ReplayCommandRequest::ti_to)}} +
     timeline_options().of(&ReplayCommandRequest::timeline) +
     report_options(reports::replay_document_parts).of(&ReplayCommandRequest::outputs))
        .then(check_written);

// What is replayed: the trace, or one with other calls.
struct Replayed {
  const traces::Trace& trace;
  std::function<std::optional<Error>(const std::string& folder, replay::TimeSpool& times)> write;
  replay::ReplayArgs args;
};

// The new trace, where it is wanted: once nothing else can fail.
std::optional<Error> write_traces(const ReplayCommandRequest& request, const Replayed& what,
                                  replay::TimeSpool& times, replay::ReplayResult& result) {
  if (request.to)
    if (auto error = what.write(*request.to, times)) return error;
  if (!request.ti_to) return std::nullopt;
  times.rewind();
  const auto notes = write_ti(request.traces.front(), what.trace, *request.ti_to, times);
  if (!notes) return notes.errors().front();
  result.notes.insert(result.notes.end(), notes->begin(), notes->end());
  return std::nullopt;
}

// What was before is that of the trace as it is.
std::optional<Error> complete(const ReplayCommandRequest& request, const replay::Replaced& replaced,
                              const replay::ReplayResult& as_it_is, replay::ReplayResult& result) {
  auto& notes = result.notes;
  notes.insert(notes.begin(), replaced.notes.begin(), replaced.notes.end());
  if (request.model.name == "recorded" && replaced.calls > 0)
    notes.emplace_back("what a new call takes is the least that the trace tells of such calls");
  if (request.to)
    notes.emplace_back(
        "the new trace has regions, messages and collectives, but nothing else of the old one: "
        "metrics, parameters, threads");
  return replay::take_before(result, as_it_is);
}

// What the model takes for the program as it is; the recorded one gives the trace's own times. It
// may not end, where the change is what makes it end.
void add_unchanged(reports::ReplayReport& report, const ReplayCommandRequest& request,
                   const traces::Trace& trace, const ReplayModel& model) {
  const bool changes = !request.args.hypothesis.is_empty() || request.args.cpu_factor != 1;
  if (!changes || request.model.name == "recorded") return;
  const auto result = model.run(trace, {});
  if (result)
    report.end_without_change = result->end_after;
  else
    report.notes.push_back("without the change: " + result.error().message);
}

// `original`: the trace as it is.
reports::ReplayReport replay_report(const ReplayCommandRequest& request,
                                    const traces::Trace& original, const ReplayModel& model) {
  reports::ReplayReport report;
  report.provenance = reports::plain_provenance(request.command);
  report.trace = request.traces.front().path;
  report.hypothesis = request.hypothesis_path;
  report.model = model.name();
  report.cpu_factor = request.args.cpu_factor;
  report.has_times = original.has_times;
  report.causes = request.args.causes;
  report.notes = original.notes;
  report.written = request.to.value_or("");
  add_unchanged(report, request, original, model);
  return report;
}

Result<int> show(const ReplayCommandRequest& request, const reports::ReplayReport& report,
                 const Replayed& what, const ReplayModel& model,
                 const replay::ReplayResult& result) {
  std::vector<reports::TimelinePicture> timelines;
  if (request.timeline.is_wanted) {
    auto picture =
        TUTTI_TRY(timeline_picture(request.timeline, request.traces.front().path, what.trace,
                                   model.replayer(what.trace), what.args, result));
    timelines.push_back(std::move(picture));
  }
  if (request.timeline.plot)
    TUTTI_TRY(write_plot(reports::draw(timelines.front()), report, *request.timeline.plot));
  return write_reports(reports::replay_document(report, what.trace.definitions, result),
                       request.outputs, std::move(timelines));
}

// `check`: of the result, before anything is written.
Result<int> run_replay(const ReplayCommandRequest& request, const traces::Trace& original,
                       const Replayed& what, const ReplayModel& model,
                       const std::function<std::optional<Error>(replay::ReplayResult&)>& check) {
  std::optional<replay::TimeSpool> times;
  if (request.to || request.ti_to)
    times.emplace(what.trace.definitions.ranks.size(), what.trace.first);
  auto result = TUTTI_TRY(model.run(what.trace, what.args, times ? &*times : nullptr));
  if (const auto error = check(result)) return *error;
  const auto report = replay_report(request, original, model);
  if (times)
    if (const auto error = write_traces(request, what, *times, result)) return *error;
  return show(request, report, what, model, result);
}

// The trace with other calls.
Result<int> run_replaced(const ReplayCommandRequest& request, const traces::Trace& original,
                         const ReplayModel& model) {
  const auto replaced = replay::replace_calls(original, request.args.hypothesis.replaces);
  const auto as_it_is = replay::replay(original, {.causes = request.args.causes});
  Replayed what{replaced.trace,
                [&](const std::string& folder, replay::TimeSpool& times) {
                  return traces::write_otf2(replaced.trace, folder, times);
                },
                request.args};
  what.args.costs = as_it_is.costs;
  return run_replay(request, original, what, model, [&](replay::ReplayResult& result) {
    return complete(request, replaced, as_it_is, result);
  });
}

Result<int> run_replay(const ReplayCommandRequest& request, const Diagnostics& diagnostics) {
  const auto read = TUTTI_TRY(read_trace(request.traces.front()));
  const traces::Trace& trace = read.trace;
  if (const auto error = check_ranks(request.timeline, trace)) return *error;
  const auto model = TUTTI_TRY(make_model(request, trace.definitions.ranks.size(), diagnostics));
  if (!request.args.hypothesis.replaces.empty()) return run_replaced(request, trace, model);
  const Replayed what{trace,
                      [&](const std::string& folder, replay::TimeSpool& times) {
                        return write_trace(request.traces.front(), read, folder, times);
                      },
                      request.args};
  return run_replay(request, trace, what, model,
                    [](replay::ReplayResult&) { return std::optional<Error>(); });
}

Result<int> run_replay(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request = TUTTI_TRY(request_of(parsed, replay_options, "replay", Words::files));
  return run_replay(request, diagnostics);
}

const Subcommand* const replay_subcommands[] = {&replay_suggest, &replay_diff};

const Subcommand replay_alone{
    .usage = "replay TRACE",
    .help =
        "Replays the trace of a parallel program (OTF2: of Score-P, EZTrace, ...; or SimGrid's "
        "time independent trace), changed as an optimisation would change it, and tells what that "
        "would bring: the end, wait states by call path as Scalasca defines them, before and "
        "after, and the new trace.",
    .specs = replay_options,
    .run = run_replay};

}  // namespace

extern const Command replay_command{.name = "replay",
                                    .summary = "traces, changed and replayed",
                                    .alone = &replay_alone,
                                    .subcommands = replay_subcommands};

}  // namespace tutti::commands
