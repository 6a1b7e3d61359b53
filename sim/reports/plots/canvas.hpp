// SPDX-License-Identifier: BSD-3-Clause
// What the programs of gnuplot share: places in pixels from the upper left corner, titles, legend,
// notes.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/gnuplot.hpp"
#include "sim/reports/plots/plot_wish.hpp"

namespace tutti::reports {

// How series are told apart: the colours of Okabe and Ito (Color Universal Design, 2008), which
// people with any colour vision can tell apart, and shapes and dashes beside them.

// Grey, which they allow beside them, in place of their yellow: that is too light for lines on
// paper.
inline constexpr std::array<std::string_view, 8> okabe_ito = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"};

constexpr std::string_view colour_of(std::size_t series) {
  return okabe_ito[series % okabe_ito.size()];
}
// How often all colours were used before: another shape and dash each time.
constexpr std::size_t round_of(std::size_t series) { return series / okabe_ito.size(); }

struct Box {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
};

// Of a text in the usual font, roughly.
double text_width_px(std::string_view text);

class Canvas {
 public:
  Canvas(double width_px, double height_px);

  // "screen X, screen Y"
  std::string at(double x, double y) const;
  // The plot's border.
  std::string margins(const Box& box) const;
  std::string text(double x, double y, std::string_view text, std::string_view style = "") const;
  std::string line(double x, double y, double to_x, std::string_view style) const;
  std::string rectangle(const Box& box, std::string_view style) const;

  double width_px() const { return width_px_; }
  double height_px() const { return height_px_; }

 private:
  double width_px_;
  double height_px_;
};

// Title and subtitle above the plots, notes below.
inline constexpr double title_height_px = 64;
double notes_height_px(const PictureHead& head);
std::string title_and_notes(const PictureHead& head, const Canvas& canvas, double left);

double legend_width_px(const PictureHead& head);
inline constexpr double legend_line_px = 21;
double legend_height_px(std::size_t series);

// "('1 KiB' 1024, '' 2048 1)"
std::string tick_list(const std::vector<Tick>& ticks, bool with_labels);

// What all programs begin with.
std::string common_settings();

// Which of several plots of a table can be drawn.

// The first one of these plots that `points` has one value for at each place, in not too many
// panels and curves; where there is none, the first of all, whose error says what is in the way.
// There is at least one.
PlotWords first_drawable(const Table& points, const std::vector<PlotWords>& plots);

}  // namespace tutti::reports
