// SPDX-License-Identifier: BSD-3-Clause
// Small multiples with one legend and one scale.

#include "sim/base/common.hpp"
#include "sim/reports/plots/canvas.hpp"

namespace tutti::reports {
namespace {

// Mostly filled ones, then their hollow forms (gnuplot's numbers).
constexpr std::array filled_points = {7, 5, 9, 13, 11, 2, 6, 4};
constexpr std::array hollow_points = {6, 4, 8, 12, 10, 1, 7, 5};
constexpr std::array dashes = {"1", "(9,4)", "(2,4)"};

// gnuplot's SVG draws neighbours of one colour and width as one line, whatever their dashes.
std::string style_of(std::size_t series) {
  return fmt::format("lc rgb '{}' lw 1.8{} dt {}", colour_of(series), round_of(series),
                     dashes[round_of(series) % dashes.size()]);
}

int line_point(std::size_t series) {
  const auto& points = round_of(series) % 2 == 0 ? filled_points : hollow_points;
  return points[series % points.size()];
}

std::string point_sample(int point, std::size_t series) {
  return fmt::format("point pt {} ps 0.9 lc rgb '{}'", point, colour_of(series));
}

std::string panel_title(const std::string& title) {
  return fmt::format("set title {} font ',11' offset 0,-0.5\n", gnuplot_text(title));
}

std::size_t columns_for(std::size_t panels) {
  if (panels <= 3) return panels;
  return panels == 4 ? 2 : panels <= 9 ? 3 : 4;
}

struct LinesLayout {
  PanelGrid grid;
  bool labels_are_turned = false;
  double below_px = 0;
};

LinesLayout layout_of(const LinesPicture& picture) {
  const std::size_t panels = picture.panels.size();
  const std::size_t columns = columns_for(panels);
  const double widest_x = widest_px(picture.x.ticks);
  PanelGrid grid{
      .panels = panels,
      .columns = columns,
      .left = widest_px(picture.y.ticks) + 38,
      .top = title_height_px + (panels > 1 ? 18 : 0),
      .width = panels == 1    ? 620.0
               : columns <= 2 ? 370.0
                              : 270.0,
      .height = panels == 1    ? 400.0
                : columns <= 2 ? 270.0
                               : 200.0,
      // Labels stand in the middle of their ticks: the outer ones of neighbours must not meet.
      .gap = picture.joined ? std::max(30.0, widest_x + 6) : 30.0,
      // Room for the labels of a panel that has none below it.
      .row_gap = panels % columns == 0 ? 44.0 : 54.0};
  if (panels > 1)
    for (const Panel& panel : picture.panels)
      grid.width = std::max(grid.width, text_width_px(panel.title));
  const auto ticks = static_cast<double>(std::max<std::size_t>(1, picture.x.ticks.size()));
  const bool turned = !picture.joined && widest_x > grid.width / ticks;
  return {grid, turned, 62 + (turned ? 0.5 * widest_x : 0)};
}

class LinesProgram {
 public:
  explicit LinesProgram(const LinesPicture& picture)
      : picture_(picture),
        layout_(layout_of(picture)),
        canvas_(canvas_around(grid(), picture, layout_.below_px)) {}

  Drawing make() {
    add_data();
    program_ += common_settings() + title_and_notes(picture_, canvas_, grid().left);
    program_ += legend();
    program_ += axis_range('x', picture_.x) + axis_range('y', picture_.y);
    program_ += axis_words(canvas_, grid().all(), layout_.below_px - 16, picture_.x.label,
                           picture_.y.label);
    return drawing_of(program_, canvas_, picture_.panels.size(),
                      [&](std::size_t i) { return panel(i); });
  }

 private:
  const PanelGrid& grid() const { return layout_.grid; }

  // x, then y of each series.
  void add_data() {
    for (std::size_t i = 0; i < picture_.panels.size(); ++i) {
      const auto& curves = picture_.panels[i].curves;
      program_ += fmt::format("$panel_{} << EOD\n", i + 1);
      for (std::size_t at = 0; at < curves.front().size(); ++at) {
        program_ += fmt::format("{}", curves.front()[at].x);
        for (const auto& curve : curves)
          program_ += curve[at].y ? fmt::format(" {}", *curve[at].y) : " NaN";
        program_ += '\n';
      }
      program_ += "EOD\n";
      for (std::size_t one = 0; one < curves.size(); ++one) add_bars(i, one, curves[one]);
    }
  }

  static bool has_bar(const PicturePoint& point) { return point.y && point.low && point.high; }

