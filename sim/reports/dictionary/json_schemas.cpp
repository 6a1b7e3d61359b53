// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/dictionary/json_schemas.hpp"

#include <nlohmann/json.hpp>

#include "sim/base/text_file.hpp"
#include "sim/engines/engine.hpp"
#include "sim/jobs/field.hpp"
#include "sim/reports/dictionary/dictionary.hpp"
#include "sim/reports/tables/shown.hpp"

namespace tutti::reports {
namespace {

using Json = nlohmann::ordered_json;

Json types_of_unit(ColumnUnit unit) {
  if (unit == ColumnUnit::text) return {"string"};
  if (unit == ColumnUnit::flag) return {"boolean"};
  if (unit == ColumnUnit::any) return {"string", "boolean", "number"};
  return {"number"};
}

// The values of members and columns that have an enumeration.
std::optional<Json> enumeration_of(std::string_view name) {
  if (name == "as") return Json(shown_names);
  if (name == "contention") return Json{"on", "off", "private", "pooled", nullptr};
  if (name != "engine") return std::nullopt;
  Json names = engines::engine_names();
  names.push_back(jobs::model_engine);
  names.push_back(nullptr);
  return names;
}

// The names of the types of all these columns, and null.
Json type_schema(std::string_view name, const std::vector<ColumnUnit>& units) {
  if (auto values = enumeration_of(name)) return {{"enum", *std::move(values)}};
  Json types = Json::array();
  for (const ColumnUnit unit : units)
    for (auto& type : types_of_unit(unit))
      if (std::ranges::find(types, type) == types.end()) types.push_back(type);
  types.push_back("null");
  return {{"type", types}};
}

// Groups of the dictionary that apply to a document, in the order in which they define a column:
// those of its command, those of the command's group, and those that all documents share.
std::array<std::vector<const ColumnGroup*>, 3> groups_of(std::string_view schema) {
  const auto words = split(schema.substr(0, schema.find('/')), '.');
  const std::string group = fmt::format("sim {}", words.at(1));
  const std::string_view last = words.size() < 3        ? std::string_view()
                                : words.at(2) == "jobs" ? std::string_view("FILE")
                                                        : std::string_view(words.at(2));
  const std::string command = fmt::format("{} {}", group, last);
  std::array<std::vector<const ColumnGroup*>, 3> groups;
  for (const auto& candidate : column_groups()) {
    const auto& title = candidate.title;
    for (const auto name : split(title, ','))
      if (trim(name) == command || trim(name) == group)
        groups[trim(name) == command ? 0 : 1].push_back(&candidate);
    if (title.starts_with("Reports of") || title.starts_with("sim run "))
      groups[2].push_back(&candidate);
  }
  return groups;
}

// The schemas of columns by name; "*" matches any characters.
std::map<std::string_view, Json> column_schemas(std::string_view schema) {
  std::map<std::string_view, Json> schemas;
  for (const auto& groups : groups_of(schema)) {
    std::map<std::string_view, std::vector<ColumnUnit>> units;
    for (const ColumnGroup* group : groups)
      for (const auto& column : group->columns) units[column.name].push_back(column.unit);
    for (const auto& [name, of_name] : units) schemas.try_emplace(name, type_schema(name, of_name));
  }
  return schemas;
}

class SchemaWriter {
 public:
  SchemaWriter(std::string_view schema, std::string_view members)
      : schema_(schema), rest_(members), columns_(column_schemas(schema)) {
    for (const auto& group : column_groups())
      for (const auto& column : group.columns)
        listed_[column.name.substr(0, column.name.find('['))].push_back(column.unit);
  }

  Json make() {
    Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", schema_}};
    json.update(object({{"schema", {{"const", schema_}}}}));
    return json;
  }

