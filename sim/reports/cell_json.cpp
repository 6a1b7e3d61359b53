// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/cell_json.hpp"

#include "sim/reports/formats.hpp"

namespace tutti::reports {
namespace {

using Json = nlohmann::ordered_json;

Json platform_json(const Provenance& from) {
  Json overrides = Json::object();
  for (const auto& [key, value] : from.overrides) overrides[key] = value;
  return {{"name", from.platform_name},   {"file", from.platform_file},
          {"catalog", from.from_catalog}, {"hash", from.platform_hash},
          {"hosts", from.size.hosts},     {"cores_per_host", from.size.most_cores},
          {"cores", from.size.cores},     {"overrides", overrides}};
}

Json point_of(const ReportHead& head, const Table& points, const std::vector<Cell>& row) {
  Json point = row_json(points, row);
  if (head.critical_path) point["critical_path"] = critical_path_json(*head.critical_path);
  return point;
}

}  // namespace

Json head_json(const ReportHead& report, std::string_view schema) {
  const Provenance& from = report.provenance;
  Json head = {{"schema", schema},
               {"tutti",
                {{"version", from.version},
                 {"commit", from.commit},
                 {"simgrid_version", from.simgrid_version},
                 {"command", from.command}}}};
  if (!from.platform_name.empty()) head["platform"] = platform_json(from);
  if (!report.failed.empty()) head["failed"] = report.failed;
  return head;
}

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
