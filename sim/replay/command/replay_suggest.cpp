// SPDX-License-Identifier: BSD-3-Clause
// sim replay suggest: what would be worth changing in the program of a trace?
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
  std::optional<std::string> write;
};

using SuggestOptions = options::OptionTable<ReplaySuggestRequest>;

const SuggestOptions replay_suggest_options =
    SuggestOptions({}) + studies::trace_options(1, "`sim replay suggest traces.otf2`") +
    SuggestOptions{{replay_option::changed, "--most", "N",
                    "changes that are simulated, those that may bring most; default: 10",
                    options::count(replay::most_parts, &ReplaySuggestRequest::most)}} +
    studies::model_options() +
    SuggestOptions{
        {written(job_option::output_row(
             "--write", "FILE", "writes all steps there as a hypothesis, for `sim replay`")),
         options::file(&ReplaySuggestRequest::write)}} +
    report_options(reports::replay_suggest_document_parts).of(&ReplaySuggestRequest::outputs);

std::optional<Error> write_steps(const ReplaySuggestRequest& request,
                                 const replay::Suggestions& found) {
  const auto text = replay::hypothesis_text(found.together, {"Made by Tutti:", request.command});
  if (first_not_utf8(text))
    return Error{
        .message = "a step names a function whose name is not UTF-8: no TOML file holds it",
        .hint = "without --write, all steps are shown"};
  return write_file(*request.write, text);
}

// All steps beside the trace, in a page; nothing where there are none.
Result<std::vector<reports::TimelinePicture>> pictures_of(const ReplaySuggestRequest& request,
                                                          const workloads::traces::Trace& trace,
                                                          const replay::Replayer& replayer,
                                                          const replay::Suggestions& found) {
  std::vector<reports::TimelinePicture> pictures;
  if (!request.outputs.has_page() || found.steps.empty()) return pictures;
  const replay::ReplayArgs args{.hypothesis = found.together};
  const auto together = TUTTI_TRY(replayer(args, nullptr));
  auto picture =
      TUTTI_TRY(timeline_picture({}, request.traces.front().path, trace, replayer, args, together));
  pictures.push_back(std::move(picture));
  return pictures;
}

Result<int> run_replay_suggest(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request =
      TUTTI_TRY(request_of(parsed, replay_suggest_options, "replay suggest", Words::files));
  const auto read = TUTTI_TRY(read_trace(request.traces.front()));
  const auto& trace = read.trace;
  const auto model = TUTTI_TRY(make_model(request, trace.definitions.ranks.size(), diagnostics));
  const replay::Replayer replayer = model.replayer(trace);
  Progress progress(replay::most_replays(request.most), diagnostics.quiet(), "replays at most");
  const auto suggested = replay::suggest_changes(
      trace, {.replay = replayer, .most = request.most, .reported = [&](std::size_t done) {
                progress.show(done, 0, request.traces.front().path);
              }});
  progress.clear();
  if (!suggested) return suggested.errors();
  const replay::Suggestions& found = *suggested;
  reports::ReplaySuggestReport report;
  report.provenance = reports::plain_provenance(request.command);
  report.trace = request.traces.front().path;
  report.model = model.name();
  report.has_times = trace.has_times;
  report.notes = trace.notes;
  if (request.write && found.steps.empty()) {
    diagnostics.warning("nothing is gained: " + *request.write + " is not written");
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
    .summary = "what would be worth changing, by what it brings",
    .help =
        "Finds regions of computation that take some ranks longer than others, and empty messages; "
        "replays the trace without each, and tells what that brings. Then applies the best, and on "
        "top of it what is best then, as long as something is gained: an imbalance may hide behind "
        "another. A region is balanced instance by instance, or in sum where ranks have other "
        "numbers of instances. Only the model platform knows contention: that fewer messages make "
        "others faster.",
    .specs = replay_suggest_options,
    .run = run_replay_suggest};

}  // namespace tutti::commands
