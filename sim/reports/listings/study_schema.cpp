// SPDX-License-Identifier: BSD-3-Clause
// Fills the options of studies into the form study_schema.json, which contains all other keys.
#include "sim/reports/cell_json.hpp"
#include "sim/reports/listings/listings.hpp"
#include "sim/reports/listings/study_schema.texts.hpp"

namespace tutti::reports {
namespace {

using Kind = studies::StudyOption::Kind;

Json type_of(Kind kind) {
  if (kind == Kind::flag) return "boolean";
  if (kind == Kind::count || kind == Kind::bytes) return Json::array({"integer", "string"});
  return Json::array({"string", "number"});
}

Json one_of_lists(const Json& value) {
  return {{"anyOf", Json::array({value, {{"type", "array"}, {"items", value}}})}};
}

// A section whose keys are options, or keys of --set, which contain a '/'.
Json section(const std::vector<studies::StudyOption>& options, bool has_lists) {
  const auto of = [&](const Json& value) { return has_lists ? one_of_lists(value) : value; };
  Json properties = Json::object();
  for (const auto& option : options) {
    Json value = of({{"type", type_of(option.kind)}});
    if (!option.help.empty()) value["description"] = option.help;
    properties[option.key] = std::move(value);
  }
  const Json number_or_text{{"type", Json::array({"string", "number", "boolean"})}};
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"patternProperties", {{"/", of(number_or_text)}}},
          {"additionalProperties", false}};
}

// Replaces the texts that are names of parts.
void fill(Json& json, const std::map<std::string, Json>& parts) {
  if (json.is_structured())
    for (auto& member : json) fill(member, parts);
  if (!json.is_string()) return;
  const auto part = parts.find(json.get<std::string>());
  if (part != parts.end()) json = part->second;
}

}  // namespace

std::string study_schema(const std::vector<studies::StudyOption>& options) {
  const Json lists = section(options, true);
  Json objective = lists;
  for (const auto& [key, type] :
       {std::pair("name", "string"), {"weight", "number"}, {"stage", "integer"}})
    objective["properties"][key] = {{"type", type}};
  Json schema = Json::parse(texts::study_schema["study_schema"]);
  fill(schema,
       {{"$options", section(options, false)}, {"$lists", lists}, {"$objective", objective}});
  return dumped(schema, 2);
}

}  // namespace tutti::reports
