// SPDX-License-Identifier: BSD-3-Clause
// What a picture shows, before gnuplot or the page draws it. All texts are clean UTF-8.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/reports/plots/grid.hpp"
#include "sim/reports/plots/ticks.hpp"

namespace tutti::reports {

struct PicturePoint {
  double x = 0;
  std::optional<double> y;  // none: the line has a gap here
};

struct Panel {
  std::string title;
  std::vector<std::vector<PicturePoint>> curves;  // by series
};

struct PictureHead {
  std::string title;
  std::string subtitle;             // what is the same for all points
  std::vector<std::string> series;  // a colour each, in this order
  std::string series_title;
  std::vector<std::string> notes;  // what the picture does not show
};

struct LinesPicture : PictureHead {
  Axis x;
  Axis y;
  bool joined = true;  // the values of x are numbers
  std::vector<Panel> panels;
  std::vector<std::size_t> legend;  // series, the largest values first
};

struct WinnerCell {
  std::optional<std::size_t> best;     // series; none: no point here
  std::optional<double> second_ratio;  // second best / best; none: no rival
  bool complete = true;                // all series have a point here
};

// A cell for each facet and x. Both axes name their values; steps are not to scale.
struct WinnerPicture : PictureHead {
  std::string x_label;
  std::string y_label;
  std::vector<std::string> columns;
  std::vector<std::string> rows;
  std::vector<std::vector<WinnerCell>> cells;  // by row, column
};

struct LogAxes {
  bool x = false;
  bool y = false;
};

// More are no picture any more.
inline constexpr std::size_t most_panels = 16;
inline constexpr std::size_t most_series = 24;
inline constexpr std::size_t most_winner_cells = 100;  // side by side, or one below the other

// Without `log` an axis that spans more than a factor 30 without 0 is one of powers, and an x whose
// values are 1, 2, 4, 8. `name`: of the
// study, begins the title.
Result<LinesPicture> lines_picture(const Grid& grid, const std::string& name,
                                   std::optional<LogAxes> log);
// The best is the least value.
Result<WinnerPicture> winner_picture(const Grid& grid, const std::string& name);

// "bcast on crill", and the constants that matter to a reader.
PictureHead picture_head(const Grid& grid, const std::string& name);

}  // namespace tutti::reports
