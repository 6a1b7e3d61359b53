// SPDX-License-Identifier: BSD-3-Clause
// The tables of the page. A report declares how its columns are shown (TableLook); the page shows
// these columns first, under the same heads. Other columns are initially hidden.
#include "sim/base/common.hpp"
#include "sim/reports/cell_json.hpp"
#include "sim/reports/page/page_data.hpp"
#include "sim/reports/tables/columns.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

struct PageColumn {
  std::size_t at = 0;  // of the table
  std::string words;
  std::string_view quantity;  // of basics.js
  bool is_main = true;        // initially visible
};

bool has_values(const Table& table, std::size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return !is_empty(row[column]); });
}

std::string_view quantity_shown(Shown how) {
  using enum Shown;
  if (how == us || how == time) return "seconds";
  constexpr Shown numbers[] = {plain, name, by_size, below, significant};
  return std::ranges::find(numbers, how) != std::end(numbers) ? "number" : shown_name(how);
}

// The head without the unit, which is in each cell of the page.
std::string without_shown_unit(std::string head) {
  for (const std::string_view unit : {" (us)", " (ms)", " (s)", " (%)"})
    if (head.ends_with(unit)) return head.substr(0, head.size() - unit.size());
  return head;
}

std::string words_of_head(const Table& table, std::size_t column) {
  const std::string& name = table.columns[column];
  if (name == "requested_algorithm" && find_column(table, "algorithm")) return "requested";
  const std::string words = words_of(name);
  const auto has_same_words = [&](const std::string& other) { return words_of(other) == words; };
  if (std::ranges::count_if(table.columns, has_same_words) < 2) return clean_text(words);
  std::string whole = name;
  std::ranges::replace(whole, '_', ' ');
  return clean_text(whole);
}

PageColumn undeclared(const Table& table, std::size_t column) {
  return {column, words_of_head(table, column),
          name_of_quantity(quantity_of(table.columns[column]))};
}

PageColumn declared(std::size_t column, const ShownAs& as, const std::string& name) {
  std::string head = without_shown_unit(as.head);
  if (as.how == Shown::ms && !head.empty()) head += " (ms)";
  return {column, clean_text(head.empty() ? capitalized(words_of(name)) : head),
          quantity_shown(as.how)};
}

bool contains(const std::vector<PageColumn>& columns, std::size_t at) {
  return std::ranges::find(columns, at, &PageColumn::at) != columns.end();
}

// The columns that a report declares, after the one by which it groups the rows.
std::vector<PageColumn> declared_columns(const Table& table, const TableLook& look) {
  std::vector<PageColumn> columns;
  for (const auto& [name, as] : look.columns)
    if (const auto at = find_column(table, name)) columns.push_back(declared(*at, as, name));
  const auto group = find_column(table, look.group_by);
  if (group && !contains(columns, *group)) {
    columns.insert(columns.begin(), undeclared(table, *group));
    columns.front().words = capitalized(columns.front().words);
  }
  return columns;
}

// All columns with a value. Those that the report does not declare are hidden, unless it declares
// none.
std::vector<PageColumn> page_columns(const Table& table, const TableLook& look) {
  std::vector<PageColumn> columns = declared_columns(table, look);
  const bool has_declared = !columns.empty();
  for (std::size_t at = 0; at < table.columns.size(); ++at) {
    if (contains(columns, at)) continue;
    columns.push_back(undeclared(table, at));
    if (!has_declared) continue;
    columns.back().is_main = false;
    columns.back().words = capitalized(columns.back().words);
  }
  std::erase_if(columns, [&](const PageColumn& column) { return !has_values(table, column.at); });
  return columns;
}

// True for `requested_algorithm` if it equals `algorithm` at all points.
bool repeats_algorithm(const Table& table, std::size_t column) {
  const auto algorithm = find_column(table, "algorithm");
  return table.columns[column] == "requested_algorithm" && algorithm &&
         std::all_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return cells_equal(row[column], row[*algorithm]); });
}

// False for what the page shows in other places: constants, bookkeeping.
bool is_of_point(const Table& table, std::size_t column) {
  const std::string& name = table.columns[column];
  if (repeats_algorithm(table, column)) return false;
  if (name == "platform_hash" && find_column(table, "platform")) return false;
  if (role_of(name) == Role::bookkeeping) return false;
  return !describes(name) || varies(table, column);
}

// The order of the columns: names of the point, results, consequences of the parameters, cost.
int place_of_point_column(const Table& table, const std::vector<std::size_t>& naming,
                          std::size_t column) {
  const std::string& name = table.columns[column];
  const Role role = role_of(name);
  if (role == Role::parameter || name == "algorithm") return 0;
  if (std::ranges::find(naming, column) != naming.end()) return 0;
  if (name == "time_s" || (role == Role::result && !find_column(table, "time_s"))) return 1;
  return role == Role::chosen ? 2 : role == Role::result ? 3 : 4;
}

std::vector<PageColumn> point_columns_of(const ResultFile& file) {
  const Table& table = file.table;
  std::vector<PageColumn> columns = page_columns(table, file.look);
  std::erase_if(columns, [&](const PageColumn& column) { return !is_of_point(table, column.at); });
  if (!file.look.columns.empty()) return columns;
  const auto naming = naming_columns(table);
  const auto place = [&](const PageColumn& column) {
    return place_of_point_column(table, naming, column.at);
  };
  std::ranges::stable_sort(columns, {}, place);
  for (auto& column : columns) column.is_main = place(column) < 3;
  return columns;
}

Json row_of(const std::vector<PageColumn>& columns, const std::vector<Cell>& row) {
  Json line = Json::array();
  for (const auto& column : columns) line.push_back(cell_json(row[column.at]));
  return line;
}

// An object with members `columns`, `heads` and (empty) `rows`.
Json empty_table(const Table& table, const std::vector<PageColumn>& columns) {
  Json names = Json::array(), heads = Json::array();
  for (const auto& column : columns) {
    names.push_back(table.columns[column.at]);
    heads.push_back(
        {{"words", column.words}, {"quantity", column.quantity}, {"main", column.is_main}});
  }
  return {{"columns", std::move(names)}, {"heads", std::move(heads)}, {"rows", Json::array()}};
}

Json table_of(const BesideTable& table) {
  const auto columns = page_columns(table.table, table.look);
  Json json = empty_table(table.table, columns);
  for (const auto& row : table.table.rows) json["rows"].push_back(row_of(columns, row));
  json["title"] = clean_text(table.title);
  json["notes"] = table.notes;
  return json;
}

}  // namespace

Json points_json(const ResultFile& file) {
  const Table& table = file.table;
  const auto columns = point_columns_of(file);
  Json json = empty_table(table, columns);
  const FailedRows failed(table);
  for (const std::size_t at : in_order(table))
    if (!failed(table.rows[at])) json["rows"].push_back(row_of(columns, table.rows[at]));
  json["notes"] = file.notes;
  return json;
}

Json tables_json(const ResultFile& file) {
  Json tables = Json::array();
  for (const auto& table : file.tables) tables.push_back(table_of(table));
  return tables;
}

}  // namespace tutti::reports
