// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/grid_columns.hpp"

#include "sim/reports/formats.hpp"
#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {

Result<std::size_t> column_named(const Table& table, const std::string& name,
                                 const std::string& option) {
  if (const auto column = find_column(table, name)) return *column;
  return usage_error(option, fmt::format("unknown column {}", in_quotes(name)),
                     did_you_mean(name, table.columns,
                                  fmt::format("columns: {}", fmt::join(table.columns, ", "))));
}

namespace {

using Rows = GridRows;
using Columns = std::vector<std::size_t>;

bool contains(const Columns& columns, std::size_t column) {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

bool column_varies(const Rows& rows, std::size_t column) {
  return std::any_of(rows.begin(), rows.end(), [&](const auto* row) {
    return !cells_equal((*row)[column], (*rows.front())[column]);
  });
}

bool all_numbers(const Table& table, const Rows& rows, std::size_t column) {
  return std::all_of(rows.begin(), rows.end(), [&](const auto* row) {
    return number_of(table.columns[column], (*row)[column]).has_value();
  });
}

// Measured values, and values derived from them, are not parameters of a point.
bool is_measurement(std::string_view column) {
  constexpr std::array names = {
      "measured_s", "fitted_s",   "predicted_s",    "alone_s",  "uncontended_s",
      "loggp_s",    "hockney_s",  "relative_error", "residual", "predicted_over_measured",
      "half_width", "repetitions"};
  return std::ranges::find(names, column) != names.end();
}

// Parameters come before columns that may follow from them; otherwise in the order of the table.
Columns varying_columns(const Table& table, const Rows& rows) {
  Columns columns;
  for (const Role role : {Role::parameter, Role::chosen})
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if (role_of(table.columns[i]) == role && !is_measurement(table.columns[i]) &&
          column_varies(rows, i))
        columns.push_back(i);
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
  if (const auto column =
          first_of(table, free, {"message_bytes", "bytes_per_proc", "procs", "aggregators"}))
    return *column;
  for (const std::size_t column : free)
    if (all_numbers(table, rows, column)) return column;
  if (!free.empty()) return free.front();
  for (const char* name : {"message_bytes", "bytes_per_proc", "procs"})
    if (const auto column = find_column(table, name)) return *column;
  return 0;
}

// Finds the columns in which rows with the same values in `by` but different y differ, in the order
// of `varying`. Rows with the same y count as one point.
class Ambiguity {
 public:
  Ambiguity(const Rows& rows, const Columns& varying, std::size_t y)
      : rows_(rows), varying_(varying), y_(y) {}

  Columns columns(const Columns& by) const {
    std::unordered_map<std::string, const std::vector<Cell>*> first;
    std::vector<bool> differs(varying_.size());
    for (const auto* row : rows_) {
      const auto [entry, added] = first.try_emplace(key_of(*row, by), row);
      if (added || cells_equal((*row)[y_], (*entry->second)[y_])) continue;
      for (std::size_t i = 0; i < varying_.size(); ++i)
        if (!cells_equal((*row)[varying_[i]], (*entry->second)[varying_[i]])) differs[i] = true;
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
      fmt::format("separate them with --facet {0} or --series {0}, or omit --series and --facet to "
                  "draw all columns that vary",
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
  if (const auto column = first_of(table, ambiguous, {"requested_algorithm", "implementation"}))
    return column;
  if (const auto column = first_of(table, varying, {"requested_algorithm"})) return column;
  if (const auto column = first_of(table, ambiguous, {"algorithm"})) return column;
  return ambiguous.empty() ? std::nullopt : std::optional(ambiguous.front());
}

// Points of different kinds of workloads have no common axis.
std::optional<Error> mixed_error(const Table& table, const Rows& rows) {
  const auto has = [&](const char* name) {
    const auto column = find_column(table, name);
    return column &&
           std::ranges::any_of(rows, [&](const auto* row) { return (*row)[*column].index() != 0; });
  };
  if (has("collective") + has("operation") + has("workload") < 2) return std::nullopt;
  if (has("workload"))
    return usage_error("", "the points are of different workloads",
                       "select one, for example with --where 'workload = pingpong'");
  return usage_error("", "the points are of collectives and of collective I/O",
                     "select one, for example with --where 'operation = write' or "
                     "--where 'collective = bcast'");
}

// Applies the columns of the request; chooses the others among those that vary.
class ColumnChooser {
 public:
  ColumnChooser(const Table& table, const Rows& rows, const PlotRequest& request)
      : table_(table), rows_(rows), request_(request) {}

  Result<GridColumns> choose() {
    chosen_.varying = varying_columns(table_, rows_);
    if (auto errors = take_named(); !errors.empty()) return errors;
    drop_constant(chosen_.facet);
    if (chosen_.series.size() > 1) drop_constant(chosen_.series);
    by_ = chosen_.series;
    by_.insert(by_.end(), chosen_.facet.begin(), chosen_.facet.end());
    if (request_.x) {
      chosen_.x = TUTTI_TRY(column_named(table_, *request_.x, "--x"));
    } else {
      chosen_.x = automatic_x(table_, rows_, chosen_.varying, by_);
    }
    if (contains(by_, chosen_.x))
      return usage_error("--x",
                         fmt::format("column {} is already used by --series or --facet",
                                     in_quotes(table_.columns[chosen_.x])),
                         "name another column for one of them");
    by_.push_back(chosen_.x);
    const auto ambiguous = add_automatic();
    if (!ambiguous.empty()) return ambiguous_error(table_, chosen_, ambiguous);
    return std::move(chosen_);
  }

 private:
  std::vector<Error> take_named() {
    const std::vector<std::string> none;
    chosen_.y = TUTTI_TRY(column_named(table_, request_.y, "--y"));
    if (request_.marks) chosen_.marks = TUTTI_TRY(column_named(table_, *request_.marks, "--y"));
    chosen_.series = TUTTI_TRY(columns_named(table_, request_.series.value_or(none), "--series"));
    chosen_.facet = TUTTI_TRY(columns_named(table_, request_.facet.value_or(none), "--facet"));
    const auto rows =
        TUTTI_TRY(columns_named(table_, request_.facet_rows.value_or(none), "--facet-rows"));
    for (const std::size_t column : rows)
      if (!contains(chosen_.facet, column)) chosen_.facet.push_back(column);
    return {};
  }

  void drop_constant(Columns& columns) const {
    std::erase_if(columns, [&](std::size_t column) { return !column_varies(rows_, column); });
  }

  // Returns the columns that are still ambiguous because the request allows no further choice.
  Columns add_automatic() {
    const Ambiguity ambiguity(rows_, chosen_.varying, chosen_.y);
    Columns ambiguous = ambiguity.columns(by_);
    const auto add = [&](Columns& to, std::size_t column) {
      to.push_back(column);
      by_.push_back(column);
      ambiguous = ambiguity.columns(by_);
    };
    if (!request_.series)
      if (const auto column = automatic_series(table_, chosen_.varying, ambiguous);
          column && !contains(by_, *column))
        add(chosen_.series, *column);
    if (request_.facet) return ambiguous;
    // Different operations get separate panels even if no points coincide.
    for (const char* name : {"collective", "operation", "workload", "pattern"})
      if (const auto column = first_of(table_, chosen_.varying, {name});
          column && !contains(by_, *column))
        add(chosen_.facet, *column);
    while (!ambiguous.empty())
      add(chosen_.facet, first_of(table_, ambiguous, {"procs", "ppn", "platform", "decomposition"})
                             .value_or(ambiguous.front()));
    return ambiguous;
  }

  const Table& table_;
  const Rows& rows_;
  const PlotRequest& request_;
  GridColumns chosen_;
  Columns by_;  // x, series, facet
};

}  // namespace

Result<GridColumns> choose_columns(const Table& table, const Rows& rows,
                                   const PlotRequest& request) {
  if (auto error = mixed_error(table, rows)) return *std::move(error);
  return ColumnChooser(table, rows, request).choose();
}
}  // namespace tutti::reports
