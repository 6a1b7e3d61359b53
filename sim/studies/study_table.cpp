// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/study_table.hpp"

#include "sim/jobs/io_record.hpp"
#include "sim/jobs/ping_pong_record.hpp"
#include "sim/jobs/record.hpp"
#include "sim/options/axis.hpp"
#include "sim/store/merge.hpp"

namespace tutti::studies {
namespace {

using OptionKind = StudyOption::Kind;

constexpr options::AxisKind sizes{parse_bytes, 0, INT64_MAX, options::units_hint};
constexpr options::AxisKind counts{parse_integer};

// Replaces ".." by ":", since "1..8" is equivalent to "1:8".
std::string replace_dots(std::string text) {
  for (auto at = text.find(".."); at != text.npos; at = text.find("..", at + 1))
    text.replace(at, 2, ":");
  return text;
}

bool is_range(const std::string& text) { return text.find_first_of(":,") != text.npos; }

// Commas separate names, and also the parameters of a hierarchical algorithm.
std::vector<std::string> split_values(const std::string& text) {
  if (text.find('=') != text.npos) return {text};
  return split_words(text, ',');
}

constexpr std::string_view first_columns[] = {"key", "status", "platform", "platform_hash"};

// Rows whose cells are in the order in which their columns first occurred.
struct Unordered {
  std::map<std::string, std::size_t> column_of;
  std::vector<std::vector<Cell>> rows;

  bool has(const std::string& name) const { return column_of.count(name) > 0; }
  void set(const std::string& name, Cell value) {
    const auto column = column_of.emplace(name, column_of.size()).first->second;
    auto& row = rows.back();
    if (row.size() <= column) row.resize(column + 1);
    row[column] = std::move(value);
  }
};

void add_point(Unordered& all, const store::StoredPoint& point) {
  all.rows.emplace_back();
  all.set("key", point.key);
  all.set("status", std::string(point.status == store::Status::done ? "done" : "failed"));
  for (const auto& cell : point.values) all.set(cell.name, cell.value);
}

class ColumnOrder {
 public:
  ColumnOrder(const Unordered& all, bool with_cost) : all_(all), with_cost_(with_cost) {}

  std::vector<std::string> names() {
    for (const auto name : first_columns) add(name);
    for (const auto& [name, column] : all_.column_of)
      if (is_override(name)) add(name);
    if (all_.has("collective")) add_columns<Record>();
    if (all_.has("operation")) add_columns<IoRecord>();
    if (all_.has("workload")) add_columns<PingPongRecord>();
    for (const auto& [name, column] : all_.column_of)
      if (name != "error") add(name);
    add("error");
    return std::move(names_);
  }

 private:
  template <class Record>
  void add_columns() {
    for (const auto& column : columns_of<Record>()) add(column.name);
  }
  void add(std::string_view name) {
    const bool unwanted =
        name == "description" || store::is_output(name) || (!with_cost_ && store::is_cost(name));
    if (!unwanted && std::find(names_.begin(), names_.end(), name) == names_.end())
      names_.emplace_back(name);
  }

  const Unordered& all_;
  bool with_cost_;
  std::vector<std::string> names_;
};

std::vector<Cell> order_row(const Unordered& all, std::vector<Cell>& row,
                            const std::vector<std::string>& names) {
  std::vector<Cell> ordered(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto column = all.column_of.find(names[i]);
    if (column != all.column_of.end() && column->second < row.size())
      ordered[i] = std::move(row[column->second]);
  }
  return ordered;
}

}  // namespace

KnownOptions::KnownOptions(const std::vector<StudyOption>& options) {
  for (const StudyOption& option : options) by_key_.emplace(option.key, option);
}

std::optional<StudyOption> KnownOptions::find(const std::string& key) const {
  if (is_override(key)) return StudyOption{key, key, OptionKind::text};
  const auto option = by_key_.find(key);
  return option == by_key_.end() ? std::nullopt : std::optional(option->second);
}

std::vector<std::string> KnownOptions::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, option] : by_key_) keys.push_back(key);
  return keys;
}

Result<std::vector<std::string>> expand_value(const std::string& text, const StudyOption& option) {
  const bool is_setting = is_override(option.key);
  const std::string range = replace_dots(text);
  if (option.kind == OptionKind::names) return split_values(text);
  const bool is_number = option.kind == OptionKind::count || option.kind == OptionKind::bytes;
  if (!(is_number || is_setting) || !is_range(range)) return std::vector{text};
  const auto values = options::parse_axis(range, option.kind == OptionKind::count ? counts : sizes);
  if (!values && is_setting) return std::vector{text};
  if (!values) return values.errors();
  std::vector<std::string> expanded;
  for (const auto value : *values) expanded.push_back(std::to_string(value));
  return expanded;
}

Result<Table> study_table(const store::Store& store, bool with_cost) {
  Unordered all;
  if (auto error = store.visit([&](const auto& point) { add_point(all, point); })) return *error;
  Table table{ColumnOrder(all, with_cost).names(), std::move(all.rows)};
  for (auto& row : table.rows) row = order_row(all, row, table.columns);
  return table;
}

}  // namespace tutti::studies
