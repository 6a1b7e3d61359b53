// SPDX-License-Identifier: BSD-3-Clause
// Square panels of points beside the line on which both values are equal.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/reports/plots/canvas.hpp"
#include "sim/reports/plots/colours.hpp"
#include "sim/reports/plots/panel_grid.hpp"

namespace tutti::reports {
namespace {

constexpr std::array scatter_points = {7, 5, 9, 13, 11, 6, 4, 8};  // gnuplot's numbers
constexpr double below_scatter_px = 58;

int scatter_point(std::size_t series) { return scatter_points[series % scatter_points.size()]; }

PanelGrid grid_of(const ScatterPicture& picture) {
  const std::size_t panels = picture.panels.size();
  double widest = 0;
  for (const auto& tick : picture.axis.ticks) widest = std::max(widest, text_width_px(tick.label));
  const double side = panels == 1 ? 400 : 300;
  return {.panels = panels,
          .columns = panels == 1 ? 1U : 2U,
          .left = widest + 42,
          .top = title_height_px + 18,
          .width = side,
          .height = side,
          .gap = 34,
          .row_gap = 48};
}

class ScatterProgram {
 public:
  explicit ScatterProgram(const ScatterPicture& picture)
      : picture_(picture),
        grid_(grid_of(picture)),
        canvas_(grid_.right() + 24 + legend_width_px(picture),
                grid_.top +
                    std::max(grid_.bottom() - grid_.top + below_scatter_px,
                             legend_height_px(picture.series.size())) +
                    notes_height_px(picture) + 4) {}

  Drawing make() {
    for (std::size_t i = 0; i < picture_.panels.size(); ++i) add_data(i);
    program_ += common_settings() + title_and_notes(picture_, canvas_, grid_.left);
    add_legend();
    add_axes();
    program_ += "set multiplot\n";
    for (std::size_t i = 0; i < picture_.panels.size(); ++i) add_panel(i);
    program_ += "unset multiplot\n";
    return {std::move(program_), static_cast<int>(std::ceil(canvas_.width_px())),
            static_cast<int>(std::ceil(canvas_.height_px()))};
  }

 private:
  void add_data(std::size_t i) {
    const auto& of_series = picture_.panels[i].points;
    for (std::size_t one = 0; one < of_series.size(); ++one) {
      program_ += fmt::format("$panel_{}_{} << EOD\n", i + 1, one + 1);
      if (of_series[one].empty()) program_ += "NaN NaN\n";
      for (const auto& [x, y] : of_series[one]) program_ += fmt::format("{} {}\n", x, y);
      program_ += "EOD\n";
    }
  }

  void add_legend() {
    if (picture_.series.size() < 2) return;
    const double x = grid_.right() + 24;
    double y = grid_.top + 6;
    program_ += canvas_.text(x, y, picture_.series_title, "font ',11' textcolor rgb '#555555'");
    for (std::size_t one = 0; one < picture_.series.size(); ++one) {
      y += 21;
      program_ += canvas_.text(
          x + 17, y, "",
          fmt::format("point pt {} ps 0.9 lc rgb '{}'", scatter_point(one), colour_of(one)));
      program_ += canvas_.text(x + 46, y, picture_.series[one]);
    }
  }

  void add_axes() {
    for (const char name : {'x', 'y'})
      program_ += fmt::format("{}set {}range [{}:{}] noextend\n",
                              picture_.axis.log ? fmt::format("set logscale {} 10\n", name) : "",
                              name, picture_.axis.low, picture_.axis.high);
    program_ += canvas_.text((grid_.left + grid_.right()) / 2,
                             grid_.bottom() + below_scatter_px - 16, picture_.x_label, "center");
    program_ +=
        canvas_.text(14, (grid_.top + grid_.bottom()) / 2, picture_.y_label, "center rotate by 90");
  }

  void add_panel(std::size_t i) {
    const bool is_left = i % grid_.columns == 0;
    const bool is_last = i + grid_.columns >= grid_.panels;
    program_ += canvas_.margins(grid_.box(i));
    program_ += fmt::format("set xtics {}\nset ytics {}\nset title {} font ',11' offset 0,-0.5\n",
                            tick_list(picture_.axis.ticks, is_last),
                            tick_list(picture_.axis.ticks, is_left),
                            gnuplot_text(picture_.panels[i].title));
    program_ += "plot x with lines lc rgb '#999999' lw 1.2";
    for (std::size_t one = 0; one < picture_.panels[i].points.size(); ++one)
      program_ += fmt::format(", \\\n  $panel_{}_{} using 1:2 with points pt {} ps 0.6 lc rgb '{}'",
                              i + 1, one + 1, scatter_point(one), colour_of(one));
    program_ += '\n';
    if (i == 0) program_ += "unset label\n";
  }

  const ScatterPicture& picture_;
  PanelGrid grid_;
  Canvas canvas_;
  std::string program_;
};

}  // namespace

Drawing draw(const ScatterPicture& picture) { return ScatterProgram(picture).make(); }

}  // namespace tutti::reports
