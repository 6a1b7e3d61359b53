// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/command/replay_timeline.hpp"

#include "sim/options/option_values.hpp"
#include "sim/replay/report/reports.hpp"

namespace tutti::commands {
namespace {

namespace replay = studies::replay;

constexpr std::size_t most_by_default = 8;
constexpr std::size_t most_ranks = 64;  // a picture with more is not readable

void read_window(OptionReader& read, std::string_view option, TimelineRequest& request) {
  const std::string& text = read.values().value(option);
  const auto colon = text.find(':');
  const auto from = parse_seconds(text.substr(0, colon));
  const auto to = parse_seconds(colon == std::string::npos ? "" : text.substr(colon + 1));
  if (from && to && *to > *from)
    request.window = std::pair(*from, *to);
  else
    read.wrong(option, fmt::format("invalid window {}", in_quotes(text)),
               "expected FROM:TO, for example 10ms:20ms");
}

std::size_t rank_count(const std::vector<engines::RankRange>& ranges) {
  std::size_t count = 0;
  for (const auto& range : ranges) count += static_cast<std::size_t>(range.last - range.first) + 1;
  return count;
}

void read_ranks(OptionReader& read, std::string_view option, TimelineRequest& request) {
  auto ranks = options::parse_ranks(read.values().value(option));
  if (!ranks) return read.add(option, ranks.errors());
  request.ranks = *std::move(ranks);
}

// The requested ranks; by default those that wait most and least.
std::vector<replay::TraceRank> wanted_ranks(const TimelineRequest& timeline,
                                            const replay::ReplayResult& result) {
  if (!timeline.ranks) return replay::extreme_ranks(result, most_by_default);
  std::vector<replay::TraceRank> ranks;
  for (const auto& range : *timeline.ranks)
    for (auto rank = range.first; rank <= range.last; ++rank)
      ranks.push_back(static_cast<replay::TraceRank>(rank));
  return ranks;
}

// A span takes about 12 B of a page, a message 30 B.
void use_detail(replay::TimelineSpec& spec) {
  constexpr std::size_t most_spans = 160'000;  // of all ranks, before and after
  spec.columns =
      std::max(spec.columns, most_spans / (2 * std::max<std::size_t>(1, spec.ranks.size())));
  spec.is_exact = true;
  spec.most_messages = 20'000;
}

}  // namespace

std::optional<Error> check_ranks(const TimelineRequest& timeline,
                                 const workloads::traces::Trace& trace) {
  const std::size_t count = trace.definitions.locations();
  if (!timeline.ranks || static_cast<std::size_t>(timeline.ranks->back().last) < count)
    return std::nullopt;
  return usage_error("--timeline", fmt::format("there is no rank {}", timeline.ranks->back().last),
                     fmt::format("the trace has ranks 0 to {}", count - 1));
}

options::OptionTable<TimelineRequest> timeline_options() {
  return {
      {job_option::output_row("--timeline", "RANKS",
                              "Ranks in the timeline of --plot or an HTML report, as in 0,4-7; "
                              "default: the 8 that wait most and least; --perfetto: all"),
       read_ranks},
      {job_option::output_row("--timeline-window", "FROM:TO",
                              "Time window of the timeline, as in 10ms:20ms; default: all"),
       read_window},
      {written(job_option::output_row(
           "--plot", "FILE",
           "Draw the timeline to FILE: .svg, .png, .pdf, or .vg (Vega specification)"
           "\nDraw a timeline of the ranks, in the trace and replayed, as .svg, .png, .pdf or .vg "
           "(Vega specification). An HTML report contains it, too, and shows what is under the "
           "mouse. "
           "Computation has cool colors, MPI calls warm ones, and waiting in calls (until what "
           "they depend on has happened) dark ones; up to 200 messages are drawn as lines. Where "
           "several calls fall on the same place, the one that takes most of it is shown. The "
           "timeline needs one more replay, two if calls are cut. `--timeline` RANKS (0,4-7; at "
           "most 64) selects ranks instead of the 8 that wait most and least; `--timeline-window` "
           "FROM:TO (10ms:20ms) selects a part of the time.")),
       options::value_from(read_plot, &TimelineRequest::plot)}};
}

void check_timeline(OptionReader& reader, const TimelineRequest& timeline,
                    const TimelineUsers& users) {
  const bool is_drawn = timeline.plot || users.has_page;
  if (!is_drawn && !users.has_other_user)
    reader.reject({"--timeline", "--timeline-window"}, "requires a picture",
                  "add --plot FILE.svg, --report FILE.html or --perfetto FILE.json");
  if (is_drawn && timeline.ranks && rank_count(*timeline.ranks) > most_ranks)
    reader.wrong("--timeline",
                 fmt::format("{} ranks are too many for a picture", rank_count(*timeline.ranks)),
                 fmt::format("give at most {}", most_ranks));
}

Result<reports::TimelinePicture> timeline_picture(
    const TimelineRequest& timeline, const std::string& trace_path,
    const workloads::traces::Trace& trace, const replay::Replayer& replayer,
    const replay::ReplayArgs& args, const replay::ReplayResult& result, TimelineMedium medium) {
  replay::TimelineSpec spec{.ranks = wanted_ranks(timeline, result)};
  if (medium == TimelineMedium::page) use_detail(spec);
  const auto end = std::max<replay::Ticks>({1, result.end_before, result.end_after});
  const double ticks_per_s = trace.definitions.ticks_per_s;
  spec.to = end;
  if (timeline.window) {
    const auto [from_s, to_s] = *timeline.window;
    if (from_s * ticks_per_s >= static_cast<double>(end))
      return usage_error(
          "--timeline-window", "begins after the end of the trace",
          "the trace ends after " + format_seconds(static_cast<double>(end) / ticks_per_s));
    spec.from = std::llround(from_s * ticks_per_s);
    spec.to = std::llround(std::min(to_s * ticks_per_s, static_cast<double>(end)));
    spec.to = std::max(spec.to, spec.from + 1);
  }
  const bool is_changed =
      !args.hypothesis.is_empty() || args.cpu_factor != 1 || result.largest_deviation > 0;
  const auto drawn = TUTTI_TRY(replay::timeline(
      trace, result, spec, [&](replay::ReplaySink* sink) { return replayer(args, sink); }));
  return reports::replay_timeline_picture({.trace = trace_path,
                                           .is_changed = is_changed,
                                           .has_times = trace.has_times,
                                           .is_for_page = medium == TimelineMedium::page},
                                          trace.definitions, result, drawn);
}

}  // namespace tutti::commands
