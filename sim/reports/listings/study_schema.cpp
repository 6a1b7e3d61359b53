// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/cell_json.hpp"
#include "sim/reports/listings/listings.hpp"

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

Json with_keys(Json section, std::initializer_list<std::pair<const char*, const char*>> keys) {
  for (const auto& [key, type] : keys) section["properties"][key] = {{"type", type}};
  return section;
}

Json any(std::initializer_list<const char*> types) {
  Json all = Json::array();
  for (const char* type : types) all.push_back(type);
  return {{"type", all}};
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

Json list_of(const Json& item) { return {{"type", "array"}, {"items", item}}; }

Json keys(std::initializer_list<std::pair<const char*, Json>> of) {
  Json properties = Json::object();
  for (const auto& [name, type] : of) properties[name] = type;
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

Json texts(std::initializer_list<const char*> names) {
  Json properties = Json::object();
  for (const char* name : names) properties[name] = {{"type", "string"}};
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

Json objective(const Json& lists) {
  return with_keys(lists, {{"name", "string"}, {"weight", "number"}, {"stage", "integer"}});
}

Json parameter() {
  const Json value = any({"string", "number", "boolean"});
  return keys({{"name", {{"type", "string"}}},
               {"values", one_of_lists(value)},
               {"default", value},
               {"when", {{"type", "string"}}}});
}

Json search() {
  const Json number = any({"number", "string"});
  return keys({{"method", one_of_lists({{"type", "string"}})},
               {"seed", {{"type", "integer"}}},
               {"budget", {{"type", "integer"}}},
               {"confidence", number},
               {"threshold", number},
               {"keep_one_of", {{"type", "integer"}}},
               {"batch", {{"type", "integer"}}},
               {"levels", one_of_lists({{"type", "integer"}})},
               {"survivors", number},
               {"without_effect", {{"enum", Json::array({"leave", "search"})}}}});
}

}  // namespace

std::string study_schema(const std::vector<studies::StudyOption>& options) {
  const Json lists = section(options, true);
  return dumped({{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "A study of sim sweep or sim tune"},
                 {"type", "object"},
                 {"properties",
                  {{"study", texts({"name", "description", "otpo", "profile"})},
                   {"base", section(options, false)},
                   {"matrix", lists},
                   {"zip", list_of(lists)},
                   {"exclude", list_of(lists)},
                   {"include", list_of(lists)},
                   {"report", {{"type", "object"}}},
                   {"objective", one_of_lists(objective(lists))},
                   {"parameter", list_of(parameter())},
                   {"search", search()},
                   {"constraint", texts({"memory"})}}},
                 {"additionalProperties", false}},
                2);
}

}  // namespace tutti::reports
