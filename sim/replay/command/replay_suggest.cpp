// SPDX-License-Identifier: BSD-3-Clause
// sim replay suggest: finds the changes to the program of a trace that gain most.
#include "sim/base/common.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/progress.hpp"
#include "sim/replay/command/replay.hpp"
#include "sim/replay/command/replay_request.hpp"
#include "sim/replay/command/replay_timeline.hpp"
#include "sim/replay/hypothesis_file.hpp"
#include "sim/replay/report/reports.hpp"

namespace tutti::commands {
namespace {

namespace replay = studies::replay;

struct ReplaySuggestRequest : ReplayRequest {
  std::size_t most = 10;
  bool forces = false;
  std::optional<std::string> write;
};

using SuggestOptions = options::OptionTable<ReplaySuggestRequest>;

const SuggestOptions replay_suggest_options =
    SuggestOptions({}) + studies::trace_options(1, "for example `sim replay suggest traces.otf2`") +
    SuggestOptions{{replay_option::changed, "--most", "N",
                    "Simulate the N most promising changes; default: 10",
                    options::count(replay::most_parts, &ReplaySuggestRequest::most)},
                   {replay_option::changed, "--force", "",
                    "Rank changes even if over 10 % of the time is in calls without modeled causes"
                    "\nRank changes even if more than 10 % of the time is in calls for which no "
                    "dependency is modeled, so that the gains are not reliable.",
                    options::flag(&ReplaySuggestRequest::forces)}} +
    studies::model_options() +
    SuggestOptions{
        {written(job_option::output_row(
             "--write", "FILE", "Write all steps to FILE as a hypothesis for `sim replay`")),
         options::file(&ReplaySuggestRequest::write)}} +
    report_options(reports::replay_suggest_document_parts).of(&ReplaySuggestRequest::outputs);

std::optional<Error> write_steps(const ReplaySuggestRequest& request,
                                 const replay::Suggestions& found) {
  const auto text = replay::hypothesis_text(found.together, {"Written by Tutti:", request.command});
  if (first_not_utf8(text))
    return Error{.message = "a step names a function whose name is not UTF-8, which TOML requires",
                 .hint = "omit --write: the report contains all steps"};
  return write_file(*request.write, text);
}

// For an HTML page: the timeline of the trace and of the replay with all steps. Empty without
// steps.
Result<std::vector<reports::TimelinePicture>> pictures_of(const ReplaySuggestRequest& request,
                                                          const workloads::traces::Trace& trace,
                                                          const replay::Replayer& replayer,
                                                          const replay::Suggestions& found) {
  std::vector<reports::TimelinePicture> pictures;
  if (!request.outputs.has_page() || found.steps.empty()) return pictures;
  const replay::ReplayArgs args{.hypothesis = found.together};
  const auto together = TUTTI_TRY(replayer(args, nullptr));
  auto picture = TUTTI_TRY(timeline_picture({}, request.traces.front().path, trace, replayer, args,
                                            together, TimelineMedium::page));
  pictures.push_back(std::move(picture));
  return pictures;
}

Result<int> run_replay_suggest(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request =
      TUTTI_TRY(read_request(parsed, replay_suggest_options, "replay suggest", Words::files));
  const auto loaded = TUTTI_TRY(load_replay(request, diagnostics));
  const auto& trace = loaded.read.trace;
  const auto& model = loaded.model;
  const replay::Replayer replayer = model.replayer(trace);
  Progress progress(replay::most_replays(request.most), diagnostics.quiet(), "replays at most");
  const auto suggested = replay::suggest_changes(
      trace,
      {.replay = replayer,
       .most = request.most,
       .forces = request.forces,
       .reported = [&](std::size_t done) { progress.show(done, 0, request.traces.front().path); }});
  progress.clear();
  if (!suggested) return suggested.errors();
  const replay::Suggestions& found = *suggested;
  reports::TraceReport report;
  describe(report, request, trace, model);
  if (request.write && found.steps.empty()) {
    diagnostics.warning("no change gains time: " + *request.write + " was not written");
  } else if (request.write) {
    if (const auto error = write_steps(request, found)) return *error;
    report.written = *request.write;
  }
  auto pictures = TUTTI_TRY(pictures_of(request, trace, replayer, found));
  return write_reports(replay_suggest_document(report, trace.definitions, found), request.outputs,
                       std::move(pictures));
}

}  // namespace

const Subcommand replay_suggest{
    .usage = "suggest TRACE",
    .summary = "find the changes that gain most",
    .help =
        "Finds imbalanced regions of computation and empty messages, replays the trace without "
        "each of them, and reports the gain. Then applies the best change, and on top of it the "
        "change that is best then, as long as the run time decreases: an imbalance may hide behind "
        "another. A region is balanced instance by instance, or by its sum per rank if ranks have "
        "different numbers of instances. Only the model platform simulates contention, where fewer "
        "messages make others faster.",
    .specs = replay_suggest_options,
    .run = run_replay_suggest};

}  // namespace tutti::commands
