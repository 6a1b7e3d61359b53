// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/grid.hpp"

#include "sim/reports/formats.hpp"
#include "sim/reports/plots/grid_columns.hpp"
#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {
namespace {

using Names = std::vector<std::string>;

struct KeyLess {
  const Names* names;
  bool operator()(const Key& a, const Key& b) const { return cells_less(*names, a, b); }
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

// The distinct keys of the rows, sorted.
std::vector<Key> keys_of(const GridRows& rows, const std::vector<std::size_t>& columns,
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

// Finds the algorithm that ran instead of the requested one, from the columns of `sim run`.
class RanAsOfRows {
 public:
  explicit RanAsOfRows(const Table& table)
      : runs_as_(find_column(table, "runs_as")),
        requested_(find_column(table, "requested_algorithm")),
        algorithm_(find_column(table, "algorithm")) {}

  RanAs operator()(const std::vector<Cell>& row) const {
    const std::string algorithm = text_in(row, algorithm_);
    const std::string requested = text_in(row, requested_);
    if (requested.empty() && algorithm.empty()) return {};  // not of `sim run`
    const bool is_chosen = requested == automatic || requested.starts_with(searched);
    const std::string ran = text_in(row, runs_as_);
    // Texts with spaces ("binomial + knomial", "inter ring") are the parts of an algorithm.
    if (!ran.empty() && ran.find(' ') == std::string::npos) return {ran, !is_chosen};
    return is_chosen ? RanAs{algorithm} : RanAs{};
  }

 private:
  static constexpr std::string_view automatic = "auto", searched = "auto:";

  static std::string text_in(const std::vector<Cell>& row, std::optional<std::size_t> column) {
    return column && row[*column].index() != 0 ? to_text(row[*column]) : std::string();
  }

  std::optional<std::size_t> runs_as_, requested_, algorithm_;
};

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
    if (chosen.marks)
      if (auto error = check_drawable("--y", *chosen.marks)) return *std::move(error);
    if (auto error = fill(chosen)) return *std::move(error);
    add_constants();
    if (auto error = relate()) return *std::move(error);
    return std::move(grid_);
  }

 private:
  void take_rows(std::size_t y) {
    const FailedRows failed(table_);
    for (const auto& row : table_.rows)
      if (!is_wanted(row)) {
        continue;
      } else if (!failed(row) && number_of(request_.y, row[y])) {
        rows_.push_back(&row);
      } else {
        ++(failed(row) ? grid_.failed : grid_.without_value);
        rows_without_value_.push_back(&row);
      }
  }

  bool is_wanted(const std::vector<Cell>& row) const {
    return std::ranges::all_of(only_, [&](const auto& condition) {
      return to_text(row[condition.first]) == condition.second;
    });
  }

  Error no_values() const {
    std::string numbers;
    for (std::size_t i = 0; i < table_.columns.size(); ++i)
      if (role_of(table_.columns[i]) == Role::result && has_numbers(i))
        numbers += (numbers.empty() ? "" : ", ") + table_.columns[i];
    return usage_error("--y",
                       fmt::format("no point has a number in column {}", in_quotes(request_.y)),
                       numbers.empty() ? "" : "columns with results: " + numbers);
  }

  bool has_numbers(std::size_t column) const {
    return std::any_of(table_.rows.begin(), table_.rows.end(), [&](const auto& row) {
      return number_of(table_.columns[column], row[column]).has_value();
    });
  }

  // Rejects values whose ratios or logarithms might not be finite, or which cannot be drawn.
  std::optional<Error> check_drawable(const char* option, std::size_t column) const {
    constexpr double least = 1e-150, most = 1e150;
    for (const auto* row : rows_) {
      const double size = std::fabs(number_of(table_.columns[column], (*row)[column]).value_or(0));
      if (size == 0 || (size >= least && size <= most)) continue;
      return usage_error(
          option,
          fmt::format("column {} has a value that cannot be drawn: {}",
                      in_quotes(table_.columns[column]), to_text((*row)[column])),
          fmt::format("expected 0 or absolute values from {:g} to {:g}", least, most));
    }
    return std::nullopt;
  }

