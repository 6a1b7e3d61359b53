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
  std::optional<std::string> relative = {};                    // "best", or the name of a series
  std::vector<std::pair<std::string, std::string>> only = {};  // columns that have this text
};

using Key = std::vector<Cell>;  // a value for each of some columns

struct Grid {
  std::string x;
  std::string y;
  std::vector<std::string> series_columns;
  std::vector<std::string> facet_columns;
  std::vector<Cell> xs;  // all of these are sorted
  std::vector<Key> series;
  std::vector<Key> facets;                              // one, empty, where nothing else varies
  std::vector<std::optional<double>> values;            // by facet, series, x
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
