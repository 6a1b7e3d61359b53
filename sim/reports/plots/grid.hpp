// SPDX-License-Identifier: BSD-3-Clause
// Results in the form that pictures need: values over x, by series and panel.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::reports {

// Names of columns. `grid_of` chooses those that are not given.
struct PlotRequest {
  std::optional<std::string> x = {};
  std::string y = "time_s";
  std::optional<std::vector<std::string>> series = {};
  std::optional<std::vector<std::string>> facet = {};
  std::optional<std::vector<std::string>> facet_rows =
      {};                                    // columns of `facet` for the rows of panels
  std::optional<std::string> marks = {};     // column drawn as marks over the lines of y
  std::optional<std::string> relative = {};  // "best", or the name of a series
  // Keep only rows with this text in the column.
  std::vector<std::pair<std::string, std::string>> only = {};
};

using Key = std::vector<Cell>;  // a value for each of some columns

// The algorithm that ran at a point instead of the one that its series names.
struct RanAs {
  std::string name;        // empty: the named algorithm ran
  bool fell_back = false;  // the library replaced it silently; else the rules chose it (`auto`)
};

struct Grid {
  std::string x;
  std::string y;
  std::vector<std::string> series_columns;
  std::vector<std::string> facet_columns;
  std::vector<Cell> xs;  // xs, series and facets are sorted
  std::vector<Key> series;
  std::vector<Key> facets;                    // one empty key if no other column varies
  std::vector<std::optional<double>> values;  // by facet, series, x
  std::vector<std::vector<double>> marks;     // like `values`; empty: no marks are drawn
  std::string line_words, mark_words;         // names of values and marks, if there are marks
  std::map<std::size_t, RanAs> ran_as;        // by index of `values`
  std::vector<std::string> row_columns;       // PlotRequest::facet_rows
  std::vector<std::pair<std::string, Cell>> constants;  // parameters with one value
  // Facet and x of points that failed or have no value: gaps in the curves.
  std::set<std::pair<std::size_t, std::size_t>> gaps;
  std::size_t failed = 0;         // points without a result
  std::size_t without_value = 0;  // of the points that did not fail

  std::size_t index(std::size_t facet, std::size_t series_at, std::size_t x_at) const {
    return (facet * series.size() + series_at) * xs.size() + x_at;
  }
  const std::optional<double>& at(std::size_t facet, std::size_t series_at,
                                  std::size_t x_at) const {
    return values[index(facet, series_at, x_at)];
  }
  bool is_relative = false;  // values are divided by those of `reference`
  std::string reference;

  // The algorithm that ran at the point of a value; null: the named algorithm.
  const RanAs* ran(std::size_t index) const {
    const auto entry = ran_as.find(index);
    return entry == ran_as.end() ? nullptr : &entry->second;
  }

  // The algorithm or the implementation of collective I/O of a series, or empty.
  std::string algorithm_of(std::size_t series_at) const;
  // True if series differ only in their algorithm.
  bool compares_algorithms() const;
  // The values of a series with the names of their columns, as in a sentence.
  std::string series_name(std::size_t series_at) const;
  // The values alone, for a legend whose title names the columns.
  std::string series_value(std::size_t series_at) const;
  std::string facet_name(std::size_t facet) const;
};

// Defaults: x is message_bytes if it varies, else another column that varies, numbers first; series
// is the requested algorithm, else the next column that varies; facet is all other columns that
// vary. Errors are of kind usage, with the option as their place: unknown column, no numbers,
// points with the same x, series and facet that differ in another column (their curve would
// zigzag), more than `most_grid_values` values. Columns of `facet`, and of several of `series`,
// that do not vary are constants.
Result<Grid> grid_of(const ResultFile& file, const PlotRequest& request);

// Keeps at most `most` facets, evenly spaced, including the first and the last.
Grid with_fewer_facets(const Grid& grid, std::size_t most);

inline constexpr std::size_t most_grid_values = 4'000'000;

// The labels of a key's values, separated by commas.
std::string key_text(const std::vector<std::string>& columns, const Key& key);

// Panels in a grid whose rows and columns have headings.

struct FacetGrid {
  std::vector<std::string> row_names;  // "64 processes, 4 per node"
  std::vector<std::string> column_names;
  std::vector<std::optional<std::size_t>> facets;  // row by row; unset: no point has these values
};

// Numeric columns (for example the number of processes) become rows, and columns of names (for
// example the collective) become columns. If all are of one kind, one of them moves to the other
// side: of numbers the processes per node, of names the platform, else the last one. Returns
// nothing if there is only one facet column, if most places of the grid would be empty, or if there
// are more than `most_grid_panels`.
std::optional<FacetGrid> facet_grid(const Grid& grid);

}  // namespace tutti::reports
