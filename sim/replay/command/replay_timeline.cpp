// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/command/replay_timeline.hpp"

#include "sim/options/option_values.hpp"
#include "sim/replay/report/replay_timeline.hpp"

namespace tutti::commands {
namespace {

namespace replay = studies::replay;

constexpr std::size_t most_by_default = 8;
constexpr std::size_t most_ranks = 64;  // more are no picture

Result<std::pair<Seconds, Seconds>> timeline_window(const OptionValues& parsed) {
  const std::string& text = parsed.value("--timeline-window");
  const auto colon = text.find(':');
  const auto from = parse_seconds(text.substr(0, colon));
  const auto to = parse_seconds(colon == std::string::npos ? "" : text.substr(colon + 1));
  if (!from || !to || *to <= *from)
    return usage_error(parsed.typed("--timeline-window"),
                       fmt::format("{} is no window", in_quotes(text)), "as in 10ms:20ms");
  return std::pair(*from, *to);
}

std::size_t rank_count(const std::vector<engines::RankRange>& ranges) {
  std::size_t count = 0;
  for (const auto& each : ranges) count += static_cast<std::size_t>(each.last - each.first) + 1;
  return count;
}

Result<std::vector<engines::RankRange>> ranks_of(const OptionValues& parsed) {
  auto ranks = options::parse_ranks(parsed.value("--timeline"));
  if (!ranks) {
    auto errors = ranks.errors();
    for (auto& error : errors) error.place = parsed.typed("--timeline");
    return errors;
  }
  if (rank_count(*ranks) > most_ranks)
    return usage_error(parsed.typed("--timeline"), fmt::format("{} ranks", rank_count(*ranks)),
                       fmt::format("a picture has room for {}", most_ranks));
  return ranks;
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

Result<TimelineRequest> timeline_request(const OptionValues& parsed, bool has_page) {
  TimelineRequest timeline;
  auto plot = TUTTI_TRY(plot_of(parsed));
  timeline.plot = std::move(plot);
  timeline.is_wanted = timeline.plot || has_page;
  for (const char* option : {"--timeline", "--timeline-window"})
    if (parsed.has(option) && !timeline.is_wanted)
      return usage_error(parsed.typed(option), "has no picture to be in",
                         "--plot FILE.svg, or --report FILE.html");
  if (parsed.has("--timeline")) {
    timeline.ranks = TUTTI_TRY(ranks_of(parsed));
  }
  if (!parsed.has("--timeline-window")) return timeline;
  timeline.window = TUTTI_TRY(timeline_window(parsed));
  return timeline;
}

Result<reports::TimelinePicture> timeline_picture(const TimelineRequest& timeline,
                                                  const std::string& trace_path,
                                                  const workloads::traces::Trace& trace,
                                                  const replay::Replayer& replayer,
                                                  const replay::ReplayArgs& args,
                                                  const replay::ReplayResult& result) {
  replay::TimelineWish wish{.ranks = wanted_ranks(timeline, result)};
  const auto end = std::max<replay::Ticks>({1, result.end_before, result.end_after});
  const double ticks_per_s = trace.definitions.ticks_per_s;
  wish.to = end;
  if (timeline.window) {
    const auto [from_s, to_s] = *timeline.window;
    if (from_s * ticks_per_s >= static_cast<double>(end))
      return usage_error("--timeline-window", "begins behind the end of the trace",
                         "it ends after " + format_seconds(static_cast<double>(end) / ticks_per_s));
    wish.from = std::llround(from_s * ticks_per_s);
    wish.to = std::llround(std::min(to_s * ticks_per_s, static_cast<double>(end)));
    wish.to = std::max(wish.to, wish.from + 1);
  }
  const bool is_changed =
      !args.hypothesis.is_empty() || args.cpu_factor != 1 || result.largest_deviation > 0;
  const auto drawn = replay::timeline(
      trace, result, wish, [&](replay::ReplaySink* sink) { return replayer(args, sink); });
  if (!drawn) return drawn.errors();
  return reports::replay_timeline_picture(
      {.trace = trace_path, .is_changed = is_changed, .has_times = trace.has_times},
      trace.definitions, result, *drawn);
}

}  // namespace tutti::commands
