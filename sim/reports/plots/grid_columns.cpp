// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/grid_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {
namespace {

using Columns = std::vector<std::size_t>;

bool contains(const Columns& columns, std::size_t column) {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

bool varies(const Rows& rows, std::size_t column) {
  return std::any_of(rows.begin(), rows.end(), [&](const auto* row) {
    return !cells_equal((*row)[column], (*rows.front())[column]);
  });
}

bool all_numbers(const Table& table, const Rows& rows, std::size_t column) {
  return std::all_of(rows.begin(), rows.end(), [&](const auto* row) {
    return number_of(table.columns[column], (*row)[column]).has_value();
  });
}

// Parameters before what may follow from them, else in the table's order.
Columns varying_columns(const Table& table, const Rows& rows) {
  Columns columns;
  for (const Role role : {Role::parameter, Role::chosen})
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if (role_of(table.columns[i]) == role && varies(rows, i)) columns.push_back(i);
  return columns;
}

std::optional<std::size_t> first_of(const Table& table, const Columns& columns,
                                    std::initializer_list<const char*> names) {
  for (const char* name : names)
    for (const std::size_t column : columns)
      if (table.columns[column] == name) return column;
  return std::nullopt;
}

std::size_t automatic_x(const Table& table, const Rows& rows, const Columns& varying,
                        const Columns& taken) {
  Columns free;
  for (const std::size_t column : varying)
    if (!contains(taken, column)) free.push_back(column);
  if (const auto found = first_of(table, free, {"message_bytes", "bytes_per_proc", "procs"}))
    return *found;
  for (const std::size_t column : free)
    if (all_numbers(table, rows, column)) return column;
  if (!free.empty()) return free.front();
  for (const char* name : {"message_bytes", "bytes_per_proc", "procs"})
    if (const auto found = find_column(table, name)) return *found;
  return 0;
}

// The columns in which rows differ that have the same values in `by` and another y, by the order of
// `varying`. Rows with the same y are one point, whatever made them.
class Ambiguity {
 public:
  Ambiguity(const Rows& rows, const Columns& varying, std::size_t y)
      : rows_(rows), varying_(varying), y_(y) {}

  Columns columns(const Columns& by) const {
    std::unordered_map<std::string, const std::vector<Cell>*> first;
    std::vector<bool> differs(varying_.size());
    for (const auto* row : rows_) {
      const auto [found, added] = first.try_emplace(key_of(*row, by), row);
      if (added || cells_equal((*row)[y_], (*found->second)[y_])) continue;
      for (std::size_t i = 0; i < varying_.size(); ++i)
        if (!cells_equal((*row)[varying_[i]], (*found->second)[varying_[i]])) differs[i] = true;
    }
    Columns ambiguous;
    for (std::size_t i = 0; i < varying_.size(); ++i)
      if (differs[i]) ambiguous.push_back(varying_[i]);
    return ambiguous;
  }

 private:
  static std::string key_of(const std::vector<Cell>& row, const Columns& by) {
    std::string key;
    for (const std::size_t column : by) key += to_text(row[column]) + '\0';
    return key;
  }

  const Rows& rows_;
  const Columns& varying_;
  std::size_t y_;
};

std::string listed_names(const Table& table, const Columns& columns) {
  constexpr std::size_t most_named = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(columns.size(), most_named); ++i)
    names += fmt::format("{}{}", i == 0 ? "" : ", ", in_quotes(table.columns[columns[i]]));
  return columns.size() > most_named
             ? fmt::format("{} and {} more columns", names, columns.size() - most_named)
             : names;
}

Error ambiguous_error(const Table& table, const GridColumns& chosen, const Columns& ambiguous) {
  Columns by{chosen.x};
  by.insert(by.end(), chosen.series.begin(), chosen.series.end());
  by.insert(by.end(), chosen.facet.begin(), chosen.facet.end());
  std::vector<std::string_view> names;
  for (const std::size_t column : by) names.emplace_back(table.columns[column]);
  const std::string& first = table.columns[ambiguous.front()];
  return usage_error(
      "",
      fmt::format("points with the same {} differ in {}", fmt::join(names, ", "),
                  listed_names(table, ambiguous)),
      fmt::format("draw them apart with --facet {0} or --series {0}, or leave --series and --facet "
                  "out: then all that varies is drawn",
                  first));
}

Result<Columns> columns_named(const Table& table, const std::vector<std::string>& names,
                              const std::string& option) {
  Columns columns;
  for (const auto& name : names) {
    const auto column = TUTTI_TRY(column_named(table, name, option));
    if (!contains(columns, column)) columns.push_back(column);
  }
  return columns;
}

std::optional<std::size_t> automatic_series(const Table& table, const Columns& varying,
                                            const Columns& ambiguous) {
  if (const auto found = first_of(table, ambiguous, {"requested_algorithm", "implementation"}))
    return found;
  if (const auto found = first_of(table, varying, {"requested_algorithm"})) return found;
  if (const auto found = first_of(table, ambiguous, {"algorithm"})) return found;
  return ambiguous.empty() ? std::nullopt : std::optional(ambiguous.front());
}

}  // namespace

