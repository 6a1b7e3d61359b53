// SPDX-License-Identifier: BSD-3-Clause
// Parts that all gnuplot programs share: title, legend, notes and panels. Positions are in pixels
// from the upper left corner.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/gnuplot.hpp"

namespace tutti::reports {

struct Box {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
};

// Approximate width of a text in the default font.
double text_width_px(std::string_view text);
// Approximate width of the widest label.
double widest_px(const std::vector<Tick>& ticks);

// Positions are relative to a subtitle of one line: further lines shift all but the title and the
// subtitle down.
class Canvas {
 public:
  // At least as wide as the title and, up to a limit, the subtitle, which both begin at `left`.
  Canvas(const PictureHead& head, double left, double width_px, double height_px);

  // "screen X, screen Y"
  std::string at(double x, double y) const;
  // The margins that place the plot in `box`.
  std::string margins(const Box& box) const;
  std::string text(double x, double y, std::string_view text, std::string_view style = "") const;
  std::string line(double x, double y, double to_x, std::string_view style) const;
  std::string rectangle(const Box& box, std::string_view style) const;

  double width_px() const { return width_px_; }
  double height_px() const { return height_px_; }
  double left_px() const { return left_px_; }
  double shift_px() const { return shift_px_; }
  const std::vector<std::string>& subtitle() const { return subtitle_; }

 private:
  double left_px_;
  double width_px_;
  std::vector<std::string> subtitle_;  // lines
  double shift_px_;
  double height_px_;
};

// Title and subtitle are above the plots, notes below.
inline constexpr double title_height_px = 64;
double notes_height_px(const PictureHead& head);
std::string title_and_notes(const PictureHead& head, const Canvas& canvas);

double legend_width_px(const PictureHead& head);
inline constexpr double legend_line_px = 21;
inline constexpr double legend_sample_px = 46;
double legend_height_px(std::size_t series);

inline constexpr std::string_view small_grey = "font ',11' textcolor rgb '#555555'";

// The legend is to the right of the plots: a title, then the series, each with a sample on its
// left.
struct Legend {
  double x = 0;
  double y = 0;  // of the title
  double sample_px = 0;
  std::string title;
  std::vector<std::size_t> series;
};
// Contains all series, or none if there is only one.
Legend legend_of(const PictureHead& head, double x, double y);
// `sample_at(x, y, series)` draws a sample.
template <class SampleAt>
std::string drawn(const Legend& legend, const PictureHead& head, const Canvas& canvas,
                  const SampleAt& sample_at) {
  if (legend.series.empty()) return {};
  std::string program = canvas.text(legend.x, legend.y, legend.title, small_grey);
  double y = legend.y;
  for (const std::size_t one : legend.series) {
    y += legend_line_px;
    program +=
        sample_at(legend.x, y, one) + canvas.text(legend.x + legend.sample_px, y, head.series[one]);
  }
  return program;
}

// The labels of both axes, centered below the plots and to their left.
std::string axis_words(const Canvas& canvas, const Box& plots, double below_px,
                       const std::string& x_label, const std::string& y_label);
// "set xrange [1:10] noextend"
std::string axis_range(char name, const Axis& axis);

// "('1 KiB' 1024, '' 2048 1)"
std::string tick_list(const std::vector<Tick>& ticks, bool with_labels);

// Every program begins with these settings.
std::string common_settings();
Drawing drawing_of(std::string program, const Canvas& canvas);

// gnuplot's numbers of point types.
int filled_mark(const SeriesLook& look);
int hollow_mark(const SeriesLook& look);
// The title of the next panel.
std::string panel_title(const std::string& title);

// Explains a kind of mark in the legend, below the names of the series.
struct LegendKey {
  enum class Kind : unsigned char { line, mark, hollow } kind;
  std::string words;
};
std::vector<LegendKey> keys_of(const LinesPicture& picture);

// Panels of equal size below the title, row by row.
struct PanelGrid {
  std::size_t panels = 1;
  std::size_t columns = 1;
  double left = 0;
  double top = 0;
  double width = 0;  // of a panel
  double height = 0;
  double gap = 0;  // between columns
  double row_gap = 0;
  double right_heading_px = 0;  // for the headings of rows

  std::size_t rows() const { return (panels + columns - 1) / columns; }
  Box box(std::size_t i) const {
    return {left + static_cast<double>(i % columns) * (width + gap),
            top + static_cast<double>(i / columns) * (height + row_gap), width, height};
  }
  bool is_left(std::size_t i) const { return i % columns == 0; }
  // True if there is no panel below.
  bool is_last(std::size_t i) const { return i + columns >= panels; }
  double right() const { return left + static_cast<double>(columns) * (width + gap) - gap; }
  double legend_left() const { return right() + right_heading_px + 24; }
  double bottom() const { return top + static_cast<double>(rows()) * (height + row_gap) - row_gap; }
  Box all() const { return {left, top, right() - left, bottom() - top}; }
};

// A canvas with room for a legend to the right of the panels, and `below_px` below them.
inline Canvas canvas_around(const PanelGrid& grid, const PictureHead& head, double below_px,
                            double keys_width_px = 0, double keys_height_px = 0) {
  const double legend_px = std::max(legend_width_px(head), keys_width_px);
  const double legend_bottom = grid.top + legend_height_px(head.series.size()) + keys_height_px;
  return {head, grid.left, grid.legend_left() + legend_px,
          std::max(grid.bottom() + below_px, legend_bottom) + notes_height_px(head) + 4};
}

// `panel(i)` returns the program of a panel. Labels and arrows of `program` are drawn with the
// first panel only; `done` then removes them.
template <class PanelOf>
Drawing drawing_of(std::string program, const Canvas& canvas, std::size_t panels,
                   const PanelOf& panel, const char* done = "unset label\nunset arrow\n") {
  program += "set multiplot\n";
  for (std::size_t i = 0; i < panels; ++i) program += panel(i) + (i == 0 ? done : "");
  return drawing_of(program + "unset multiplot\n", canvas);
}

}  // namespace tutti::reports
