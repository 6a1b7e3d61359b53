// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/value_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/quote.hpp"
#include "sim/store/failure.hpp"
#include "sim/store/schema.hpp"

namespace tutti::store {
namespace {

// In the order of ColumnType. The last has no affinity.
constexpr std::array<std::string_view, 5> declared = {"BOOLEAN", "INTEGER", "REAL", "TEXT", ""};
constexpr std::array<std::string_view, 3> own_columns = {"key", "status", "checksum"};

ColumnType type_declared(std::string_view word) {
  const auto at = std::find(declared.begin(), declared.end(), word);
  return at == declared.end() ? ColumnType::any : static_cast<ColumnType>(at - declared.begin());
}

// That keeps the value as it is. SQLite drops the sign of a zero in a column of type REAL.
ColumnType type_for(const Cell& cell) {
  const auto* real = std::get_if<double>(&cell);
  if (real != nullptr && *real == 0 && std::signbit(*real)) return ColumnType::any;
  return static_cast<ColumnType>(cell.index() - 1);
}

std::string lower(std::string_view name) {
  std::string text(name);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

// SQLite takes names that differ by case only for one.
void check_name(const Database& database, const std::vector<ValueColumn>& columns,
                std::string_view name) {
  const auto clashes = [&](std::string_view other) { return lower(other) == lower(name); };
  if (name.empty() || name.find('\0') != std::string_view::npos ||
      std::any_of(own_columns.begin(), own_columns.end(), clashes) ||
      std::any_of(columns.begin(), columns.end(),
                  [&](const ValueColumn& column) { return clashes(column.name); }))
    fail(ErrorKind::internal, database.path(),
         fmt::format("no value can be called {}", in_quotes(name)));
}

void add_column(const Database& database, std::string_view name, ColumnType type) {
  database.execute(fmt::format("ALTER TABLE points ADD COLUMN {} {}", quoted_name(name),
                               declared[static_cast<std::size_t>(type)]));
}

// A name that no column has.
std::string spare_name(const std::vector<ValueColumn>& columns) {
  std::size_t longest = 0;
  for (const auto& column : columns) longest = std::max(longest, column.name.size());
  return std::string(longest + 1, '_');
}

void drop_type(const Database& database, const std::vector<ValueColumn>& columns,
               const ValueColumn& column) {
  const std::string old_name = quoted_name(column.name);
  const std::string spare = spare_name(columns);
  const std::string new_name = quoted_name(spare);
  add_column(database, spare, ColumnType::any);
  // Flags stay apart from numbers: a byte each.
  const std::string value =
      column.type == ColumnType::boolean
          ? fmt::format("CASE {} WHEN 0 THEN x'00' WHEN 1 THEN x'01' END", old_name)
          : old_name;
  database.execute(fmt::format("UPDATE points SET {} = {}", new_name, value));
  database.execute(fmt::format("ALTER TABLE points DROP COLUMN {}", old_name));
  database.execute(fmt::format("ALTER TABLE points RENAME COLUMN {} TO {}", new_name, old_name));
}

const ValueColumn* find(const std::vector<ValueColumn>& columns, std::string_view name) {
  const auto at = std::lower_bound(
      columns.begin(), columns.end(), name,
      [](const ValueColumn& column, std::string_view wanted) { return column.name < wanted; });
  return at == columns.end() || at->name != name ? nullptr : &*at;
}

}  // namespace

std::vector<ValueColumn> load_columns(const Database& database) {
  std::vector<ValueColumn> columns;
  Statement query(database, "PRAGMA table_info(points)");
  while (query.step()) {
    const auto name = query.text(1);
    if (std::find(own_columns.begin(), own_columns.end(), name) == own_columns.end())
      columns.push_back({std::string(name), type_declared(query.text(2))});
  }
  std::sort(columns.begin(), columns.end(),
            [](const ValueColumn& a, const ValueColumn& b) { return a.name < b.name; });
  return columns;
}

bool make_room(const Database& database, const std::vector<ValueColumn>& columns,
               const Row& values) {
  bool changed = false;
  for (const auto& value : values) {
    const ValueColumn* column = find(columns, value.name);
    const ColumnType needed = type_for(value.value);
    if (column != nullptr && (column->type == ColumnType::any || column->type == needed)) continue;
    if (column == nullptr) {
      check_name(database, columns, value.name);
      add_column(database, value.name, needed);
    } else {
      drop_type(database, columns, *column);
    }
    changed = true;
  }
  if (changed) seal_schema(database);
  return changed;
}

void bind_cell(Statement& statement, int index, ColumnType type, const Cell& cell) {
  if (const auto* flag = std::get_if<bool>(&cell); flag != nullptr) {
    if (type == ColumnType::any)
      statement.bind_blob(index, *flag ? std::string_view("\1", 1) : std::string_view("\0", 1));
    else
      statement.bind(index, std::int64_t{*flag});
  } else if (const auto* number = std::get_if<std::int64_t>(&cell); number != nullptr) {
    statement.bind(index, *number);
  } else if (const auto* real = std::get_if<double>(&cell); real != nullptr) {
    statement.bind(index, *real);
  } else if (const auto* text = std::get_if<std::string>(&cell); text != nullptr) {
    statement.bind(index, std::string_view(*text));
  } else {
    statement.bind_null(index);
  }
}

void read_cell(const Statement& statement, int column, ColumnType type, Cell& into) {
  switch (statement.storage_class(column)) {
    case SQLITE_NULL:
      into = std::monostate{};
      break;
    case SQLITE_INTEGER:
      if (type == ColumnType::boolean)
        into = statement.integer(column) != 0;
      else
        into = statement.integer(column);
      break;
    case SQLITE_FLOAT:
      into = statement.real(column);
      break;
    case SQLITE_BLOB:
      into = statement.text(column) != std::string_view("\0", 1);
      break;
    default:
      if (auto* text = std::get_if<std::string>(&into))
        *text = statement.text(column);
      else
        into = std::string(statement.text(column));
  }
}

}  // namespace tutti::store
