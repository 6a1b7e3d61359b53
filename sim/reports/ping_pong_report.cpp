// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/ping_pong_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "sim/base/quote.hpp"
#include "sim/reports/point_to_point_text.hpp"
#include "sim/reports/record_pages.hpp"

namespace tutti::reports {
namespace {

using studies::PingPongRecord;
using PingPongRecords = std::vector<PingPongRecord>;

auto series_of(const PingPongRecord& record) {
  return std::tuple(record.pattern, record.path, record.window.value_or(0));
}

std::string mbps_text(const std::optional<double>& bandwidth_Bps) {
  return bandwidth_Bps ? fmt::format("{:.2f}", *bandwidth_Bps / 1e6) : "-";
}

bool has_models(const PingPongRecord& record) { return record.model_hockney_s.has_value(); }

std::string meaning_of(const PingPongRecord& record) {
  if (record.pattern == "pingpong") return "pingpong: half of the round trip of one message";
  if (record.pattern == "bidirectional")
    return "bidirectional: both send at once; until both have received; bandwidth of both ways";
  return fmt::format("stream: {} messages in a window and one answer; per message",
                     record.window.value_or(0));
}

std::vector<std::string> title_of(const PingPongReport& report) {
  const PingPongRecords& records = report.records;
  const PingPongRecord& first = records.front();
  std::vector<std::string> title{printable(fmt::format(
      "Point to point on {}, engine {}", report.provenance.platform_name, first.engine))};
  std::set<std::string> told;
  const auto tell = [&](const std::string& sentence) {
    if (told.insert(sentence).second) title.push_back(sentence);
  };
  for (const auto& each : records)
    tell(route_text({each.from_node, each.to_node, each.path_latency_s, each.path_bandwidth_Bps}));
  for (const auto& each : records) tell(meaning_of(each));
  return title;
}

bool is_latency(const PingPongRecord& record) { return record.pattern == "pingpong"; }

void add_columns(const PingPongRecords& records, PeopleTable& table) {
  RecordColumns columns(records, table);
  columns.add("Size (B)", &PingPongRecord::message_bytes);
  columns.add_axis("Pattern", &PingPongRecord::pattern, {.left = true});
  columns.add_axis("Path", &PingPongRecord::path);
  columns.add_axis("Window", &PingPongRecord::window);
  const bool are_latencies =
      !varies(records, &PingPongRecord::pattern) && is_latency(records.front());
  columns.add(are_latencies ? "Latency (us)" : "Time (us)", in_us(&PingPongRecord::time_s));
  columns.add("Bandwidth (MB/s)",
              [](const PingPongRecord& r) { return mbps_text(r.bandwidth_Bps); });
  columns.add("Protocol", &PingPongRecord::protocol, {.left = true});
  if (std::ranges::none_of(records, has_models)) return;
  columns.add("Hockney (us)", in_us(&PingPongRecord::model_hockney_s), {.spare = 2});
  columns.add("LogGP (us)", in_us(&PingPongRecord::model_loggp_s), {.spare = 1});
}

PeopleTable table_of(const PingPongReport& report) {
  PeopleTable table;
  const PingPongRecords& records = report.records;
  if (records.empty()) return table;
  table.title = title_of(report);
  add_columns(records, table);
  for (std::size_t i = 0; i < records.size(); ++i)
    table.starts_group.push_back(i > 0 && series_of(records[i]) != series_of(records[i - 1]));
  if (const auto each = std::ranges::find_if(records, has_models); each != records.end())
    table.notes.push_back(printable(fmt::format("formulas: Hockney with {}, LogGP with {}",
                                                each->model_hockney_set, each->model_loggp_set)));
  add_wall_note(report, records, table);
  return table;
}

// Columns as wide as those of the OSU benchmarks.
std::string osu_of(const PingPongReport& report) {
  std::string text = comments(report);
  const PingPongRecord* before = nullptr;
  for (const auto& record : report.records) {
    if (before == nullptr || series_of(*before) != series_of(record)) {
      text +=
          printable(fmt::format("# {}, {}", meaning_of(record),
                                route_text({record.from_node, record.to_node, record.path_latency_s,
                                            record.path_bandwidth_Bps}))) +
          '\n';
      text += fmt::format("{:<10}{:>20}\n", "# Size",
                          is_latency(record) ? "Latency (us)" : "Bandwidth (MB/s)");
    }
    const double value =
        is_latency(record) ? record.time_s * 1e6 : record.bandwidth_Bps.value_or(0) / 1e6;
    text += fmt::format("{:<10}{:>20.2f}\n", record.message_bytes, value);
    before = &record;
  }
  return text;
}

}  // namespace

std::string render_ping_pong(const PingPongReport& report, Format format,
                             std::optional<std::size_t> width) {
  if (format == Format::osu) return osu_of(report);
  return render_records(report, format, width, [&] { return table_of(report); });
}

}  // namespace tutti::reports
