// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "sim/reports/cell_json.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/head_json.hpp"
#include "sim/reports/io_report.hpp"

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
  return point;
}

Json point_of(const Report& report, const studies::Record& record) {
  Json point = point_of<studies::Record>(report, record, studies::columns());
  if (report.critical_path) point["critical_path"] = critical_path_json(*report.critical_path);
  return point;
}

std::string page_of(const Json& all) { return all.dump(2, ' ', false, replace_bad_utf8) + '\n'; }
std::string line_of(const Json& each) { return each.dump(-1, ' ', false, replace_bad_utf8) + '\n'; }

}  // namespace

std::string render_json(const Report& report) {
  Json all = head_json(report);
  all["points"] = Json::array();
  for (const auto& record : report.records) all["points"].push_back(point_of(report, record));
  return page_of(all);
}

std::string render_io_json(const IoReport& report) {
  Json all = head_json(report);
  all["points"] = Json::array();
  for (const auto& record : report.records)
    all["points"].push_back(point_of<studies::IoRecord>(report, record, studies::io_columns()));
  return page_of(all);
}

// The first line says where the others, one point each, come from.
std::string render_jsonl(const Report& report) {
  std::string lines = line_of(head_json(report));
  for (const auto& record : report.records) lines += line_of(point_of(report, record));
  return lines;
}

std::string render_io_jsonl(const IoReport& report) {
  std::string lines = line_of(head_json(report));
  for (const auto& record : report.records)
    lines += line_of(point_of<studies::IoRecord>(report, record, studies::io_columns()));
  return lines;
}

}  // namespace tutti::reports
