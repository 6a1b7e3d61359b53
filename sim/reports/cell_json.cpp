// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/cell_json.hpp"

#include "sim/base/printable_text.hpp"
#include "sim/reports/formats.hpp"

namespace tutti::reports {
namespace {

Json platform_json(const PlatformSource& platform,
                   const std::vector<platforms::Override>& overrides) {
  Json set = Json::object();
  for (const auto& [key, value] : overrides) set[key] = value;
  Json json = {{"name", platform.name},
               {"file", platform.file},
               {"catalog", platform.from_catalog},
               {"hash", platform.hash},
               {"hosts", platform.size.hosts},
               {"cores_per_host", platform.size.most_cores},
               {"cores", platform.size.cores},
               {"overrides", set}};
  if (!platform.routing.empty()) json["routing"] = platform.routing;
  if (!platform.background.empty()) json["background"] = platform.background;
  if (!platform.accelerators.empty()) json["accelerators"] = platform.accelerators;
  return json;
}

// "platform", or "platforms" of a report about several.
void add_platforms(const Provenance& from, Json& head) {
  if (from.platforms.size() == 1)
    head["platform"] = platform_json(from.platforms.front(), from.overrides);
  else
    for (const auto& platform : from.platforms)
      head["platforms"].push_back(platform_json(platform, from.overrides));
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
  add_platforms(from, head);
  if (!report.failed.empty()) head["failed"] = report.failed;
  return head;
}

std::string dumped(const Json& json, int indent) {
  return printable_json(json.dump(indent, ' ', false, Json::error_handler_t::replace)) + '\n';
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
