// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "sim/reports/cell_json.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/head_json.hpp"
#include "sim/reports/io_report.hpp"
#include "sim/reports/loggp_report.hpp"
#include "sim/reports/ping_pong_report.hpp"

namespace tutti::reports {
namespace {

using Json = nlohmann::ordered_json;

// File names may be any bytes; JSON is UTF-8.
constexpr auto replace_bad_utf8 = Json::error_handler_t::replace;

template <class Record>
Json point_of(const ReportHead& report, const Record& record,
              std::span<const studies::ColumnOf<Record>> columns) {
  Json point;
  for (const auto& column : columns)
    if (report.with_cost || !column.is_cost)
      point[std::string(column.name)] = cell_json(column.get(record));
  if (report.critical_path) point["critical_path"] = critical_path_json(*report.critical_path);
  return point;
}

std::string page_of(const Json& all) { return all.dump(2, ' ', false, replace_bad_utf8) + '\n'; }
std::string line_of(const Json& each) { return each.dump(-1, ' ', false, replace_bad_utf8) + '\n'; }

// All points of a workload whose report has nothing else.
template <class Record>
Json points_of(const ReportHead& report, const std::vector<Record>& records,
               std::span<const studies::ColumnOf<Record>> columns) {
  Json all = head_json(report);
  all["points"] = Json::array();
  for (const auto& record : records)
    all["points"].push_back(point_of<Record>(report, record, columns));
  return all;
}

// The first line says where the others, one point each, come from.
template <class Record>
std::string lines_of(const ReportHead& report, const std::vector<Record>& records,
                     std::span<const studies::ColumnOf<Record>> columns) {
  std::string lines = line_of(head_json(report));
  for (const auto& record : records) lines += line_of(point_of<Record>(report, record, columns));
  return lines;
}

template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json set_json(const studies::LogGPMeasurement& measured) {
  const studies::MeasuredSet& set = measured.set;
  Json g = Json::array();
  for (const auto& section : set.g)
    g.push_back({{"above_bytes", section.above}, {"g_s", section.a}});
  return {{"from_node", measured.from},
          {"to_node", measured.to},
          {"L_s", json_of(set.L_s)},
          {"o_send_s", set.o_send_s},
          {"o_recv_s", set.o_recv_s},
          {"o_s", set.o_s()},
          {"g", g},
          {"g_is", studies::interval_name(set.g_is)},
          {"G_s_per_B", json_of(set.G_s_per_B)},
          {"hockney_l_s", json_of(set.l_s)},
          {"hockney_b_Bps", json_of(set.b_Bps)}};
}

Json range_json(const studies::ProtocolRange& range) {
  return {{"protocol", studies::protocol_name(range.protocol)},
          {"first_bytes", range.first},
          {"last_bytes", range.last},
          {"G_s_per_B", json_of(range.G_s_per_B)}};
}

}  // namespace

std::string render_json(const Report& report) {
  return page_of(points_of<studies::Record>(report, report.records, studies::columns()));
}

std::string render_io_json(const IoReport& report) {
  return page_of(points_of<studies::IoRecord>(report, report.records, studies::io_columns()));
}

std::string render_ping_pong_json(const PingPongReport& report) {
  return page_of(
      points_of<studies::PingPongRecord>(report, report.records, studies::ping_pong_columns()));
}

std::string render_loggp_json(const LogGPReport& report) {
  Json all = points_of<studies::LogGPRecord>(report, report.records, studies::loggp_columns());
  all["loggp"] = set_json(report.measured);
  all["protocols"] = Json::array();
  for (const auto& range : report.measured.ranges) all["protocols"].push_back(range_json(range));
  return page_of(all);
}

std::string render_jsonl(const Report& report) {
  return lines_of<studies::Record>(report, report.records, studies::columns());
}

std::string render_io_jsonl(const IoReport& report) {
  return lines_of<studies::IoRecord>(report, report.records, studies::io_columns());
}

std::string render_ping_pong_jsonl(const PingPongReport& report) {
  return lines_of<studies::PingPongRecord>(report, report.records, studies::ping_pong_columns());
}

std::string render_loggp_jsonl(const LogGPReport& report) {
  return lines_of<studies::LogGPRecord>(report, report.records, studies::loggp_columns());
}

}  // namespace tutti::reports
