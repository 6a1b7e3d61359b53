// SPDX-License-Identifier: BSD-3-Clause
// sim replay diff: compares two traces metric by metric.
#include "sim/replay/command/replay.hpp"
#include "sim/replay/command/replay_request.hpp"
#include "sim/replay/report/reports.hpp"

namespace tutti::commands {
namespace {

namespace replay = studies::replay;

using DiffOptions = options::OptionTable<ReplayRequest>;

const DiffOptions replay_diff_options =
    (DiffOptions({}) +
     studies::trace_options(2, "for example `sim replay diff before.otf2 after.otf2`") +
     report_options(reports::replay_diff_document_parts).of(&ReplayRequest::outputs))
        .then([](OptionReader& read, const ReplayRequest& request) {
          need_times(read, request, "", "a time-independent trace has no times to compare",
                     "`sim replay` predicts its times with a model");
        });

Result<int> run_replay_diff(const OptionValues& parsed, const Diagnostics&) {
  const auto request =
      TUTTI_TRY(read_request(parsed, replay_diff_options, "replay diff", Words::files));
  reports::ReplayDiffReport report;
  report.provenance = reports::plain_provenance(request.command);
  std::vector<workloads::traces::TraceDefinitions> definitions;
  std::vector<replay::ReplayResult> results;
  for (std::size_t i = 0; i < 2; ++i) {
    auto read = TUTTI_TRY(read_trace(request.traces[i]));
    results.push_back(replay::replay(read.trace, {}));
    report.sides[i] = {request.traces[i].path, read.trace.notes};
    definitions.push_back(std::move(read.trace.definitions));
  }
  return write_reports(
      replay_diff_document(report, {definitions[0], results[0]}, {definitions[1], results[1]}),
      request.outputs);
}

}  // namespace

const Subcommand replay_diff{
    .usage = "diff A B",
    .summary = "compare two traces: times and wait states by call path and rank",
    .help =
        "Compares two traces as recorded (of the program before and after a change, or a trace and "
        "the output of `sim replay -o`): run time, times, wait states and visits, B - A and "
        "relative to A, by call path and by rank (--part points). Call paths are matched by the "
        "names of their regions.",
    .specs = replay_diff_options,
    .run = run_replay_diff};

}  // namespace tutti::commands
