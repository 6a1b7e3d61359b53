// SPDX-License-Identifier: BSD-3-Clause
// sim replay: predicts the effect of a change to the program of a trace.
#include "sim/replay/command/replay.hpp"

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/result_argument.hpp"
#include "sim/replay/command/replay_exports.hpp"
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
  std::optional<std::string> ti_to;  // folder of the new trace as a time-independent one
  ExportRequest exports;
  TimelineRequest timeline;
};

using ReplayCommandOptions = options::OptionTable<ReplayCommandRequest>;

// Checked before the replay, which may take long.
template <class Place>
auto empty_folder(Place place) {
  return [place](OptionReader& read, std::string_view option, ReplayCommandRequest& request) {
    std::invoke(place, request) = read_new_folder(read, option);
  };
}

void check_written(OptionReader& read, ReplayCommandRequest& request) {
  request.args.causes |=
      request.outputs.shown.part == "causes" || request.outputs.shown.part == "delays";
  const auto& balances = request.args.hypothesis.balances;
  if (request.ti_to && std::ranges::any_of(balances, &replay::Balance::messages))
    read.wrong("--ti", "a time-independent trace cannot contain changed message sizes",
               "write an OTF2 trace with -o, or remove messages = true");
  check_timeline(read, request.timeline,
                 {.has_page = request.outputs.has_page(),
                  .has_other_user = request.exports.perfetto.has_value()});
}

const ReplayCommandOptions replay_options =
    (ReplayCommandOptions({}) +
     studies::trace_options(1,
                            "for example `sim replay traces.otf2`; `sim replay --help` lists the "
                            "subcommands") +
     studies::change_options() + studies::model_options() +
     ReplayCommandOptions{
         {replay_option::causes,
          [](auto&, auto, ReplayCommandRequest& request) { request.args.causes = true; }},
         {written(job_option::output_row(
              "--write-trace", "DIR",
              "Write the new trace to DIR, a new or empty folder"
              "\nWrite the new trace to DIR, a new or empty folder: all definitions and all "
              "events except those that are cut.")),
          empty_folder(&ReplayCommandRequest::to)},
         {trace_option::ti, empty_folder(&ReplayCommandRequest::ti_to)}} +
     export_options().of(&ReplayCommandRequest::exports) +
     timeline_options().of(&ReplayCommandRequest::timeline) +
     report_options(reports::replay_document_parts).of(&ReplayCommandRequest::outputs))
        .then(check_written);

// The trace to replay: the original, or one with replaced calls.
struct Replayed {
  const traces::Trace& trace;
  const studies::CoreSpeeds& speeds;
  std::function<std::optional<Error>(const std::string& folder, replay::TimeSpool& times)> write;
  replay::ReplayArgs args;
};

// Writes the new trace if requested, after everything else that can fail.
std::optional<Error> write_traces(const ReplayCommandRequest& request, const Replayed& what,
                                  replay::TimeSpool& times, replay::ReplayResult& result) {
  if (request.to)
    if (auto error = what.write(*request.to, times)) return error;
  if (!request.ti_to) return std::nullopt;
  times.rewind();
  const auto notes = write_ti(what.trace, what.speeds, *request.ti_to, times);
  if (!notes) return notes.errors().front();
  result.notes.insert(result.notes.end(), notes->begin(), notes->end());
  return std::nullopt;
}

// Takes the values before the change from the original trace.
std::optional<Error> complete(const ReplayCommandRequest& request, const replay::Replaced& replaced,
                              const replay::ReplayResult& as_it_is, replay::ReplayResult& result) {
  auto& notes = result.notes;
  notes.insert(notes.begin(), replaced.notes.begin(), replaced.notes.end());
  if (request.model.name == "recorded" && replaced.calls > 0)
    notes.emplace_back("new calls take the shortest time of such calls in the trace");
  if (request.to)
    notes.emplace_back(
        "the new trace contains only regions, messages and collectives of the old one: no metrics, "
        "parameters and threads");
  return replay::take_before(result, as_it_is);
}

// Adds the model's run time of the unchanged program; with the model `recorded` that is the time in
// the trace. The unchanged program may deadlock where the changed one does not.
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

// `original` is the trace before calls are replaced.
reports::ReplayReport replay_report(const ReplayCommandRequest& request,
                                    const traces::Trace& original, const ReplayModel& model) {
  reports::ReplayReport report;
  describe(report, request, original, model);
  report.hypothesis = request.hypothesis_path;
  report.cpu_factor = request.args.cpu_factor;
  report.causes = request.args.causes;
  report.written = request.to.value_or("");
  add_unchanged(report, request, original, model);
  return report;
}

