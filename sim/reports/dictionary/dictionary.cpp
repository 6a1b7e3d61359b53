// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/dictionary/dictionary.hpp"

#include "sim/fit/loggp_record.hpp"
#include "sim/jobs/io_record.hpp"
#include "sim/jobs/ping_pong_record.hpp"
#include "sim/jobs/record.hpp"
#include "sim/reports/dictionary/columns.texts.hpp"
#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {
namespace {

struct UnitName {
  std::string_view type;
  std::string_view unit;  // empty: none
};
// In the order of the enumeration.
constexpr UnitName unit_names[] = {{"text", ""},      {"flag", ""},    {"number", "1"},
                                   {"number", "s"},   {"number", "B"}, {"number", "B/s"},
                                   {"number", "s/B"}, {"number", "%"}, {"any", ""}};
const UnitName& name_of(ColumnUnit unit) { return unit_names[static_cast<std::size_t>(unit)]; }

ColumnUnit unit_of_number(std::string_view name, bool is_whole) {
  if (name.ends_with("_s_per_B")) return ColumnUnit::seconds_per_byte;
  if (name.ends_with("_s") && !is_whole) return ColumnUnit::seconds;  // n_s is a count
  if (name == "columns") return ColumnUnit::bytes;                    // of an array
  const Quantity quantity = quantity_of(name);
  if (quantity == Quantity::bytes) return ColumnUnit::bytes;
  return quantity == Quantity::rate ? ColumnUnit::rate : ColumnUnit::number;
}

template <class Record>
ColumnUnit unit_of(const jobs::FieldOf<Record>& field) {
  return std::visit(
      [&]<class Value>(Value Record::*) {
        if (std::is_same_v<Value, std::string>) return ColumnUnit::text;
        if (std::is_same_v<Value, bool> || std::is_same_v<Value, std::optional<bool>>)
          return ColumnUnit::flag;
        return unit_of_number(field.name, !std::is_same_v<Value, double> &&
                                              !std::is_same_v<Value, std::optional<double>>);
      },
      field.member);
}

template <class Record>
ColumnGroup columns_of_record(std::string_view title) {
  ColumnGroup group{.title = title, .columns = {}};
  for (const auto& field : jobs::columns_of<Record>())
    group.columns.push_back({field.name, unit_of(field), field.meaning});
  return group;
}

// Units in columns.txt, in the order of the enumeration.
constexpr std::array<std::string_view, 9> declared_units = {
    "text", "flag", "number", "seconds", "bytes", "rate", "seconds_per_byte", "percent", "any"};

// The groups of columns.txt: titles in square brackets, and a line for each column.
std::vector<ColumnGroup> declared_groups() {
  std::vector<ColumnGroup> groups;
  for (const auto line : split(texts::columns["columns"], '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with('[')) {
      groups.push_back({.title = line.substr(1, line.size() - 2), .columns = {}});
      continue;
    }
    const auto name = line.substr(0, line.find(' '));
    const auto rest = line.substr(name.size() + 1);
    const auto unit = rest.substr(0, rest.find(' '));
    const auto known = std::ranges::find(declared_units, unit);
    TUTTI_CHECK(known != declared_units.end(), fmt::format("columns.txt: {}: unknown unit", name));
    groups.back().columns.push_back({name, static_cast<ColumnUnit>(known - declared_units.begin()),
                                     rest.substr(unit.size() + 1)});
  }
  return groups;
}

bool names_column(const ColumnMeaning& column, std::string_view name) {
  const auto star = column.name.find('*');
  if (star == column.name.npos) return column.name == name;
  const auto before = column.name.substr(0, star), after = column.name.substr(star + 1);
  return name == column.name || (name.size() > before.size() + after.size() &&
                                 name.starts_with(before) && name.ends_with(after));
}

struct ListedColumn {
  const ColumnGroup& group;
  const ColumnMeaning& column;
};

std::vector<ListedColumn> columns_named(const std::vector<std::string>& names) {
  std::vector<ListedColumn> listed;
  for (const auto& group : column_groups())
    for (const auto& column : group.columns)
      if (names.empty() || std::ranges::any_of(names, [&](const std::string& name) {
            return names_column(column, name);
          }))
        listed.push_back({group, column});
  return listed;
}

Error unknown_column(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& group : column_groups())
    for (const auto& column : group.columns) names.emplace_back(column.name);
  return usage_error("", fmt::format("unknown column {}", in_quotes(name)),
                     name.find('/') != name.npos
                         ? "it is a key of --set: `sim list tunables` describes these"
                         : did_you_mean(name, names, "`sim help columns` lists all columns"));
}

}  // namespace

const std::vector<ColumnGroup>& column_groups() {
  static const auto groups = [] {
    std::vector<ColumnGroup> all{columns_of_record<jobs::Record>("sim run COLLECTIVE"),
                                 columns_of_record<jobs::IoRecord>("sim run write, sim run read"),
                                 columns_of_record<jobs::PingPongRecord>("sim run pingpong"),
                                 columns_of_record<studies::LogGPRecord>("sim run loggp")};
    std::ranges::move(declared_groups(), std::back_inserter(all));
    return all;
  }();
  return groups;
}

Result<Document> columns_listing(const std::vector<std::string>& names) {
  for (const auto& name : names)
    if (columns_named({name}).empty()) return unknown_column(name);
  TableOf table(columns_named(names), {.name = "columns"});
  table.group("group", [](auto& row) { return row.group.title; });
  table.add("name", {"Column"}, [](auto& row) { return row.column.name; });
  table.add("type", {"Type"}, [](auto& row) { return name_of(row.column.unit).type; });
  table.add("unit", {"Unit"}, [](auto& row) { return text_cell(name_of(row.column.unit).unit); });
  table.add("meaning", {.how = Shown::below}, [](auto& row) { return row.column.meaning; });
  return listing_of("sim.columns/1", {table.take()});
}

}  // namespace tutti::reports
