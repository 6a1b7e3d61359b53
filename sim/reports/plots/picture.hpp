// SPDX-License-Identifier: BSD-3-Clause
// Contents of pictures, before they are drawn. All texts are valid UTF-8 without
// control characters.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/axis.hpp"
#include "sim/reports/plots/grid.hpp"
#include "sim/reports/plots/looks.hpp"

namespace tutti::reports {

struct PicturePoint {
  double x = 0;
  std::optional<double> y;          // unset: a gap in the line
  bool ran_as_another = false;      // not the algorithm that the series names: a hollow mark
  std::vector<double> marked = {};  // with LinesPicture::has_marks: the marks over the line
  // An error bar from `low` to `high` with the text `mark` above it; no bar if either is unset.
  std::optional<double> low = {};
  std::optional<double> high = {};
  std::string mark = {};
  std::string tip = {};  // the values with units, which a page shows under the mouse
};

struct Panel {
  std::string title;                              // empty in a grid with headings
  std::vector<std::vector<PicturePoint>> curves;  // by series
};

struct PictureHead {
  std::string title;
  std::string subtitle;  // parameters that are the same for all points
  std::vector<std::string> series;
  std::vector<SeriesLook> looks;  // by series; empty: colors in the order of the palette
  std::string series_title;
  std::vector<std::string> notes;  // for example about omitted points

  SeriesLook look(std::size_t series_at) const;
};

// A horizontal line across all panels.
struct Level {
  double y = 0;
  bool dashed = false;
};

struct LinesPicture : PictureHead {
  Axis x;
  Axis y;
  bool joined = true;              // lines join the points; false if x is not numeric
  std::vector<Panel> panels = {};  // row by row
  // Headings of the rows and columns of a grid of panels; empty: panels have titles.
  std::vector<std::string> rows = {};
  std::vector<std::string> columns = {};
  bool has_marks = false;                        // fitted lines and measured marks
  std::string line_words = {}, mark_words = {};  // names in the legend, with `has_marks`
  std::vector<std::size_t> legend = {};          // indices of series, largest last value first
  std::vector<Level> levels = {};
  bool has_diagonal = false;  // a line on which x and y are equal; panels are square
  // By series: factor of x in the drawing, so that error bars do not overlap. Empty: 1.
  std::vector<double> apart = {};
};

struct WinnerCell {
  std::optional<std::size_t> best;     // series; unset: no point here
  std::optional<double> second_ratio;  // second best / best; unset: no rival
  bool complete = true;                // no series lacks a point here that it has elsewhere
  // Series within `tie_tolerance` of the best, including the best; empty: no tie.
  std::vector<std::size_t> tied = {};

  bool is_tie() const { return !tied.empty(); }
};

// Smaller relative differences are ties: the ratio of the second best prints as 1.00.
inline constexpr double tie_tolerance = 0.005;

// One cell for each facet and x. Both axes are categorical, so steps are not to scale.
struct WinnerPicture : PictureHead {
  std::string x_label;
  std::string y_label;
  std::vector<std::string> columns;
  std::vector<std::string> rows;
  std::vector<std::vector<WinnerCell>> cells;  // by row, column
};

// Values over x and y, and a plane to compare with.
struct SurfacePanel {
  std::string title;
  std::vector<double> xs;  // ascending
  std::vector<double> ys;
  std::vector<std::vector<std::optional<double>>> z;  // by y, x
  double plane_x = 0;                                 // z = plane_x x + plane_y y + plane_z
  double plane_y = 0;
  double plane_z = 0;

  double plane_at(double x, double y) const { return plane_x * x + plane_y * y + plane_z; }
};
// `series` names the surface and the plane.
struct SurfacePicture : PictureHead {
  Axis x, y, z;
  std::vector<SurfacePanel> panels;
};

// Groups of bars side by side, for times. The bars of a group have the colors of the series.
struct BarGroup {
  std::string name;
  std::vector<std::optional<double>> values;  // by series
};
struct BarsPicture : PictureHead {
  std::string x_label;
  std::string group_words;  // for example "set": if names do not fit, groups are set 1, 2, ...
  Axis y;                   // begins at 0
  std::vector<BarGroup> groups;
};

// Scatter plot of two times. Both axes are `axis`; a line marks equal times.
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

// Timeline: rows of bars over time. Each span of a bar belongs to a series.
struct TimelineSpan {
  double from = 0;
  double to = 0;
  std::size_t series = 0;
};
struct TimelineBar {
  std::string name;  // printed to the left of the bar
  std::vector<TimelineSpan> spans;
};
struct TimelineRow {
  std::string name;
  std::vector<TimelineBar> bars;  // the same number in each row
};
// An arrow from a bar at time `from` to the same bar of another row at time `to`.
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

// Larger pictures would be unreadable.
inline constexpr std::size_t most_panels = 16;
inline constexpr std::size_t most_grid_panels = 30;  // in a grid with headings
inline constexpr std::size_t most_series = 24;
inline constexpr std::size_t most_winner_cells = 100;  // in each direction

// Without `log`, an axis has a log scale if its values are positive and span more than a factor of
// 30; so does x if its values form a geometric sequence (1, 2, 4, 8), and y if it is a ratio.
// `name` of the study begins the title. Errors are of kind usage.
Result<LinesPicture> lines_picture(const Grid& grid, const std::string& name,
                                   std::optional<LogAxes> log);
// Order of the legend: series that have points, sorted by their last value, largest first.
std::vector<std::size_t> by_last_value(const std::vector<Panel>& panels);

// The best series has the smallest value. An algorithm that ran as another one of the map, in the
// same time, is neither a rival nor a winner. Lower bounds and abstract models (`generic`
// collective I/O, engine `ideal`) do not compete with implementations. Errors are of kind usage.
Result<WinnerPicture> winner_picture(const Grid& grid, const std::string& name);

// One sentence per collective: which series is best, where, and by how much. If no series compete,
// one sentence with the range of the values.
std::vector<std::string> answers(const Grid& grid);

// Title ("bcast on crill"), subtitle with the constant parameters, series and notes.
PictureHead picture_head(const Grid& grid, const std::string& name);

}  // namespace tutti::reports
