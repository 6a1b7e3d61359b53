// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/head_json.hpp"

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

}  // namespace tutti::reports
