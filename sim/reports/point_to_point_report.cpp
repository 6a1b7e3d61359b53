// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/point_to_point_report.hpp"

#include "sim/reports/cell_json.hpp"
#include "sim/reports/record_table.hpp"

namespace tutti::reports {

std::string us_text(const std::optional<Seconds>& time_s) {
  if (!time_s) return "-";
  const double time_us = *time_s * 1e6;
  // Compares the printed values: 0.09999 is printed as 0.100.
  if (time_us > 0 && time_us < 0.09995) return fmt::format("{:.3g}", time_us);
  return fmt::format("{:.{}f}", time_us, time_us < 9.9995 ? 3 : 2);
}

std::string route_text(const RouteText& route) {
  const std::string ends = route.from == route.to ? "inside node " + route.from
                                                  : fmt::format("{} -> {}", route.from, route.to);
  return printable(fmt::format("{}, latency {}, at most {}", ends, format_seconds(route.latency_s),
                               format_rate(route.bandwidth_Bps)));
}

namespace {

using jobs::PingPongRecord;
using PingPongRecords = std::vector<PingPongRecord>;

auto ping_pong_series(const PingPongRecord& record) {
  return std::tuple(record.platform_index, record.pattern, record.path, record.window.value_or(0));
}

std::string mbps_text(const std::optional<double>& bandwidth_Bps) {
  return bandwidth_Bps ? fmt::format("{:.2f}", *bandwidth_Bps / 1e6) : "-";
}

bool has_models(const PingPongRecord& record) { return record.model_hockney_s.has_value(); }

std::string meaning_of(const PingPongRecord& record) {
  if (record.pattern == "pingpong") return "pingpong: half of the round-trip time of a message";
  if (record.pattern == "bidirectional")
    return "bidirectional: both send at once; time until both have received; total bandwidth";
  return fmt::format("stream: {} messages per window and one reply; time per message",
                     record.window.value_or(0));
}

std::vector<std::string> title_of(const PingPongReport& report) {
  const PingPongRecords& records = report.records;
  const PingPongRecord& first = records.front();
  std::vector<std::string> title{printable(fmt::format(
      "Point to point on {}, engine {}", report.provenance.platform_name(), first.engine))};
  std::set<std::string> reported;
  const auto add_note = [&](const std::string& sentence) {
    if (reported.insert(sentence).second) title.push_back(sentence);
  };
  for (const auto& record : records)
    add_note(route_text(
        {record.from_node, record.to_node, record.path_latency_s, record.path_bandwidth_Bps}));
  for (const auto& record : records) add_note(meaning_of(record));
  return title;
}

bool is_latency(const PingPongRecord& record) { return record.pattern == "pingpong"; }

void add_columns(const PingPongReport& report, TextTable& table) {
  const PingPongRecords& records = report.records;
  RecordColumns columns(records, table);
  columns.add("Size (B)", &PingPongRecord::message_bytes);
  add_platforms(report, columns);
  columns.add_axis("Pattern", &PingPongRecord::pattern, {.left = true});
  columns.add_axis("Path", &PingPongRecord::path);
  columns.add_axis("Window", &PingPongRecord::window);
  columns.group_by(ping_pong_series);
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

TextTable table_of(const PingPongReport& report) {
  TextTable table;
  const PingPongRecords& records = report.records;
  if (records.empty()) return table;
  table.title = title_of(report);
  add_columns(report, table);
  if (const auto record = std::ranges::find_if(records, has_models); record != records.end())
    table.notes.push_back(
        printable(fmt::format("formulas: Hockney with {}, LogGP with {}", record->model_hockney_set,
                              record->model_loggp_set)));
  add_wall_note(report, records, table);
  return table;
}

std::pair<std::string, const char*> ping_pong_head(const PingPongRecord& record) {
  const RouteText route{record.from_node, record.to_node, record.path_latency_s,
                        record.path_bandwidth_Bps};
  return {printable(fmt::format("{}, {}", meaning_of(record), route_text(route))),
          is_latency(record) ? "Latency (us)" : "Bandwidth (MB/s)"};
}

double osu_value(const PingPongRecord& record) {
  return is_latency(record) ? record.time_s * 1e6 : record.bandwidth_Bps.value_or(0) / 1e6;
}

}  // namespace

std::string render_ping_pong(const PingPongReport& report, Format format,
                             std::optional<std::size_t> width) {
  if (format == Format::osu)
    return osu_page(report, 20, ping_pong_series, ping_pong_head, osu_value);
  return render_records(report, format, width, [&] { return table_of(report); });
}

namespace {

using studies::IntervalOf;
using studies::LogGPRecord;
using studies::ProtocolRange;
using studies::ProtocolSeen;

constexpr const char* measured_set_name = "measured";

std::string ns_text(const std::optional<double>& s_per_B) {
  return s_per_B ? fmt::format("{:.4g}", *s_per_B * 1e9) : "-";
}

// A gap hidden by an overhead is at most the measured interval.
std::string gap_text(const LogGPRecord& r) {
  if (r.g_s) return us_text(r.g_s);
  return r.interval_of == studies::interval_name(IntervalOf::network) ? "-" : "hidden";
}

std::vector<std::string> title_of(const LogGPReport& report) {
  const LogGPRecord& first = report.records.front();
  return {printable(fmt::format("LogGP parameters measured on {}, engine {}",
                                report.provenance.platform_name(), first.engine)),
          route_text(
              {first.from_node, first.to_node, report.path_latency_s, report.path_bandwidth_Bps}),
          fmt::format("Netgauge's method, {} messages; times in us, G in ns/B",
                      studies::round_trip_messages)};
}

void add_columns(const std::vector<LogGPRecord>& records, TextTable& table) {
  RecordColumns columns(records, table);
  columns.add("Size (B)", &LogGPRecord::message_bytes);
  columns.add("L", in_us(&LogGPRecord::L_s));
  columns.add("o_s", in_us(&LogGPRecord::o_send_s));
  columns.add("o_r", in_us(&LogGPRecord::o_recv_s));
  columns.add("Interval", in_us(&LogGPRecord::interval_s));
  columns.add("g", gap_text);
  columns.add("G", [](const LogGPRecord& r) { return ns_text(r.G_s_per_B); }, {.spare = 1});
  columns.add("RTT", in_us(&LogGPRecord::rtt_s), {.spare = 2});
  columns.add("Protocol", &LogGPRecord::protocol, {.left = true});
}

// The parameters that were determined.
std::string parameters_of(const studies::MeasuredSet& set) {
  std::vector<std::string> parts;
  if (set.L_s) parts.push_back("L " + us_text(set.L_s) + " us");
  parts.push_back(fmt::format("o {} us (o_s {} us, o_r {} us)", us_text(set.o_s()),
                              us_text(set.o_send_s), us_text(set.o_recv_s)));
  if (set.G_s_per_B) parts.push_back(fmt::format("G {} ns/B", ns_text(set.G_s_per_B)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void add_undetermined(const LogGPReport& report, std::vector<std::string>& notes) {
  const studies::MeasuredSet& set = report.measured.set;
  if (!set.L_s)
    notes.push_back(report.measured.ranges.front().protocol == ProtocolSeen::eager
                        ? "L is not determined: too few sizes to separate it from the time per byte"
                        : "L is not determined: even the smallest message waits for the other "
                          "side, and the overheads include this wait");
  if (!set.G_s_per_B)
    notes.push_back(
        "G is not determined: no three sizes of one protocol at which the time per byte limits the "
        "message rate");
}

std::string gap_note(const studies::MeasuredSet& set, Seconds interval_s) {
  if (set.g_is != IntervalOf::network)
    return fmt::format("g is not determined: hidden by {}, at most {} us{}",
                       set.g_is == IntervalOf::send_overhead ? "o_s" : "o_r", us_text(interval_s),
                       set.g.empty() ? "" : "; the set uses this bound");
  if (set.g.empty()) return fmt::format("g {} us, for the smallest message", us_text(interval_s));
  std::vector<std::string> parts{us_text(set.g.front().a) + " us"};
  for (std::size_t i = 1; i < set.g.size(); ++i)
    parts.push_back(fmt::format("above {} {}", format_bytes(set.g[i].above), us_text(set.g[i].a)));
  return fmt::format("g {}", fmt::join(parts, ", "));
}

std::string range_note(const ProtocolRange& range, bool is_first, bool is_last) {
  std::string text = fmt::format("{}", studies::protocol_name(range.protocol));
  if (!is_first) text += fmt::format(" from {} B", range.first);
  if (!is_last) text += fmt::format(" up to {} B", range.last);
  if (range.G_s_per_B) text += fmt::format(", G {} ns/B", ns_text(range.G_s_per_B));
  if (range.protocol == ProtocolSeen::detached) text += ": o_r includes the receiver's wait";
  if (range.protocol == ProtocolSeen::rendezvous)
    text += ": o includes the wait for the other side";
  return text;
}

std::vector<std::string> notes_of(const LogGPReport& report) {
  const auto& ranges = report.measured.ranges;
  const studies::MeasuredSet& set = report.measured.set;
  std::vector<std::string> notes{parameters_of(set)};
  notes.push_back(gap_note(set, report.records.front().interval_s));
  add_undetermined(report, notes);
  for (const ProtocolRange& range : ranges)
    notes.push_back(range_note(range, &range == &ranges.front(), &range == &ranges.back()));
  if (set.l_s && set.b_Bps)
    notes.push_back(
        fmt::format("Hockney: l {} us, b {}", us_text(set.l_s), format_rate(*set.b_Bps)));
  if (!studies::model_options(set, measured_set_name).empty())
    notes.emplace_back(
        "--format props prints these for a platform file, --format options for a command line");
  return notes;
}

TextTable table_of(const LogGPReport& report) {
  TextTable table;
  if (report.records.empty()) return table;
  table.title = title_of(report);
  add_columns(report.records, table);
  table.notes = notes_of(report);
  add_wall_note(report, report.records, table);
  return table;
}

Json maybe(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json set_json(const studies::LogGPMeasurement& measured) {
  const studies::MeasuredSet& set = measured.set;
  Json g = Json::array();
  for (const auto& section : set.g)
    g.push_back({{"above_bytes", section.above}, {"g_s", section.a}});
  return {{"from_node", measured.from},
          {"to_node", measured.to},
          {"L_s", maybe(set.L_s)},
          {"o_send_s", set.o_send_s},
          {"o_recv_s", set.o_recv_s},
          {"o_s", set.o_s()},
          {"g", g},
          {"g_is", studies::interval_name(set.g_is)},
          {"G_s_per_B", maybe(set.G_s_per_B)},
          {"hockney_l_s", maybe(set.l_s)},
          {"hockney_b_Bps", maybe(set.b_Bps)}};
}

Json range_json(const studies::ProtocolRange& range) {
  return {{"protocol", studies::protocol_name(range.protocol)},
          {"first_bytes", range.first},
          {"last_bytes", range.last},
          {"G_s_per_B", maybe(range.G_s_per_B)}};
}

// The points and the parameters computed from them.
std::string json_of(const LogGPReport& report) {
  Json all = points_json(report, points_of(report, report.records));
  all["loggp"] = set_json(report.measured);
  all["protocols"] = Json::array();
  for (const auto& range : report.measured.ranges) all["protocols"].push_back(range_json(range));
  return dumped(all, 2);
}

}  // namespace

std::string render_loggp(const LogGPReport& report, Format format,
                         std::optional<std::size_t> width) {
  if (format == Format::json) return json_of(report);
  return render_records(report, format, width, [&] { return table_of(report); });
}

std::string loggp_props(const LogGPReport& report) {
  std::string text;
  for (const auto& [key, value] : studies::model_options(report.measured.set, measured_set_name))
    text += fmt::format("<prop id=\"{}\" value=\"{}\"/>\n", key, value);
  return text;
}

std::string loggp_set_options(const LogGPReport& report) {
  std::string text;
  for (const auto& [key, value] : studies::model_options(report.measured.set, measured_set_name))
    text += fmt::format("--set '{}={}'\n", key, value);
  return text;
}

}  // namespace tutti::reports
