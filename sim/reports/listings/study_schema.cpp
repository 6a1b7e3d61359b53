// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/cell_json.hpp"
#include "sim/reports/listings/listings.hpp"

namespace tutti::reports {
namespace {

using Json = nlohmann::ordered_json;
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

Json list_of(const Json& item) { return {{"type", "array"}, {"items", item}}; }

Json words(std::initializer_list<const char*> names) {
  Json properties = Json::object();
  for (const char* name : names) properties[name] = {{"type", "string"}};
  return {{"type", "object"}, {"properties", properties}};
}

}  // namespace

std::string study_schema(const std::vector<studies::StudyOption>& options) {
  const Json lists = section(options, true);
  return dumped({{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "A study of sim sweep"},
                 {"type", "object"},
                 {"properties",
                  {{"study", words({"name", "description"})},
                   {"base", section(options, false)},
                   {"matrix", lists},
                   {"zip", list_of(lists)},
                   {"exclude", list_of(lists)},
                   {"include", list_of(lists)},
                   {"report", {{"type", "object"}}}}},
                 {"additionalProperties", false}},
                2);
}

}  // namespace tutti::reports
