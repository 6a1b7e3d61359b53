// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "sim/base/text_file.hpp"
#include "sim/params/keeping.hpp"
#include "sim/params/report/reports.hpp"
#include "sim/reports/cell_json.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/reports/record_table.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

using store::NamedText;
using store::ParameterSet;

// All fields except the lists.
Row numbered_row(const ParameterSet& set) {
  Row row = store::fields_row(set);
  row.insert(row.begin(), {"number", set.number});
  return row;
}

Json list_json(const std::vector<NamedText>& list) {
  Json object = Json::object();
  for (const auto& [name, value] : list) object[name] = value;
  return object;
}

// Reads one line of JSON and checks the type of every value.
class SetJsonReader {
 public:
  explicit SetJsonReader(const Json& json) : json_(json) {}

  ParameterSet read() {
    ParameterSet set;
    store::visit_fields(set, [&](const char* name, auto& member) { read(name, member); });
    if (set.metric_value.value_or(0) < 0 && studies::params::is_never_negative(set.metric))
      wrong("value", "at least 0");
    set.parameters = list("parameters");
    set.about = list("about");
    if (set.parameters.empty()) wrong("parameters", "a non-empty object");
    return set;
  }
  const std::string& problem() const { return problem_; }

 private:
  void wrong(const char* name, const char* expected) {
    if (problem_.empty()) problem_ = fmt::format("{} must be {}", in_quotes(name), expected);
  }
  const Json* find(const char* name) const {
    const auto member = json_.find(name);
    return member == json_.end() || member->is_null() ? nullptr : &*member;
  }
  void read(const char* name, std::string& text) {
    const bool is_needed = store::is_needed(name);
    const Json* value = find(name);
    const bool is_text = value != nullptr && value->is_string();
    if (value != nullptr ? !is_text : is_needed) wrong(name, "a string");
    if (!is_text) return;
    text = value->get<std::string>();
    if (printable(text) != text || (is_needed && text.empty()))
      wrong(name, "one line of printable text");
  }
  void read(const char* name, std::optional<std::int64_t>& number) {
    const Json* value = find(name);
    if (value == nullptr) return;
    const std::int64_t least = std::string_view(name) == "message_bytes" ? 0 : 1;
    if (value->is_number_integer()) number = value->get<std::int64_t>();
    if (number.value_or(least - 1) < least)
      wrong(name, least == 0 ? "a non-negative integer" : "a positive integer");
  }
  void read(const char* name, std::optional<double>& number) {
    const Json* value = find(name);
    if (value == nullptr) return;
    if (value->is_number()) number = value->get<double>();
    if (!number || !std::isfinite(*number)) wrong(name, "a number");
  }
  void read(const char* name, bool& flag) {
    const Json* value = find(name);
    if (value == nullptr) return;
    if (!value->is_boolean()) return wrong(name, "true or false");
    flag = value->get<bool>();
  }
  std::vector<NamedText> list(const char* name) {
    std::vector<NamedText> entries;
    const Json* object = find(name);
    if (object == nullptr) return entries;
    if (!object->is_object()) wrong(name, "an object");
    for (const auto& [key, value] : object->items()) {
      if (!value.is_string() || printable(key) != key ||
          printable(value.get<std::string>()) != value.get<std::string>()) {
        wrong(name, "an object of strings");
        continue;
      }
      entries.push_back({key, value.get<std::string>()});
    }
    return entries;
  }

  const Json& json_;
  std::string problem_;
};

}  // namespace

