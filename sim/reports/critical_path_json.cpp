// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/reports/critical_path.hpp"
#include "sim/reports/inside_words.hpp"

namespace tutti::reports {
namespace {

using Json = nlohmann::ordered_json;
using engines::PathStep;

template <class Keys, class Parts>
void add_parts(const Keys& keys, const Parts& parts, Json& object) {
  for (std::size_t i = 0; i < keys.size(); ++i) object[std::string(keys[i]) + "_s"] = parts[i];
}

Json step_of(const PathStep& step, std::optional<runtime::RankId> first_target) {
  Json json{{"begin_s", step.begin_s}, {"end_s", step.end_s}};
  if (step.kind == PathStep::Kind::work) {
    json["rank"] = step.source;
    add_parts(work_keys, step.parts, json);
    if (is_target(step.source, first_target)) {
      json["disks_s"] = json["compute_s"];
      json["compute_s"] = 0;
    }
    return json;
  }
  json["source"] = step.source;
  json["destination"] = step.destination;
  json["message_bytes"] = step.bytes;
  json["tag"] = step.tag;
  json["protocol"] = protocol_name(step.protocol);
  json["late_receiver"] = step.late_receiver;
  json["waited_for_receiver_s"] = step.waited_s;
  add_parts(transit_keys, step.parts, json);
  return json;
}

}  // namespace

Json critical_path_json(const CriticalPath& path) {
  const PathShares shares = shares_of(path);
  Json json{{"rank", path.last_rank}, {"end_s", path.end_s}, {"messages", shares.messages}};
  if (path.first_target) json["first_target"] = *path.first_target;
  json["late_receivers"] = shares.late_receivers;
  json["waited_for_receivers_s"] = shares.waited_s;
  Json spent = Json::object();
  add_parts(work_keys, shares.work, spent);
  add_parts(transit_keys, shares.transit, spent);
  if (path.first_target) spent["disks_s"] = shares.disks_s;
  json["spent"] = std::move(spent);
  const std::size_t shown = std::min(path.steps.size(), most_json_steps);
  json["steps_left_out"] = path.steps.size() - shown;
  json["steps"] = Json::array();
  for (std::size_t i = 0; i < shown; ++i)
    json["steps"].push_back(step_of(path.steps[i], path.first_target));
  json["links"] = Json::array();
  for (const auto& link : path.links)
    json["links"].push_back({{"link", link.name},
                             {"bandwidth_Bps", link.bandwidth_Bps},
                             {"utilisation", link.utilisation},
                             {"busy_share", link.busy_share},
                             {"peak_flows", link.peak_flows},
                             {"path_messages", link.messages},
                             {"path_flow_s", link.flow_s}});
  return json;
}

}  // namespace tutti::reports
