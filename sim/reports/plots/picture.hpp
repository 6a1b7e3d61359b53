// SPDX-License-Identifier: BSD-3-Clause
// What a picture shows, before gnuplot or the page draws it. All texts are clean UTF-8.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/grid.hpp"
#include "sim/reports/plots/looks.hpp"
#include "sim/reports/plots/ticks.hpp"

namespace tutti::reports {

struct PicturePoint {
  double x = 0;
  std::optional<double> y;          // none: the line has a gap here
  bool ran_as_another = false;      // another algorithm than the series names: a hollow mark
  std::vector<double> marked = {};  // where LinesPicture::has_marks: the marks over the line
  // A bar from `low` to `high`, and a word above it; where there is none, they say nothing.
  std::optional<double> low = {};
  std::optional<double> high = {};
  std::string mark = {};
};

struct Panel {
  std::string title;                              // empty in a grid with headings
  std::vector<std::vector<PicturePoint>> curves;  // by series
};

struct PictureHead {
  std::string title;
  std::string subtitle;  // what is the same for all points
  std::vector<std::string> series;
  std::vector<SeriesLook> looks;  // by series; empty: the places of the palette in order
  std::string series_title;
  std::vector<std::string> notes;  // what the picture does not show

  SeriesLook look(std::size_t one) const;
  std::string_view colour_of(std::size_t one) const { return palette[look(one).colour].light; }
};

// A line across all panels.
struct Level {
  double y = 0;
  bool dashed = false;
};

struct LinesPicture : PictureHead {
  Axis x;
  Axis y;
  bool joined = true;              // the values of x are numbers
  std::vector<Panel> panels = {};  // row by row
  // The headings of a grid of panels, one for each row and column; empty: panels have titles.
  std::vector<std::string> rows = {};
  std::vector<std::string> columns = {};
  bool has_marks = false;                        // lines are fitted, marks are measured
  std::string line_words = {}, mark_words = {};  // what they are, where `has_marks`
  std::vector<std::size_t> legend = {};          // series, the largest values first
  std::vector<Level> levels = {};
  // By series: x is drawn so many times as far, so that bars stand side by side. Empty: as it is.
  std::vector<double> apart = {};
};

struct WinnerCell {
  std::optional<std::size_t> best;     // series; none: no point here
  std::optional<double> second_ratio;  // second best / best; none: no rival
  bool complete = true;                // every series that could have a point here has one
  // Series within `tie_tolerance` of the best, itself included; empty: it is the only one.
  std::vector<std::size_t> tied = {};

  bool is_tie() const { return !tied.empty(); }
};

// Relative differences below it are ties: the printed ratio of the second best is 1.00.
inline constexpr double tie_tolerance = 0.005;

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
inline constexpr std::size_t most_grid_panels = 30;  // with headings of rows and columns
inline constexpr std::size_t most_series = 24;
inline constexpr std::size_t most_winner_cells = 100;  // side by side, or one below the other

// Without `log` an axis that spans more than a factor 30 without 0 is one of powers, and an x whose
// values are 1, 2, 4, 8. `name`: of the
// study, begins the title.
Result<LinesPicture> lines_picture(const Grid& grid, const std::string& name,
                                   std::optional<LogAxes> log);
// The legend: as the curves end on the right, where it is.
std::vector<std::size_t> by_last_value(const std::vector<Panel>& panels);

// The best is the least value. An algorithm that ran as another one of the map, with its time, is
// that one here: it is neither a rival nor a winner. Lower bounds and abstract models, as `generic`
// of collective I/O and engine `ideal`, do not compete with implementations.
Result<WinnerPicture> winner_picture(const Grid& grid, const std::string& name);

// What is best where, and by how much: a sentence for each collective. Where nothing competes, the
// range of the values.
std::vector<std::string> answers(const Grid& grid);

// "bcast on crill", and the constants that matter to a reader.
PictureHead picture_head(const Grid& grid, const std::string& name);

}  // namespace tutti::reports
