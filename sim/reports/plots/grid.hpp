// SPDX-License-Identifier: BSD-3-Clause
// Results as a picture needs them: values over x, by series and panel.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::reports {

// Columns by name. What is not given is chosen: see `grid_of`.
struct PlotRequest {
  std::optional<std::string> x = {};
  std::string y = "time_s";
  std::optional<std::vector<std::string>> series = {};
  std::optional<std::vector<std::string>> facet = {};
  std::optional<std::vector<std::string>> rows = {};           // of the facets: rows of panels
  std::optional<std::string> marks = {};                       // drawn as marks over the lines of y
  std::optional<std::string> relative = {};                    // "best", or the name of a series
  std::vector<std::pair<std::string, std::string>> only = {};  // columns that have this text
};

using Key = std::vector<Cell>;  // a value for each of some columns

// What ran at a point in place of the algorithm that its series names.
struct RanAs {
  std::string name;        // empty: the algorithm itself
  bool fell_back = false;  // the library replaced it silently; else rules chose it (`auto`)
};

struct Grid {
  std::string x;
  std::string y;
  std::vector<std::string> series_columns;
  std::vector<std::string> facet_columns;
  std::vector<Cell> xs;  // all of these are sorted
  std::vector<Key> series;
  std::vector<Key> facets;                    // a single empty key where no other column varies
  std::vector<std::optional<double>> values;  // by facet, series, x
  std::vector<std::vector<double>> marks;     // like `values`; empty: none are drawn
  std::string line_words, mark_words;         // what values and marks are, where there are marks
  std::map<std::size_t, RanAs> ran_as;        // by index of `values`
  std::vector<std::string> row_columns;       // PlotRequest::rows
  std::vector<std::pair<std::string, Cell>> constants;  // parameters that are the same everywhere
  std::size_t failed = 0;                               // points without a result
  std::size_t without_value = 0;                        // of those that did not fail

  std::size_t index(std::size_t facet, std::size_t one, std::size_t x_at) const {
    return (facet * series.size() + one) * xs.size() + x_at;
  }
  const std::optional<double>& at(std::size_t facet, std::size_t one, std::size_t x_at) const {
    return values[index(facet, one, x_at)];
  }
  bool is_relative = false;  // values are divided by those of `reference`
  std::string reference;

  // What ran at the place of a value; null: the algorithm itself.
  const RanAs* ran(std::size_t index) const {
    const auto found = ran_as.find(index);
    return found == ran_as.end() ? nullptr : &found->second;
  }

  // The algorithm, or implementation of collective I/O, that a series is of; empty: of none.
  std::string algorithm_of(std::size_t one) const;
  // Series differ in their algorithm alone.
  bool compares_algorithms() const;
  std::string series_name(std::size_t one) const;
  std::string facet_name(std::size_t facet) const;
};

// x: message_bytes if it varies, else what else varies, numbers first; series: the algorithm (as it
// was requested), else what varies next; facet: all else that varies. Errors of kind usage, with
// the option as their place: no such column, no numbers, points of one x, series and facet that
// differ in another column (they would make a zigzag), too many values for a grid.
Result<Grid> grid_of(const ResultFile& file, const PlotRequest& request);

// With at most that many facets, evenly chosen, the first and the last among them.
Grid with_fewer_facets(const Grid& grid, std::size_t most);

inline constexpr std::size_t most_grid_values = 4'000'000;

// The labels of a key's values, with commas.
std::string key_text(const std::vector<std::string>& columns, const Key& key);

}  // namespace tutti::reports