  std::optional<Error> fill(const GridColumns& chosen) {
    grid_.x = table_.columns[chosen.x];
    grid_.y = request_.y;
    grid_.row_columns = request_.facet_rows.value_or(Names{});
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
      return usage_error(
          "",
          fmt::format("too many points for a plot: {} x values, {} series, {} facets",
                      grid_.xs.size(), grid_.series.size(), grid_.facets.size()),
          "select some by --where");
    grid_.values.resize(of_facet * grid_.facets.size());
    if (chosen.marks) {
      grid_.marks.resize(grid_.values.size());
      grid_.line_words = grid_.y == "time_s" ? "simulated" : words_of(grid_.y);
      grid_.mark_words = *request_.marks == "time_s" ? "observed" : words_of(*request_.marks);
    }
    add_gaps(chosen, xs, x_less, facet_less);
    const RanAsOfRows ran_as(table_);
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
                           "the file contains this point twice, from different runs");
      grid_.values[at] = value;
      if (chosen.marks)
        if (const auto mark = number_of(*request_.marks, (*row)[*chosen.marks]))
          grid_.marks[at].push_back(*mark);
      if (auto ran = ran_as(*row); !ran.name.empty()) grid_.ran_as[at] = std::move(ran);
    }
    return std::nullopt;
  }

  void add_gaps(const GridColumns& chosen, const std::vector<Key>& xs, const KeyLess& x_less,
                const KeyLess& facet_less) {
    for (const auto* row : rows_without_value_) {
      const Key x = key_of(*row, {chosen.x}), facet = key_of(*row, chosen.facet);
      if (std::ranges::binary_search(xs, x, x_less) &&
          std::ranges::binary_search(grid_.facets, facet, facet_less))
        grid_.gaps.emplace(place_of(grid_.facets, facet, facet_less), place_of(xs, x, x_less));
    }
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

  // The divisor of the values at a facet and x.
  std::optional<double> reference(std::size_t facet, std::size_t x,
                                  std::optional<std::size_t> of) const {
    if (of) return grid_.at(facet, *of, x);
    std::optional<double> best;
    for (std::size_t series = 0; series < grid_.series.size(); ++series) {
      const auto& value = grid_.at(facet, series, x);
      if (value && (!best || *value < *best)) best = value;
    }
    return best;
  }

  std::optional<Error> relate() {
    if (!request_.relative) return std::nullopt;
    std::optional<std::size_t> of;
    if (*request_.relative != "best") {
      Names names;
      for (std::size_t series = 0; series < grid_.series.size(); ++series) {
        names.push_back(grid_.series_value(series));
        if (names.back() == *request_.relative || grid_.series_name(series) == *request_.relative)
          of = series;
      }
      if (!of)
        return usage_error(
            "--relative", fmt::format("unknown series {}", in_quotes(*request_.relative)),
            did_you_mean(*request_.relative, names,
                         fmt::format("expected best, or one of: {}", fmt::join(names, ", "))));
    }
    grid_.is_relative = true;
    grid_.reference = of ? grid_.series_name(*of) : *request_.relative;
    for (std::size_t facet = 0; facet < grid_.facets.size(); ++facet)
      for (std::size_t x = 0; x < grid_.xs.size(); ++x) divide(facet, x, reference(facet, x, of));
    return std::nullopt;
  }

  // A point whose reference is missing or 0 has no ratio.
  void divide(std::size_t facet, std::size_t x, std::optional<double> by) {
    for (std::size_t series = 0; series < grid_.series.size(); ++series) {
      auto& value = grid_.values[grid_.index(facet, series, x)];
      if (!value) continue;
      value = by && *by != 0 ? std::optional(*value / *by) : std::nullopt;
      if (!value) ++grid_.without_value;
    }
  }

  const Table& table_;
  const PlotRequest& request_;
  std::vector<std::pair<std::size_t, std::string>> only_;
  GridRows rows_;
  GridRows rows_without_value_;
  Grid grid_;
};

constexpr std::array algorithm_columns = {"requested_algorithm", "algorithm", "implementation"};

bool names_algorithm(const std::string& column) {
  return std::ranges::find(algorithm_columns, column) != algorithm_columns.end();
}

}  // namespace

std::string key_text(const std::vector<std::string>& columns, const Key& key) {
  std::string text;
  for (std::size_t i = 0; i < columns.size(); ++i)
    text += (i == 0 ? "" : ", ") + label_of(columns[i], key[i]);
  return text;
}

std::string Grid::algorithm_of(std::size_t series_at) const {
  const auto column = std::ranges::find_if(series_columns, names_algorithm);
  if (column == series_columns.end()) return {};
  const Cell& cell = series[series_at][static_cast<std::size_t>(column - series_columns.begin())];
  return cell.index() == 0 ? std::string() : to_text(cell);
}

bool Grid::compares_algorithms() const {
  return series_columns.size() == 1 && names_algorithm(series_columns.front());
}

std::string Grid::series_name(std::size_t series_at) const {
  return key_text(series_columns, series[series_at]);
}
std::string Grid::series_value(std::size_t series_at) const {
  std::string text;
  for (std::size_t i = 0; i < series_columns.size(); ++i)
    text += (i == 0 ? "" : ", ") + value_text(series_columns[i], series[series_at][i]);
  return text;
}
std::string Grid::facet_name(std::size_t facet) const {
  return key_text(facet_columns, facets[facet]);
}

Grid with_fewer_facets(const Grid& grid, std::size_t most) {
  if (grid.facets.size() <= most) return grid;
  Grid fewer = grid;
  fewer.facets.clear();
  fewer.values.clear();
  fewer.marks.clear();
  fewer.ran_as.clear();
  fewer.gaps.clear();
  const std::size_t values_of_one = grid.series.size() * grid.xs.size();
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t facet = i * (grid.facets.size() - 1) / (most - 1);
    for (const auto& [of, x] : grid.gaps)
      if (of == facet) fewer.gaps.emplace(fewer.facets.size(), x);
    fewer.facets.push_back(grid.facets[facet]);
    for (std::size_t at = facet * values_of_one; at < (facet + 1) * values_of_one; ++at) {
      if (const RanAs* ran = grid.ran(at)) fewer.ran_as[fewer.values.size()] = *ran;
      fewer.values.push_back(grid.values[at]);
      if (!grid.marks.empty()) fewer.marks.push_back(grid.marks[at]);
    }
  }
  return fewer;
}

Result<Grid> grid_of(const ResultFile& file, const PlotRequest& request) {
  return GridMaker(file, request).make();
}

}  // namespace tutti::reports
