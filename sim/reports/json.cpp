// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/cell_json.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/head_json.hpp"

namespace tutti::reports {
namespace {

using Json = nlohmann::ordered_json;

Json point_of(const ReportHead& head, const Table& points, const std::vector<Cell>& row) {
  Json point = row_json(points, row);
  if (head.critical_path) point["critical_path"] = critical_path_json(*head.critical_path);
  return point;
}

}  // namespace

std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + '\n';
}

Json points_json(const ReportHead& head, const Table& points) {
  Json all = head_json(head);
  all["points"] = Json::array();
  for (const auto& row : points.rows) all["points"].push_back(point_of(head, points, row));
  return all;
}

std::string json_page(const ReportHead& head, const Table& points) {
  return dumped(points_json(head, points), 2);
}

std::string jsonl_page(const ReportHead& head, const Table& points) {
  std::string lines = dumped(head_json(head));
  for (const auto& row : points.rows) lines += dumped(point_of(head, points, row));
  return lines;
}

}  // namespace tutti::reports