std::string set_json(const ParameterSet& set) {
  Json json = Json::object();
  for (const auto& cell : numbered_row(set)) json[cell.name] = cell_json(cell.value);
  json["parameters"] = list_json(set.parameters);
  json["about"] = list_json(set.about);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<std::vector<ParameterSet>> read_sets_json(std::string_view text, const std::string& file) {
  constexpr std::size_t longest_line = 1 << 20;
  std::vector<ParameterSet> sets;
  LineReader lines(text, file);
  while (const auto line = lines.next()) {
    const Json json = line->size() > longest_line ? Json() : Json::parse(*line, nullptr, false);
    if (!json.is_object()) {
      lines.reject("expected a JSON object", "one per line, as `sim params export` writes them");
      continue;
    }
    SetJsonReader reader(json);
    sets.push_back(reader.read());
    if (!reader.problem().empty()) lines.reject(reader.problem());
  }
  if (!lines.errors().empty()) return lines.errors().errors();
  if (sets.empty()) return make_error(ErrorKind::input, file, "contains no parameter sets");
  return sets;
}

namespace {

Table sets_table(const std::vector<ParameterSet>& sets) {
  std::set<std::string> names;
  for (const auto& set : sets)
    for (const auto& parameter : set.parameters) names.insert(parameter.name);
  TableOf table(sets);
  for (const auto& field : numbered_row({}))
    table.add(field.name, [&](auto& set) { return cell_in(numbered_row(set), field.name); });
  for (const auto& name : names)
    table.add(name, [&](auto& set) {
      const auto* value = store::find_text(set.parameters, name);
      return value == nullptr ? Cell() : Cell(*value);
    });
  return table.take().table;
}

std::string text_or_dash(const std::string& text) { return text.empty() ? "-" : text; }

std::string message_text(const ParameterSet& set) {
  const auto& bytes = set.key.use.message_bytes;
  return bytes ? format_bytes(*bytes) : "-";
}

std::string achieved_text(const ParameterSet& set) {
  return set.metric_value ? fmt::format("{} {}", set.metric, *set.metric_value) : "-";
}

// Columns in which no set has a value are omitted.
TextTable listing_table(const std::vector<ParameterSet>& sets) {
  using Set = ParameterSet;
  TextTable table;
  RecordColumns columns(sets, table);
  columns.add("Set", &Set::number);
  columns.add("Host", [](const Set& s) { return s.key.host; }, {.left = true});
  columns.add("Application", [](const Set& s) { return s.key.application; }, {.left = true});
  columns.add("Category", [](const Set& s) { return text_or_dash(s.category); },
              {.left = true, .spare = 5});
  columns.add("Build", [](const Set& s) { return text_or_dash(s.key.build.substr(0, 8)); },
              {.left = true, .spare = 7});
  columns.add("Collective", [](const Set& s) { return text_or_dash(s.key.use.collective); },
              {.left = true});
  columns.add("Procs", [](const Set& s) { return s.key.use.procs; });
  columns.add("Nodes", [](const Set& s) { return s.key.use.nodes; }, {.spare = 4});
  columns.add("Message", message_text);
  columns.add("Problem", [](const Set& s) { return s.key.use.problem_size; }, {.spare = 3});
  columns.add("Parameters", [](const Set& s) { return std::ssize(s.parameters); }, {.spare = 2});
  columns.add("Achieved", achieved_text, {.left = true, .spare = 1});
  columns.add("Stored", [](const Set& s) { return s.stored.substr(0, 10); },
              {.left = true, .spare = 6});
  columns.add("State", [](const Set& s) { return s.is_current ? "-" : "history"; }, {.left = true});
  std::erase_if(table.columns, [](const auto& column) {
    return std::ranges::all_of(column.cells, [](const auto& cell) { return cell == "-"; });
  });
  return table;
}

std::string json_lines(const std::vector<ParameterSet>& sets) {
  std::string text;
  for (const auto& set : sets) text += set_json(set) + '\n';
  return text;
}

std::string json_text(const std::vector<ParameterSet>& sets) {
  std::string text = "{\"schema\": \"sim.params/1\", \"sets\": [";
  for (const auto& set : sets)
    text += fmt::format("{}\n{}", &set == &sets.front() ? "" : ",", set_json(set));
  return text + "\n]}\n";
}

}  // namespace

std::string render_sets(const std::vector<ParameterSet>& sets, const std::string& format) {
  if (format == "csv") return csv_table(sets_table(sets));
  if (format == "json") return json_text(sets);
  if (format == "jsonl") return json_lines(sets);
  if (sets.empty()) return "no parameter sets\n";
  return format == "md" ? markdown_table(listing_table(sets)).substr(1)
                        : table_text(listing_table(sets), page_width);
}

}  // namespace tutti::reports