Result<int> show(const ReplayCommandRequest& request, const reports::ReplayReport& report,
                 const Replayed& what, const ReplayModel& model, const replay::ReplayResult& result,
                 const Diagnostics& diagnostics) {
  const auto again = model.replayer(what.trace);
  if (auto error = write_exports(request.exports, request.timeline,
                                 {report, what.trace, what.args, result, again}, diagnostics))
    return *std::move(error);
  const auto picture = [&](TimelineMedium medium) {
    return timeline_picture(request.timeline, request.traces.front().path, what.trace, again,
                            what.args, result, medium);
  };
  if (request.timeline.plot) {
    const auto plot = TUTTI_TRY(picture(TimelineMedium::plot));
    TUTTI_TRY(write_plot(reports::draw(plot), report, *request.timeline.plot));
  }
  std::vector<reports::TimelinePicture> timelines;
  if (request.outputs.has_page()) {
    auto timeline = TUTTI_TRY(picture(TimelineMedium::page));
    timelines.push_back(std::move(timeline));
  }
  return write_reports(reports::replay_document(report, what.trace.definitions, result),
                       request.outputs, std::move(timelines));
}

// `check` is called on the result before anything is written.
Result<int> run_replay(const ReplayCommandRequest& request, const traces::Trace& original,
                       const Replayed& what, const ReplayModel& model,
                       const Diagnostics& diagnostics,
                       const std::function<std::optional<Error>(replay::ReplayResult&)>& check) {
  std::optional<replay::TimeSpool> times;
  if (request.to || request.ti_to)
    times.emplace(what.trace.definitions.locations(), what.trace.first);
  auto result = TUTTI_TRY(model.run(what.trace, what.args, times ? &*times : nullptr));
  if (const auto error = check(result)) return *error;
  if (reports::needs_warning(result.verdict) && original.has_times)
    diagnostics.warning(reports::verdict_words(result.verdict, what.trace.definitions));
  for (const auto& part : result.unmatched)
    diagnostics.warning(request.hypothesis_path + ": " + part);
  const auto report = replay_report(request, original, model);
  if (times)
    if (const auto error = write_traces(request, what, *times, result)) return *error;
  return show(request, report, what, model, result, diagnostics);
}

// Replays the trace with replaced calls.
Result<int> run_replaced(const ReplayCommandRequest& request, const LoadedReplay& loaded,
                         const Diagnostics& diagnostics) {
  const traces::Trace& original = loaded.read.trace;
  const auto replaced = replay::replace_calls(original, request.args.hypothesis.replaces);
  const auto as_it_is = replay::replay(original, {.causes = request.args.causes});
  Replayed what{replaced.trace, loaded.speeds,
                [&](const std::string& folder, replay::TimeSpool& times) {
                  return traces::write_otf2(replaced.trace, folder, &times);
                },
                request.args};
  what.args.costs = as_it_is.costs;
  return run_replay(
      request, original, what, loaded.model, diagnostics,
      [&](replay::ReplayResult& result) { return complete(request, replaced, as_it_is, result); });
}

// The platform model does not compute the times of threads and streams.
std::optional<Error> check_locations(const ReplayCommandRequest& request,
                                     const traces::Trace& trace) {
  if (!request.to || request.model.name != "platform" || trace.definitions.others.empty() ||
      !request.args.hypothesis.replaces.empty())
    return std::nullopt;
  return usage_error("--write-trace",
                     "the platform model replays only the first thread of each rank, so the other "
                     "threads and streams have no new times",
                     "use --model recorded");
}

Result<int> run_replay(const ReplayCommandRequest& request, const Diagnostics& diagnostics) {
  const auto loaded = TUTTI_TRY(load_replay(request, diagnostics));
  const traces::Trace& trace = loaded.read.trace;
  if (const auto error = check_ranks(request.timeline, trace)) return *error;
  if (const auto error = check_locations(request, trace)) return *error;
  if (!request.args.hypothesis.replaces.empty()) return run_replaced(request, loaded, diagnostics);
  const Replayed what{trace, loaded.speeds,
                      [&](const std::string& folder, replay::TimeSpool& times) {
                        return write_trace(request.traces.front(), loaded.read, folder, times);
                      },
                      request.args};
  return run_replay(request, trace, what, loaded.model, diagnostics,
                    [](replay::ReplayResult&) { return std::optional<Error>(); });
}

Result<int> run_replay(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request = TUTTI_TRY(read_request(parsed, replay_options, "replay", Words::files));
  return run_replay(request, diagnostics);
}

const Subcommand* const replay_subcommands[] = {&replay_suggest, &replay_diff};

const Subcommand replay_alone{
    .usage = "replay TRACE",
    .help =
        "Replays the trace of a parallel program (OTF2 of Score-P, EZTrace, ...; Extrae's .prv; or "
        "SimGrid's time-independent trace), changed as an optimization would change it, and "
        "predicts the effect: the run time and the wait states by call path (as Scalasca defines "
        "them) before "
        "and after, and the new trace.",
    .specs = replay_options,
    .run = run_replay};

}  // namespace

extern const Command replay_command{.name = "replay",
                                    .summary = "replay a trace with a hypothetical change",
                                    .alone = &replay_alone,
                                    .subcommands = replay_subcommands};

}  // namespace tutti::commands