 private:
  static constexpr std::string_view signs = "{}[]?:*$ ";

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  bool read(char sign) {
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view read_name() {
    const auto name = rest_.substr(0, rest_.find_first_of(signs));
    rest_.remove_prefix(name.size());
    return name;
  }

  // The schema of an object whose members follow, up to a closing bracket.
  Json object(Json members = Json::object()) {
    Json required = Json::array(), patterns = Json::object();
    for (const auto& member : members.items()) required.push_back(member.key());
    bool is_open = false;
    for (skip_blanks(); !rest_.empty() && !read('}') && !read(']'); skip_blanks()) {
      if (read('*')) {
        is_open = true;
      } else if (read('$')) {
        read_name();
        for (const auto& [name, column] : columns_) add_column(name, column, members, patterns);
      } else {
        const std::string name(read_name());
        TUTTI_CHECK(!name.empty(), "a declared document has a sign without a name");
        if (!read('?')) required.push_back(name);
        members[name] = member_schema(name);
      }
    }
    // A column with a name of the user's may have the name of another column.
    if (is_open)
      for (auto& member : members) allow_texts(member);
    Json json = {{"type", "object"}, {"properties", std::move(members)}};
    if (!patterns.empty()) json["patternProperties"] = std::move(patterns);
    json["required"] = std::move(required);
    if (!is_open) json["additionalProperties"] = false;
    return json;
  }

  static void allow_texts(Json& schema) {
    const auto types = schema.find("type");
    if (types == schema.end() || !types->is_array()) return;
    if (std::ranges::find(*types, "string") == types->end()) types->push_back("string");
  }

  static void add_column(std::string_view name, const Json& column, Json& members, Json& patterns) {
    const auto star = name.find('*');
    if (star == name.npos)
      members[std::string(name)] = column;
    else
      patterns[fmt::format("^{}.*{}$", name.substr(0, star), name.substr(star + 1))] = column;
  }

  Json member_schema(const std::string& name) {
    if (read('{')) {
      Json schema = object();
      schema["type"] = {"object", "null"};
      return schema;
    }
    if (read('[')) {
      Json schema = {{"type", "array"}};
      if (!read(']')) schema["items"] = object();
      return schema;
    }
    if (read(':')) {
      const auto unit = read_name();
      return type_schema(name, {unit == "flag"     ? ColumnUnit::flag
                                : unit == "number" ? ColumnUnit::number
                                                   : ColumnUnit::text});
    }
    const auto column = columns_.find(name);
    if (column != columns_.end()) return column->second;
    if (const auto listed = listed_.find(name); listed != listed_.end())
      return type_schema(name, listed->second);
    const bool is_number = name.ends_with("_s") || name.ends_with("_Bps");
    return type_schema(name, {is_number ? ColumnUnit::number : ColumnUnit::text});
  }

  std::string schema_;
  std::string_view rest_;
  std::map<std::string_view, Json> columns_;
  std::map<std::string_view, std::vector<ColumnUnit>> listed_;  // in any group of the dictionary
};

void replace_all(std::string& text, const std::string& old, const std::string& replacement) {
  for (auto at = text.find(old); at != text.npos; at = text.find(old, at + replacement.size()))
    text.replace(at, old.size(), replacement);
}

// Joins each declaration with its indented continuation lines.
std::vector<std::string> joined_declarations(std::string_view text) {
  std::vector<std::string> joined;
  for (const auto line : split(text, '\n')) {
    if (trim(line).empty() || line.starts_with('#')) continue;
    if (line.starts_with(' ') && !joined.empty())
      joined.back() += fmt::format(" {}", trim(line));
    else
      joined.emplace_back(line);
  }
  return joined;
}

}  // namespace

std::vector<JsonSchema> json_schemas(std::string_view declarations) {
  std::vector<JsonSchema> schemas;
  std::vector<std::pair<std::string, std::string>> fragments;  // "$head" and its members
  for (const auto& declaration : joined_declarations(declarations)) {
    const std::string name = declaration.substr(0, declaration.find(' '));
    std::string members = declaration.substr(name.size());
    for (auto fragment = fragments.rbegin(); fragment != fragments.rend(); ++fragment)
      replace_all(members, fragment->first, fragment->second);
    if (name.starts_with('$')) {
      fragments.emplace_back(name, trim(members));
      continue;
    }
    const auto dot = name.find('.') + 1;
    schemas.push_back({name.substr(dot, name.find('/') - dot),
                       SchemaWriter(name, members).make().dump(1) + '\n'});
  }
  return schemas;
}

}  // namespace tutti::reports
