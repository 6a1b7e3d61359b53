// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/grid.hpp"

#include "sim/reports/formats.hpp"
#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {
namespace {

// Which columns of a table are drawn as what.

// By index into the table's columns.
struct GridColumns {
  std::size_t x = 0;
  std::size_t y = 0;
  std::vector<std::size_t> series;
  std::vector<std::size_t> facet;
  std::vector<std::size_t> varying;  // of the columns that describe a point
};

using Rows = std::vector<const std::vector<Cell>*>;

// The column of the name; `option` asks for it.
Result<std::size_t> column_named(const Table& table, const std::string& name,
                                 const std::string& option) {
  if (const auto found = find_column(table, name)) return *found;
  return usage_error(option, fmt::format("there is no column {}", in_quotes(name)),
                     did_you_mean(name, table.columns,
                                  fmt::format("there are: {}", fmt::join(table.columns, ", "))));
}

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

// `rows` are those with a value.
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

using Names = std::vector<std::string>;

// By what the names of the columns say of their values.
struct KeyLess {
  const Names* names;
  bool operator()(const Key& a, const Key& b) const {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (cell_less((*names)[i], a[i], b[i])) return true;
      if (cell_less((*names)[i], b[i], a[i])) return false;
    }
    return false;
  }
};

Key key_of(const std::vector<Cell>& row, const std::vector<std::size_t>& columns) {
  Key key;
  for (const std::size_t column : columns) key.push_back(row[column]);
  return key;
}

Names names_of(const Table& table, const std::vector<std::size_t>& columns) {
  Names names;
  for (const std::size_t column : columns) names.push_back(table.columns[column]);
  return names;
}

// The different keys of the rows, in order.
std::vector<Key> keys_of(const Rows& rows, const std::vector<std::size_t>& columns,
                         const KeyLess& less) {
  std::vector<Key> keys;
  for (const auto* row : rows) keys.push_back(key_of(*row, columns));
  std::sort(keys.begin(), keys.end(), less);
  const auto same = [&](const Key& a, const Key& b) { return !less(a, b) && !less(b, a); };
  keys.erase(std::unique(keys.begin(), keys.end(), same), keys.end());
  return keys;
}

std::size_t place_of(const std::vector<Key>& keys, const Key& key, const KeyLess& less) {
  return static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), key, less) -
                                  keys.begin());
}

class GridMaker {
 public:
  GridMaker(const ResultFile& file, const PlotRequest& request)
      : table_(file.table), request_(request) {
    grid_.failed = file.failed.size();
  }

  Result<Grid> make() {
    const auto y = TUTTI_TRY(column_named(table_, request_.y, "--y"));
    for (const auto& [name, text] : request_.only) {
      const auto column = TUTTI_TRY(column_named(table_, name, "only"));
      only_.emplace_back(column, text);
    }
    take_rows(y);
    if (rows_.empty()) return no_values();
    const auto chosen = TUTTI_TRY(choose_columns(table_, rows_, request_));
    if (auto error = check_drawable("--y", y)) return *std::move(error);
    if (auto error = check_drawable("--x", chosen.x)) return *std::move(error);
    if (auto error = fill(chosen)) return *std::move(error);
    add_constants();
    if (auto error = relate()) return *std::move(error);
    return std::move(grid_);
  }

 private:
  void take_rows(std::size_t y) {
    const FailedRows failed(table_);
    for (const auto& row : table_.rows)
      if (!is_wanted(row))
        continue;
      else if (failed(row))
        ++grid_.failed;
      else if (number_of(request_.y, row[y]))
        rows_.push_back(&row);
      else
        ++grid_.without_value;
  }

  bool is_wanted(const std::vector<Cell>& row) const {
    return std::ranges::all_of(
        only_, [&](const auto& each) { return to_text(row[each.first]) == each.second; });
  }

  Error no_values() const {
    std::string numbers;
    for (std::size_t i = 0; i < table_.columns.size(); ++i)
      if (role_of(table_.columns[i]) == Role::result && has_numbers(i))
        numbers += (numbers.empty() ? "" : ", ") + table_.columns[i];
    return usage_error("--y", fmt::format("no point has a number in {}", in_quotes(request_.y)),
                       numbers.empty() ? "" : "columns of results: " + numbers);
  }

  bool has_numbers(std::size_t column) const {
    return std::any_of(table_.rows.begin(), table_.rows.end(), [&](const auto& row) {
      return number_of(table_.columns[column], row[column]).has_value();
    });
  }

  // Ratios and logarithms of what is drawn are finite, and gnuplot takes them.
  std::optional<Error> check_drawable(const char* option, std::size_t column) const {
    constexpr double least = 1e-150, most = 1e150;
    for (const auto* row : rows_) {
      const double size = std::fabs(number_of(table_.columns[column], (*row)[column]).value_or(0));
      if (size == 0 || (size >= least && size <= most)) continue;
      return usage_error(option,
                         fmt::format("a value of {}, {}, is beyond what a picture shows",
                                     in_quotes(table_.columns[column]), to_text((*row)[column])),
                         fmt::format("numbers from {:g} to {:g}, and 0", least, most));
    }
    return std::nullopt;
  }

