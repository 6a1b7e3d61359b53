// SPDX-License-Identifier: BSD-3-Clause
// What the programs of gnuplot share: places in pixels from the upper left corner, titles, legend,
// notes.
#pragma once

#include <string>

#include "sim/reports/plots/gnuplot.hpp"

namespace tutti::reports {

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

}  // namespace tutti::reports
