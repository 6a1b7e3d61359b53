// SPDX-License-Identifier: BSD-3-Clause
// What a picture shows, before gnuplot or the page draws it. All texts are clean UTF-8.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/grid.hpp"
#include "sim/reports/plots/ticks.hpp"

namespace tutti::reports {

struct PicturePoint {
  double x = 0;
  std::optional<double> y;  // none: the line has a gap here
  // A bar from `low` to `high`, and a word above it; where there is none, they say nothing.
  std::optional<double> low = {};
  std::optional<double> high = {};
  std::string mark = {};
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

// A line across all panels.
struct Level {
  double y = 0;
  bool dashed = false;
};

struct LinesPicture : PictureHead {
  Axis x;
  Axis y;
  bool joined = true;  // the values of x are numbers
  std::vector<Panel> panels = {};
  std::vector<std::size_t> legend = {};  // series, the largest values first
  std::vector<Level> levels = {};
  // By series: x is drawn so many times as far, so that bars stand side by side. Empty: as it is.
  std::vector<double> apart = {};
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

// Values over two numbers, and a plane beside them.
struct SurfacePanel {
  std::string title;
  std::vector<double> xs;  // ascending
  std::vector<double> ys;
  std::vector<std::vector<std::optional<double>>> z;  // by y, x
  double plane_x = 0;                                 // of the plane: z = plane_x x + ...
  double plane_y = 0;
  double plane_z = 0;

  double plane_at(double x, double y) const { return plane_x * x + plane_y * y + plane_z; }
};
// Series: what the surface is, and the plane.
struct SurfacePicture : PictureHead {
  Axis x, y, z;
  std::vector<SurfacePanel> panels;
};

// Bars side by side, those of a group in the colours of the series.
struct BarGroup {
  std::string name;
  std::vector<std::optional<double>> values;  // by series
};
struct BarsPicture : PictureHead {
  std::string x_label;
  std::string group_words;  // "set": where names have no room, bars are of set 1, 2, ...
  Axis y;                   // from 0
  std::vector<BarGroup> groups;
};

// Points of two values of one kind, both on `axis`, with the line on which they are equal.
struct ScatterPanel {
  std::string title;
  std::vector<std::vector<std::pair<double, double>>> points;  // by series
};
struct ScatterPicture : PictureHead {
  std::string x_label;
  std::string y_label;
  Axis axis;
  std::vector<ScatterPanel> panels;
};

// Bars of rows over a time; the series are what they are made of.
struct TimelineSpan {
  double from = 0;
  double to = 0;
  std::size_t series = 0;
};
struct TimelineBar {
  std::string name;  // in front of it
  std::vector<TimelineSpan> spans;
};
struct TimelineRow {
  std::string name;
  std::vector<TimelineBar> bars;  // as many in each row
};
// From a bar to another, slanted: which row, bar, and when.
struct TimelineArrow {
  std::size_t from_row = 0, to_row = 0, bar = 0;
  double from = 0;
  double to = 0;
};
struct TimelinePicture : PictureHead {
  Axis x;
  std::vector<std::string> colours;  // by series
  std::vector<TimelineRow> rows;
  std::vector<TimelineArrow> arrows;
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
// The legend: as the curves end on the right, where it is.
std::vector<std::size_t> by_last_value(const std::vector<Panel>& panels);

// The best is the least value.
Result<WinnerPicture> winner_picture(const Grid& grid, const std::string& name);

// "bcast on crill", and the constants that matter to a reader.
PictureHead picture_head(const Grid& grid, const std::string& name);

}  // namespace tutti::reports
