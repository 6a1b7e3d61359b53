// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/study_table.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "sim/store/merge.hpp"
#include "sim/studies/io_record.hpp"
#include "sim/studies/ping_pong_record.hpp"
#include "sim/studies/record.hpp"

namespace tutti::studies {
namespace {

constexpr std::string_view first_columns[] = {"key", "status", "platform", "platform_hash"};
constexpr std::string_view left_out_columns[] = {"description", "said"};

bool is_override(const std::string& name) { return name.find('/') != std::string::npos; }

// Cells in the order in which their columns were first seen.
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
    const bool unwanted = std::find(std::begin(left_out_columns), std::end(left_out_columns),
                                    name) != std::end(left_out_columns) ||
                          (!with_cost_ && store::is_cost(name));
    if (!unwanted && std::find(names_.begin(), names_.end(), name) == names_.end())
      names_.emplace_back(name);
  }

  const Unordered& all_;
  bool with_cost_;
  std::vector<std::string> names_;
};

std::vector<Cell> ordered_row(const Unordered& all, std::vector<Cell>& row,
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

Result<Table> study_table(const store::Store& store, bool with_cost) {
  Unordered all;
  if (auto error = store.visit([&](const auto& point) { add_point(all, point); })) return *error;
  Table table{ColumnOrder(all, with_cost).names(), std::move(all.rows)};
  for (auto& row : table.rows) row = ordered_row(all, row, table.columns);
  return table;
}

}  // namespace tutti::studies
