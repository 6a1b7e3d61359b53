// SPDX-License-Identifier: BSD-3-Clause
// Scatter plots: square panels with points, and the line on which both values are equal.

#include "sim/base/common.hpp"
#include "sim/reports/plots/canvas.hpp"

namespace tutti::reports {

namespace {

constexpr double below_scatter_px = 58;

PanelGrid grid_of(const ScatterPicture& picture) {
  const std::size_t panels = picture.panels.size();
  const double side = panels == 1 ? 400 : 300;
  return {.panels = panels,
          .columns = panels == 1 ? 1U : 2U,
          .left = widest_px(picture.axis.ticks) + 42,
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
        canvas_(canvas_around(grid_, picture, below_scatter_px)) {}

  Drawing make() {
    for (std::size_t i = 0; i < picture_.panels.size(); ++i) add_data(i);
    program_ += common_settings() + title_and_notes(picture_, canvas_);
    program_ += drawn(legend_of(picture_, grid_.right() + 24, grid_.top + 6), picture_, canvas_,
                      [&](double x, double y, std::size_t one) {
                        return canvas_.text(
                            x + 17, y, "",
                            fmt::format("point pt {} ps 0.9 lc rgb '{}'",
                                        filled_mark(picture_.look(one)), picture_.colour_of(one)));
                      });
    program_ += axis_range('x', picture_.axis) + axis_range('y', picture_.axis);
    program_ +=
        axis_words(canvas_, grid_.all(), below_scatter_px - 16, picture_.x_label, picture_.y_label);
    return drawing_of(
        program_, canvas_, picture_.panels.size(), [&](std::size_t i) { return panel(i); },
        "unset label\n");
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

  std::string panel(std::size_t i) const {
    std::string program = canvas_.margins(grid_.box(i));
    program += fmt::format(
        "set xtics {}\nset ytics {}\n{}", tick_list(picture_.axis.ticks, grid_.is_last(i)),
        tick_list(picture_.axis.ticks, grid_.is_left(i)), panel_title(picture_.panels[i].title));
    program += "plot x with lines lc rgb '#999999' lw 1.2";
    for (std::size_t one = 0; one < picture_.panels[i].points.size(); ++one)
      program +=
          fmt::format(", \\\n  $panel_{}_{} using 1:2 with points pt {} ps 0.6 lc rgb '{}'", i + 1,
                      one + 1, filled_mark(picture_.look(one)), picture_.colour_of(one));
    return program + '\n';
  }

  const ScatterPicture& picture_;
  PanelGrid grid_;
  Canvas canvas_;
  std::string program_;
};

}  // namespace

Drawing draw(const ScatterPicture& picture) { return ScatterProgram(picture).make(); }

}  // namespace tutti::reports