  std::optional<Error> fill(const GridColumns& chosen) {
    grid_.x = table_.columns[chosen.x];
    grid_.y = request_.y;
    grid_.series_columns = names_of(table_, chosen.series);
    grid_.facet_columns = names_of(table_, chosen.facet);
    const Names x_names{grid_.x};
    const KeyLess x_less{&x_names};
    const KeyLess series_less{&grid_.series_columns};
    const KeyLess facet_less{&grid_.facet_columns};
    const auto xs = keys_of(rows_, {chosen.x}, x_less);
    for (const auto& key : xs) grid_.xs.push_back(key.front());
    grid_.series = keys_of(rows_, chosen.series, series_less);
    grid_.facets = keys_of(rows_, chosen.facet, facet_less);
    const std::size_t of_facet = grid_.xs.size() * grid_.series.size();
    if (of_facet > most_grid_values / grid_.facets.size())
      return usage_error("",
                         fmt::format("{} values over x, {} series and {} facets are too many "
                                     "for a picture",
                                     grid_.xs.size(), grid_.series.size(), grid_.facets.size()));
    grid_.values.resize(of_facet * grid_.facets.size());
    for (const auto* row : rows_) {
      const std::size_t at =
          grid_.index(place_of(grid_.facets, key_of(*row, chosen.facet), facet_less),
                      place_of(grid_.series, key_of(*row, chosen.series), series_less),
                      place_of(xs, key_of(*row, {chosen.x}), x_less));
      const double value = *number_of(grid_.y, (*row)[chosen.y]);
      if (grid_.values[at] && *grid_.values[at] != value)
        return usage_error("",
                           fmt::format("the same point has two values of {}: {} and {}",
                                       in_quotes(grid_.y), *grid_.values[at], value),
                           "the file tells of it twice, from different runs");
      grid_.values[at] = value;
    }
    return std::nullopt;
  }

  void add_constants() {
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      const auto& first = (*rows_.front())[i];
      if (!describes(table_.columns[i]) || std::holds_alternative<std::monostate>(first)) continue;
      const bool same = std::all_of(rows_.begin(), rows_.end(),
                                    [&](const auto* row) { return cells_equal((*row)[i], first); });
      if (same) grid_.constants.emplace_back(table_.columns[i], first);
    }
  }

  // By facet and x, what the values are divided by.
  std::optional<double> reference(std::size_t facet, std::size_t x,
                                  std::optional<std::size_t> of) const {
    if (of) return grid_.at(facet, *of, x);
    std::optional<double> best;
    for (std::size_t one = 0; one < grid_.series.size(); ++one) {
      const auto& value = grid_.at(facet, one, x);
      if (value && (!best || *value < *best)) best = value;
    }
    return best;
  }

  std::optional<Error> relate() {
    if (!request_.relative) return std::nullopt;
    std::optional<std::size_t> of;
    if (*request_.relative != "best") {
      Names names;
      for (std::size_t one = 0; one < grid_.series.size(); ++one) {
        names.push_back(grid_.series_name(one));
        if (names.back() == *request_.relative) of = one;
      }
      if (!of)
        return usage_error(
            "--relative", fmt::format("there is no series {}", in_quotes(*request_.relative)),
            did_you_mean(*request_.relative, names,
                         fmt::format("best, or one of: {}", fmt::join(names, ", "))));
    }
    grid_.is_relative = true;
    grid_.reference = *request_.relative;
    for (std::size_t facet = 0; facet < grid_.facets.size(); ++facet)
      for (std::size_t x = 0; x < grid_.xs.size(); ++x) divide(facet, x, reference(facet, x, of));
    return std::nullopt;
  }

  // A point without a reference, or with one of 0, has no ratio.
  void divide(std::size_t facet, std::size_t x, std::optional<double> by) {
    for (std::size_t one = 0; one < grid_.series.size(); ++one) {
      auto& value = grid_.values[grid_.index(facet, one, x)];
      if (!value) continue;
      value = by && *by != 0 ? std::optional(*value / *by) : std::nullopt;
      if (!value) ++grid_.without_value;
    }
  }

  const Table& table_;
  const PlotRequest& request_;
  std::vector<std::pair<std::size_t, std::string>> only_;
  Rows rows_;
  Grid grid_;
};

}  // namespace

std::string key_text(const std::vector<std::string>& columns, const Key& key) {
  std::string text;
  for (std::size_t i = 0; i < columns.size(); ++i)
    text += (i == 0 ? "" : ", ") + label_of(columns[i], key[i]);
  return text;
}

std::string Grid::series_name(std::size_t one) const {
  return key_text(series_columns, series[one]);
}
std::string Grid::facet_name(std::size_t facet) const {
  return key_text(facet_columns, facets[facet]);
}

Grid with_fewer_facets(const Grid& grid, std::size_t most) {
  if (grid.facets.size() <= most) return grid;
  Grid fewer = grid;
  fewer.facets.clear();
  fewer.values.clear();
  const auto values_of_one = static_cast<std::ptrdiff_t>(grid.series.size() * grid.xs.size());
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t facet = i * (grid.facets.size() - 1) / (most - 1);
    const auto first = grid.values.begin() + static_cast<std::ptrdiff_t>(facet) * values_of_one;
    fewer.facets.push_back(grid.facets[facet]);
    fewer.values.insert(fewer.values.end(), first, first + values_of_one);
  }
  return fewer;
}

Result<Grid> grid_of(const ResultFile& file, const PlotRequest& request) {
  return GridMaker(file, request).make();
}

}  // namespace tutti::reports
