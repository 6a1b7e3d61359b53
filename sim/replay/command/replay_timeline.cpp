// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/command/replay_timeline.hpp"

#include "sim/options/option_values.hpp"
#include "sim/replay/report/reports.hpp"

namespace tutti::commands {
namespace {

namespace replay = studies::replay;

constexpr std::size_t most_by_default = 8;
constexpr std::size_t most_ranks = 64;  // more are no picture

void read_window(OptionReader& read, std::string_view option, TimelineRequest& request) {
  const std::string& text = read.values().value(option);
  const auto colon = text.find(':');
  const auto from = parse_seconds(text.substr(0, colon));
  const auto to = parse_seconds(colon == std::string::npos ? "" : text.substr(colon + 1));
  if (from && to && *to > *from)
    request.window = std::pair(*from, *to);
  else
    read.wrong(option, fmt::format("{} is no window", in_quotes(text)), "as in 10ms:20ms");
}

std::size_t rank_count(const std::vector<engines::RankRange>& ranges) {
  std::size_t count = 0;
  for (const auto& each : ranges) count += static_cast<std::size_t>(each.last - each.first) + 1;
  return count;
}

void read_ranks(OptionReader& read, std::string_view option, TimelineRequest& request) {
  auto ranks = options::parse_ranks(read.values().value(option));
  if (!ranks) return read.add(option, ranks.errors());
  if (rank_count(*ranks) > most_ranks)
    read.wrong(option, fmt::format("{} ranks", rank_count(*ranks)),
               fmt::format("a picture has room for {}", most_ranks));
  request.ranks = *std::move(ranks);
}

// Those that are asked for, else those that wait most and least.
std::vector<replay::TraceRank> wanted_ranks(const TimelineRequest& timeline,
                                            const replay::ReplayResult& result) {
  if (!timeline.ranks) return replay::extreme_ranks(result, most_by_default);
  std::vector<replay::TraceRank> ranks;
  for (const auto& each : *timeline.ranks)
    for (auto rank = each.first; rank <= each.last; ++rank)
      ranks.push_back(static_cast<replay::TraceRank>(rank));
  return ranks;
}

}  // namespace

std::optional<Error> check_ranks(const TimelineRequest& timeline,
                                 const workloads::traces::Trace& trace) {
  const std::size_t count = trace.definitions.ranks.size();
  if (!timeline.ranks || static_cast<std::size_t>(timeline.ranks->back().last) < count)
    return std::nullopt;
  return usage_error("--timeline", fmt::format("there is no rank {}", timeline.ranks->back().last),
                     fmt::format("the trace has ranks 0 to {}", count - 1));
}

options::OptionTable<TimelineRequest> timeline_options() {
  return {
      {job_option::output_row("--timeline", "RANKS",
                              "what ranks 0,4-7 do over time, in --plot and a page; default: the 8 "
                              "that wait most and least"),
       read_ranks},
      {job_option::output_row("--timeline-window", "FROM:TO",
                              "of it, as in 10ms:20ms; default: all"),
       read_window},
      {written(job_option::output_row(
           "--plot", "FILE",
           "draws the timeline there: .svg, .png, .pdf, or .gp: gnuplot's program"
           "\ndraws what ranks do over time, in the trace and replayed, as .svg, .png, .pdf or .gp "
           "(gnuplot's program); a page has that, too, and tells what is under the mouse. Work is "
           "cool, calls are warm, waiting in them (until what they depend on had happened) is "
           "dark; up to 200 messages are lines. Where several calls share a place, what takes most "
           "of it is shown. This replays once more. `--timeline` RANKS (0,4-7; at most 64) chooses "
           "ranks, in place of the 8 that wait most and least; `--timeline-window` FROM:TO "
           "(10ms:20ms) a part of the time.")),
       options::made(plot_of, &TimelineRequest::plot)}};
}

void check_timeline(OptionReader& reader, TimelineRequest& timeline, bool has_page) {
  timeline.is_wanted = timeline.plot || has_page;
  if (!timeline.is_wanted)
    reader.reject({"--timeline", "--timeline-window"}, "has no picture to be in",
                  "--plot FILE.svg, or --report FILE.html");
}

Result<reports::TimelinePicture> timeline_picture(const TimelineRequest& timeline,
                                                  const std::string& trace_path,
                                                  const workloads::traces::Trace& trace,
                                                  const replay::Replayer& replayer,
                                                  const replay::ReplayArgs& args,
                                                  const replay::ReplayResult& result) {
  replay::TimelineSpec spec{.ranks = wanted_ranks(timeline, result)};
  const auto end = std::max<replay::Ticks>({1, result.end_before, result.end_after});
  const double ticks_per_s = trace.definitions.ticks_per_s;
  spec.to = end;
  if (timeline.window) {
    const auto [from_s, to_s] = *timeline.window;
    if (from_s * ticks_per_s >= static_cast<double>(end))
      return usage_error("--timeline-window", "begins behind the end of the trace",
                         "it ends after " + format_seconds(static_cast<double>(end) / ticks_per_s));
    spec.from = std::llround(from_s * ticks_per_s);
    spec.to = std::llround(std::min(to_s * ticks_per_s, static_cast<double>(end)));
    spec.to = std::max(spec.to, spec.from + 1);
  }
  const bool is_changed =
      !args.hypothesis.is_empty() || args.cpu_factor != 1 || result.largest_deviation > 0;
  const auto drawn = TUTTI_TRY(replay::timeline(
      trace, result, spec, [&](replay::ReplaySink* sink) { return replayer(args, sink); }));
  return reports::replay_timeline_picture(
      {.trace = trace_path, .is_changed = is_changed, .has_times = trace.has_times},
      trace.definitions, result, drawn);
}

}  // namespace tutti::commands