Result<std::size_t> column_named(const Table& table, const std::string& name,
                                 const std::string& option) {
  if (const auto found = find_column(table, name)) return *found;
  return usage_error(option, fmt::format("there is no column {}", in_quotes(name)),
                     did_you_mean(name, table.columns,
                                  fmt::format("there are: {}", fmt::join(table.columns, ", "))));
}

namespace {

// Workloads have no axis in common.
std::optional<Error> mixed_error(const Table& table, const Rows& rows) {
  const auto has = [&](const char* name) {
    const auto column = find_column(table, name);
    return column &&
           std::ranges::any_of(rows, [&](const auto* row) { return (*row)[*column].index() != 0; });
  };
  if (has("collective") + has("operation") + has("workload") < 2) return std::nullopt;
  if (has("workload"))
    return usage_error("", "these are points of different workloads",
                       "draw one of them: --where 'workload = pingpong'");
  return usage_error("", "these are points of collectives and of collective I/O",
                     "draw one of them: --where 'operation = write', --where 'collective = bcast'");
}

}  // namespace

Result<GridColumns> choose_columns(const Table& table, const Rows& rows,
                                   const PlotRequest& request) {
  if (auto error = mixed_error(table, rows)) return *std::move(error);
  GridColumns chosen;
  chosen.varying = varying_columns(table, rows);
  const auto y = column_named(table, request.y, "--y");
  auto series =
      columns_named(table, request.series.value_or(std::vector<std::string>{}), "--series");
  auto facet = columns_named(table, request.facet.value_or(std::vector<std::string>{}), "--facet");
  if (!y) return y.errors();
  if (!series) return series.errors();
  if (!facet) return facet.errors();
  chosen.y = *y;
  chosen.series = *std::move(series);
  chosen.facet = *std::move(facet);
  Columns by = chosen.series;
  by.insert(by.end(), chosen.facet.begin(), chosen.facet.end());
  if (request.x) {
    chosen.x = TUTTI_TRY(column_named(table, *request.x, "--x"));
  } else {
    chosen.x = automatic_x(table, rows, chosen.varying, by);
  }
  if (contains(by, chosen.x))
    return usage_error("--x", fmt::format("{} cannot be the series or the facet as well",
                                          in_quotes(table.columns[chosen.x])));
  by.push_back(chosen.x);
  const Ambiguity ambiguity(rows, chosen.varying, chosen.y);
  Columns ambiguous = ambiguity.columns(by);
  if (!request.series) {
    if (const auto column = automatic_series(table, chosen.varying, ambiguous);
        column && !contains(by, *column)) {
      chosen.series.push_back(*column);
      by.push_back(*column);
      ambiguous = ambiguity.columns(by);
    }
  }
  // Another operation is another picture, also where no point has the same place.
  for (const char* name : {"collective", "operation", "workload", "pattern"})
    if (const auto column = first_of(table, chosen.varying, {name});
        column && !request.facet && !contains(by, *column)) {
      chosen.facet.push_back(*column);
      by.push_back(*column);
      ambiguous = ambiguity.columns(by);
    }
  while (!request.facet && !ambiguous.empty()) {
    const auto column = first_of(table, ambiguous, {"procs", "ppn"}).value_or(ambiguous.front());
    chosen.facet.push_back(column);
    by.push_back(column);
    ambiguous = ambiguity.columns(by);
  }
  if (!ambiguous.empty()) return ambiguous_error(table, chosen, ambiguous);
  return chosen;
}

}  // namespace tutti::reports
