// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/report/reports.hpp"
#include "sim/reports/text_table.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

using studies::replay::Doing;
using studies::replay::Ticks;
using studies::replay::Timeline;
using studies::replay::TimelineKind;
using studies::replay::TraceRank;
using workloads::traces::TraceDefinitions;

// The palette of Okabe and Ito: computation is cool, calls are warm, waiting in a call is the
// call's color in a darker shade.
constexpr std::array<std::string_view, 4> region_colours = {"#0072b2", "#56b4e9", "#009e73",
                                                            "#f0e442"};

constexpr std::size_t most_name = 60;  // characters in the legend

struct Look {
  std::string_view name, colour;
};

// By Doing, from other_computation on.
constexpr Look looks[] = {
    {"other computation", "#b4bac2"},        {"point-to-point", "#f5b041"},
    {"waiting for messages", "#b03a00"},     {"collective", "#e2a3c7"},
    {"waiting in collectives", "#8e3a74"},   {"one-sided synchronization", "#d6bf9a"},
    {"waiting for windows", "#6f5326"},      {"barriers of threads", "#cfd08f"},
    {"waiting for threads", "#5a5c14"},      {"accelerator calls", "#f4a6a0"},
    {"waiting for accelerators", "#b3123f"}, {"other calls", "#6b7280"}};

class Making {
 public:
  Making(const ReplayTimeline& report, const TraceDefinitions& definitions,
         const studies::replay::ReplayResult& result, const Timeline& timeline)
      : report_(report), definitions_(definitions), result_(result), timeline_(timeline) {}

  TimelinePicture picture() {
    made_.title =
        picture_text("Timeline of " + std::filesystem::path(report_.trace).filename().string());
    made_.subtitle = picture_text(subtitle());
    made_.x = value_axis(Quantity::seconds, "time", false, seconds(timeline_.from),
                         seconds(timeline_.to));
    add_series();
    for (const auto& rank : timeline_.ranks) add_rank(rank);
    for (const auto& message : timeline_.messages) add_message(message);
    add_notes();
    return std::move(made_);
  }

 private:
  double seconds(Ticks ticks) const { return definitions_.seconds(ticks); }

  std::string subtitle() const {
    const double before = seconds(result_.end_before), after = seconds(result_.end_after);
    if (!report_.is_changed) return fmt::format("ends after {}", format_seconds(before));
    return fmt::format("top: trace, ends after {}; bottom: replayed, ends after {}{}",
                       format_seconds(before), format_seconds(after),
                       report_.has_times && before > 0
                           ? fmt::format(" ({:+.1f} %)", 100 * (after / before - 1))
                           : "");
  }

  // Adds the kinds that occur.
  void add_series() {
    std::vector<bool> is_used(timeline_.kinds.size());
    for (const auto& rank : timeline_.ranks)
      for (const auto* bar : {&rank.before, &rank.after})
        for (const auto& span : *bar) is_used[span.kind] = true;
    for (std::size_t kind = 0; kind < is_used.size(); ++kind) {
      series_of_.push_back(made_.series.size());
      if (!is_used[kind]) continue;
      add_look(timeline_.kinds[kind], kind);
    }
  }

  void add_look(const TimelineKind& kind, std::size_t number) {
    const bool is_region = kind.doing == Doing::region;
    const auto other = static_cast<std::size_t>(kind.doing) - 1;
    made_.series.push_back(is_region ? shortened(clean_text(kind.region), most_name)
                                     : std::string(looks[other].name));
    made_.colours.emplace_back(is_region ? region_colours[number % region_colours.size()]
                                         : looks[other].colour);
  }

  // "rank 3", "rank 3, thread 1", "rank 3, stream 0".
  std::string row_name(studies::replay::TraceRank location) const {
    const auto rank = definitions_.rank_of(location);
    if (location == rank) return fmt::format("rank {}", rank);
    const bool is_stream = definitions_.is_stream(location);
    std::size_t number = is_stream ? 0 : 1;
    for (auto i = static_cast<studies::replay::TraceRank>(definitions_.ranks.size()); i < location;
         ++i)
      number += definitions_.rank_of(i) == rank && definitions_.is_stream(i) == is_stream;
    return fmt::format("rank {}, {} {}", rank, is_stream ? "stream" : "thread", number);
  }

  void add_rank(const studies::replay::TimelineRank& rank) {
    row_of_[rank.rank] = made_.rows.size();
    TimelineRow row{.name = row_name(rank.rank), .bars = {}};
    row.bars.push_back({report_.is_changed ? "trace" : "", spans(rank.before)});
    if (report_.is_changed) row.bars.push_back({"replayed", spans(rank.after)});
    made_.rows.push_back(std::move(row));
  }

  std::vector<TimelineSpan> spans(const std::vector<studies::replay::TimelineSpan>& bar) const {
    std::vector<TimelineSpan> made;
    for (const auto& span : bar)
      made.push_back({seconds(span.from), seconds(span.to), series_of_[span.kind]});
    return made;
  }

  void add_message(const studies::replay::TimelineMessage& message) {
    const auto add = [&](std::size_t bar, Ticks from, Ticks to) {
      if (from < timeline_.from || to > timeline_.to) return;
      made_.arrows.push_back(
          {row_of_[message.from], row_of_[message.to], bar, seconds(from), seconds(to)});
    };
    if (report_.has_times) add(0, message.sent.before, message.received.before);
    if (report_.is_changed && !message.is_cut) add(1, message.sent.after, message.received.after);
  }

  void add_notes() {
    if (!made_.arrows.empty())
      made_.notes.emplace_back("lines: messages, from the send to the end of the receive");
    if (timeline_.ranks.size() < definitions_.locations())
      made_.notes.push_back(
          fmt::format("{} of {}", timeline_.ranks.size(), location_words(definitions_)));
    if (timeline_.narrow_pieces > 0) made_.notes.push_back(picture_text(narrow_note()));
    if (timeline_.message_count > timeline_.messages.size())
      made_.notes.push_back(
          fmt::format("{} messages between these ranks are not drawn", timeline_.message_count));
  }

  std::string narrow_note() const {
    const auto what = fmt::format("{} of {} calls and computations are shorter than",
                                  timeline_.narrow_pieces, timeline_.pieces);
    const auto length = format_seconds(seconds(timeline_.column));
    if (!report_.is_for_page)
      return fmt::format("{} a pixel ({}): each pixel shows the longest one", what, length);
    return fmt::format(
        "{} {}, the finest detail of this page, where the longest one is shown; --timeline-window "
        "selects a part to show in full",
        what, length);
  }

  const ReplayTimeline& report_;
  const TraceDefinitions& definitions_;
  const studies::replay::ReplayResult& result_;
  const Timeline& timeline_;
  TimelinePicture made_;
  std::vector<std::size_t> series_of_;  // by kind
  std::map<TraceRank, std::size_t> row_of_;
};

}  // namespace

TimelinePicture replay_timeline_picture(const ReplayTimeline& report,
                                        const TraceDefinitions& definitions,
                                        const studies::replay::ReplayResult& result,
                                        const Timeline& timeline) {
  return Making(report, definitions, result, timeline).picture();
}

}  // namespace tutti::reports
