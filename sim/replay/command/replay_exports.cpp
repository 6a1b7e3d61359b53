// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/command/replay_exports.hpp"

#include "sim/commands/output.hpp"
#include "sim/replay/report/cube_file.hpp"
#include "sim/replay/report/perfetto_trace.hpp"

namespace tutti::commands {
namespace {

namespace replay = studies::replay;

// Tools recognize these files by their ending.
auto file_ending(std::string_view ending, std::optional<std::string> ExportRequest::*place) {
  return [=](OptionReader& read, std::string_view option, ExportRequest& request) {
    const auto path = read.file_of(option);
    if (path && !path->ends_with(ending))
      read.wrong(option, fmt::format("{} does not end in {}", in_quotes(*path), ending),
                 fmt::format("the tools that read this file expect that ending: FILE{}", ending));
    request.*place = path;
  };
}

std::optional<Error> write_cube(const std::string& path, const reports::CubeProfile& profile) {
  const auto file = TUTTI_TRY(reports::cube_file(profile));
  return write_file(path, file);
}

reports::PerfettoSpec perfetto_spec(const TimelineRequest& timeline, const ExportedReplay& what) {
  const double ticks_per_s = what.trace.definitions.ticks_per_s;
  reports::PerfettoSpec spec{.ranks = {}};
  const auto& definitions = what.trace.definitions;
  spec.ranks.assign(definitions.locations(), !timeline.ranks);
  if (timeline.ranks)
    for (const auto& range : *timeline.ranks)
      for (auto rank = range.first; rank <= range.last; ++rank)
        spec.ranks[static_cast<std::size_t>(rank)] = true;
  for (auto i = definitions.ranks.size(); i < definitions.locations(); ++i)
    spec.ranks[i] = spec.ranks[definitions.rank_of(static_cast<replay::TraceRank>(i))];
  if (timeline.window) {
    spec.from = replay::nearest_ticks(timeline.window->first * ticks_per_s);
    spec.to = replay::nearest_ticks(timeline.window->second * ticks_per_s);
  }
  const auto& balances = what.args.hypothesis.balances;
  spec.has_sizes = !std::ranges::any_of(balances, &replay::Balance::messages);
  return spec;
}

// Warns of a file that viewers may not open. Only an estimate of the whole run is known.
void warn_of_size(const std::string& path, const TimelineRequest& timeline,
                  const ExportedReplay& what, const Diagnostics& diagnostics) {
  constexpr std::uint64_t many_bytes = 1'000'000'000;
  const auto bytes = reports::perfetto_bytes(what.result);
  if (bytes < many_bytes || timeline.ranks || timeline.window) return;
  diagnostics.warning(fmt::format(
      "{} will have about {:.1f} GB, and Perfetto opens files up to about 2 GB: select ranks with "
      "--timeline, a part of the time with --timeline-window, or replay less with --trace-window",
      path, static_cast<double>(bytes) * 1e-9));
}

std::optional<Error> write_perfetto(const std::string& path, const TimelineRequest& timeline,
                                    const ExportedReplay& what, const Diagnostics& diagnostics) {
  warn_of_size(path, timeline, what, diagnostics);
  OutputFile file(path);
  reports::PerfettoTrace trace(what.report, what.trace, perfetto_spec(timeline, what),
                               [&](std::string_view text) { file.write(text); });
  const auto replayed = what.again(what.args, &trace);
  if (!replayed) return replayed.error();
  trace.end();
  return file.close();
}

}  // namespace

options::OptionTable<ExportRequest> export_options() {
  return {
      {written(job_option::output_row(
           "--cube", "FILE",
           "Write the replayed run as a CUBE 4 profile, FILE.cubex (CUBE, Extra-P, Hatchet)"
           "\nWrite the replayed run as a CUBE 4 profile, FILE.cubex: metrics by call path and "
           "rank, with the unique names of Scalasca, for the CUBE browser, `cube_diff`, Extra-P "
           "and Hatchet. See `--cube-original`.")),
       file_ending(".cubex", &ExportRequest::cube)},
      {written(job_option::output_row(
           "--cube-original", "FILE",
           "Write the run in the trace as a CUBE 4 profile, to compare with --cube"
           "\nWrite the run in the trace as a CUBE 4 profile with the same metrics and call paths "
           "as `--cube`, so that `cube_diff ORIGINAL.cubex REPLAYED.cubex` shows the effect of the "
           "change.")),
       file_ending(".cubex", &ExportRequest::cube_original)},
      {written(job_option::output_row(
           "--perfetto", "FILE",
           "Write the replayed run as a trace for Perfetto or chrome://tracing, FILE.json"
           "\nWrite the replayed run in Chrome's trace event format, FILE.json, which Perfetto "
           "opens: a process for each rank, slices for regions, MPI calls and the waits in them, "
           "and an arrow for each message. Times are in us with a resolution of 1 ns. "
           "`--timeline` and `--timeline-window` select ranks and a part of the time; default: "
           "all. Needs one more replay.")),
       file_ending(".json", &ExportRequest::perfetto)}};
}

std::optional<Error> write_exports(const ExportRequest& request, const TimelineRequest& timeline,
                                   const ExportedReplay& what, const Diagnostics& diagnostics) {
  const auto profile = [&](const char* run, const replay::MetricTable& metrics) {
    return reports::CubeProfile{
        what.report, what.report.trace, run, what.trace.definitions, what.result.paths, metrics};
  };
  if (request.cube)
    if (auto error = write_cube(*request.cube, profile("replayed", what.result.after)))
      return error;
  if (request.cube_original)
    if (auto error = write_cube(*request.cube_original, profile("original", what.result.before)))
      return error;
  if (!request.perfetto) return std::nullopt;
  return write_perfetto(*request.perfetto, timeline, what, diagnostics);
}

}  // namespace tutti::commands