  // x, y, low, high, mark.
  void add_bars(std::size_t panel, std::size_t series, const std::vector<PicturePoint>& curve) {
    if (std::ranges::none_of(curve, has_bar)) return;
    program_ += fmt::format("$bars_{}_{} << EOD\n", panel + 1, series + 1);
    for (const auto& point : curve)
      if (has_bar(point))
        program_ += fmt::format("{} {} {} {} \"{}\"\n", point.x, *point.y, *point.low, *point.high,
                                point.mark);
    program_ += "EOD\n";
  }

  std::string legend() const {
    auto legend = legend_of(picture_, grid().right() + 24, grid().top + 6);
    if (!legend.series.empty()) legend.series = picture_.legend;
    return drawn(legend, picture_, canvas_, [&](double x, double y, std::size_t one) {
      return (picture_.joined ? canvas_.line(x, y, x + 34, style_of(one)) : "") +
             canvas_.text(x + 17, y, "", point_sample(line_point(one), one));
    });
  }

  std::string panel(std::size_t i) const {
    const Panel& panel = picture_.panels[i];
    std::string program = canvas_.margins(grid().box(i));
    program += fmt::format("set xtics {} {}\nset ytics {}\n",
                           layout_.labels_are_turned ? "rotate by 35 right" : "",
                           tick_list(picture_.x.ticks, grid().is_last(i)),
                           tick_list(picture_.y.ticks, grid().is_left(i)));
    if (!panel.title.empty()) program += panel_title(panel.title);
    return program + fmt::format("plot {}\n", fmt::join(plots_of(i), ", \\\n  "));
  }

  // The first of the legend is drawn last, above the others.
  std::vector<std::string> plots_of(std::size_t i) const {
    std::vector<std::string> plots;
    for (const Level& level : picture_.levels)
      plots.push_back(fmt::format("{} with lines lc rgb '#555555' lw 1 dt {}", level.y,
                                  level.dashed ? "(6,4)" : "1"));
    for (std::size_t n = picture_.legend.size(); n-- > 0;) {
      const std::size_t one = picture_.legend[n];
      const bool has_bars = std::ranges::any_of(picture_.panels[i].curves[one], has_bar);
      if (has_bars) add_bar_plots(i, one, plots);
      plots.push_back(
          fmt::format("$panel_{} using {}:{} with {} {} pt {} ps {}", i + 1, x_of(one), one + 2,
                      picture_.joined ? "linespoints" : "points",
                      picture_.joined ? style_of(one) : fmt::format("lc rgb '{}'", colour_of(one)),
                      line_point(one), has_bars ? 0.45 : 0.75));
    }
    return plots;
  }

  void add_bar_plots(std::size_t panel, std::size_t one, std::vector<std::string>& plots) const {
    const auto data = fmt::format("$bars_{}_{} using {}", panel + 1, one + 1, x_of(one));
    // Bars of gnuplot's own leave a gap around the point.
    plots.push_back(
        fmt::format("{}:3:(0):($4-$3) with vectors heads size graph 0.006,90 lc rgb '{}' lw 1.2",
                    data, colour_of(one)));
    plots.push_back(
        fmt::format("{}:4:(stringcolumn(5)) with labels center offset 0,0.5 font ',10' "
                    "textcolor rgb '{}'",
                    data, colour_of(one)));
  }

  std::string x_of(std::size_t series) const {
    return picture_.apart.empty() ? "1" : fmt::format("($1*{})", picture_.apart[series]);
  }

  const LinesPicture& picture_;
  LinesLayout layout_;
  Canvas canvas_;
  std::string program_;
};

}  // namespace

Drawing draw(const LinesPicture& picture) { return LinesProgram(picture).make(); }

// Square panels of points beside the line on which both values are equal.

namespace {

constexpr std::array scatter_points = {7, 5, 9, 13, 11, 6, 4, 8};  // gnuplot's numbers
constexpr double below_scatter_px = 58;

int scatter_point(std::size_t series) { return scatter_points[series % scatter_points.size()]; }

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
    program_ += common_settings() + title_and_notes(picture_, canvas_, grid_.left);
    program_ += drawn(legend_of(picture_, grid_.right() + 24, grid_.top + 6), picture_, canvas_,
                      [&](double x, double y, std::size_t one) {
                        return canvas_.text(x + 17, y, "", point_sample(scatter_point(one), one));
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
      program += fmt::format(", \\\n  $panel_{}_{} using 1:2 with points pt {} ps 0.6 lc rgb '{}'",
                             i + 1, one + 1, scatter_point(one), colour_of(one));
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
