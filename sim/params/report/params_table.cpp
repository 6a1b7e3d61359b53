// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/report/params_table.hpp"

#include <nlohmann/json.hpp>

#include "sim/base/text_file.hpp"
#include "sim/params/keeping.hpp"
#include "sim/reports/cell_json.hpp"

namespace tutti::reports {
namespace {

using Json = nlohmann::ordered_json;
using store::NamedText;
using store::ParameterSet;

// What is not in lists.
Row row_of(const ParameterSet& set) {
  Row row = store::fields_row(set);
  row.insert(row.begin(), {"number", set.number});
  return row;
}

Json list_json(const std::vector<NamedText>& list) {
  Json object = Json::object();
  for (const auto& each : list) object[each.name] = each.value;
  return object;
}

// One line of JSON, read with a look at every type.
class SetReading {
 public:
  explicit SetReading(const Json& json) : json_(json) {}

  ParameterSet read() {
    ParameterSet set;
    store::visit_fields(set, [&](const char* name, auto& member) { read(name, member); });
    if (set.metric_value.value_or(0) < 0 && studies::params::is_never_negative(set.metric))
      wrong("value", "0 or more");
    set.parameters = list("parameters");
    set.about = list("about");
    if (set.parameters.empty()) wrong("parameters", "an object that is not empty");
    return set;
  }
  const std::string& problem() const { return problem_; }

 private:
  void wrong(const char* name, const char* what) {
    if (problem_.empty()) problem_ = fmt::format("{} is to be {}", in_quotes(name), what);
  }
  const Json* find(const char* name) const {
    const auto found = json_.find(name);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }
  void read(const char* name, std::string& text) {
    const bool is_needed = store::is_needed(name);
    const Json* value = find(name);
    const bool is_text = value != nullptr && value->is_string();
    if (value != nullptr ? !is_text : is_needed) wrong(name, "a text");
    if (!is_text) return;
    text = value->get<std::string>();
    if (printable(text) != text || (is_needed && text.empty())) wrong(name, "a line of text");
  }
  void read(const char* name, std::optional<std::int64_t>& number) {
    const Json* value = find(name);
    if (value == nullptr) return;
    const std::int64_t least = std::string_view(name) == "message_bytes" ? 0 : 1;
    if (value->is_number_integer()) number = value->get<std::int64_t>();
    if (number.value_or(least - 1) < least) wrong(name, "a whole number");
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
        wrong(name, "an object of texts");
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
  for (const auto& cell : row_of(set)) json[cell.name] = cell_json(cell.value);
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
      lines.refuse("is no JSON object", "a line each, as `sim params export` writes");
      continue;
    }
    SetReading reading(json);
    sets.push_back(reading.read());
    if (!reading.problem().empty()) lines.refuse(reading.problem());
  }
  if (!lines.errors().empty()) return lines.errors().errors();
  if (sets.empty()) return make_error(ErrorKind::input, file, "has no set of parameters");
  return sets;
}

Table sets_table(const std::vector<ParameterSet>& sets) {
  Table table;
  for (const auto& cell : row_of({})) table.columns.push_back(cell.name);
  const std::size_t own = table.columns.size();
  for (const auto& set : sets)
    for (const auto& each : set.parameters)
      if (std::find(table.columns.begin() + static_cast<std::ptrdiff_t>(own), table.columns.end(),
                    each.name) == table.columns.end())
        table.columns.push_back(each.name);
  std::sort(table.columns.begin() + static_cast<std::ptrdiff_t>(own), table.columns.end());
  for (const auto& set : sets) {
    std::vector<Cell> row;
    for (auto& cell : row_of(set)) row.push_back(std::move(cell.value));
    for (std::size_t i = own; i < table.columns.size(); ++i) {
      const auto found = std::ranges::find(set.parameters, table.columns[i], &NamedText::name);
      row.push_back(found == set.parameters.end() ? Cell() : Cell(found->value));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace tutti::reports
