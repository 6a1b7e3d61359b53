// SPDX-License-Identifier: BSD-3-Clause
// Small multiples with one legend and one scale.

#include "sim/base/common.hpp"
#include "sim/reports/plots/canvas.hpp"
#include "sim/reports/plots/panel_grid.hpp"

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

std::size_t columns_for(std::size_t panels) {
  if (panels <= 3) return panels;
  return panels == 4 ? 2 : panels <= 9 ? 3 : 4;
}

class Layout {
 public:
  explicit Layout(const LinesPicture& picture)
      : picture_(picture),
        panels_(picture.panels.size()),
        columns_(columns_for(panels_)),
        rows_((panels_ + columns_ - 1) / columns_) {
    width_ = panels_ == 1 ? 620 : columns_ <= 2 ? 370 : 270;
    height_ = panels_ == 1 ? 400 : columns_ <= 2 ? 270 : 200;
    if (panels_ > 1)
      for (const Panel& panel : picture.panels)
        width_ = std::max(width_, text_width_px(panel.title));
    for (const Tick& tick : picture.y.ticks) left_ = std::max(left_, text_width_px(tick.label));
    left_ += 38;
    for (const Tick& tick : picture.x.ticks)
      widest_x_ = std::max(widest_x_, text_width_px(tick.label));
    // Labels stand in the middle of their ticks: the outer ones of neighbours must not meet.
    if (picture.joined) gap_ = std::max(least_gap, widest_x_ + 6);
    turned_ = !picture.joined && widest_x_ > width_ / static_cast<double>(std::max<std::size_t>(
                                                          1, picture.x.ticks.size()));
    bottom_ = 62 + (turned_ ? 0.5 * widest_x_ : 0);
  }

  Box panel(std::size_t i) const {
    const auto column = static_cast<double>(i % columns_);
    const auto row = static_cast<double>(i / columns_);
    return {left_ + column * (width_ + gap_), top() + row * (height_ + row_gap()), width_, height_};
  }
  bool has_left_labels(std::size_t i) const { return i % columns_ == 0; }
  // No panel is below.
  bool has_bottom_labels(std::size_t i) const { return i + columns_ >= panels_; }

  double left() const { return left_; }
  double top() const { return title_height_px + (panels_ > 1 ? panel_title : 0); }
  double plots_right() const {
    return left_ + static_cast<double>(columns_) * (width_ + gap_) - gap_;
  }
  double plots_bottom() const {
    return top() + static_cast<double>(rows_) * (height_ + row_gap()) - row_gap();
  }
  double width() const { return plots_right() + 24 + legend_width_px(picture_); }
  double height() const {
    return std::max(plots_bottom() + bottom_, top() + legend_height_px(picture_.series.size())) +
           notes_height_px(picture_) + 4;
  }
  bool labels_are_turned() const { return turned_; }
  double bottom() const { return bottom_; }

 private:
  static constexpr double least_gap = 30;
  static constexpr double panel_title = 18;
  // Room for the labels of a panel that has none below it.
  double row_gap() const { return panels_ % columns_ == 0 ? 44 : 54; }

  const LinesPicture& picture_;
  std::size_t panels_;
  std::size_t columns_;
  std::size_t rows_;
  double width_ = 0;
  double height_ = 0;
  double gap_ = least_gap;
  double left_ = 0;
  double widest_x_ = 0;
  bool turned_ = false;
  double bottom_ = 0;
};

class LinesProgram {
 public:
  explicit LinesProgram(const LinesPicture& picture)
      : picture_(picture), layout_(picture), canvas_(layout_.width(), layout_.height()) {}

  Drawing make() {
    add_data();
    program_ += common_settings() + title_and_notes(picture_, canvas_, layout_.left());
    add_legend();
    add_axes();
    program_ += "set multiplot\n";
    for (std::size_t i = 0; i < picture_.panels.size(); ++i) add_panel(i);
    program_ += "unset multiplot\n";
    return {std::move(program_), static_cast<int>(std::ceil(layout_.width())),
            static_cast<int>(std::ceil(layout_.height()))};
  }

 private:
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

  void add_legend() {
    if (picture_.series.size() < 2) return;
    const double x = layout_.plots_right() + 24;
    double y = layout_.top() + 6;
    program_ += canvas_.text(x, y, picture_.series_title, "font ',11' textcolor rgb '#555555'");
    for (const std::size_t one : picture_.legend) {
      y += legend_line_px;
      if (picture_.joined) program_ += canvas_.line(x, y, x + 34, style_of(one));
      program_ += canvas_.text(
          x + 17, y, "",
          fmt::format("point pt {} ps 0.9 lc rgb '{}'", line_point(one), colour_of(one)));
      program_ += canvas_.text(x + 46, y, picture_.series[one]);
    }
  }

  static std::string axis(char name, const Axis& axis) {
    return fmt::format("{}set {}range [{}:{}] noextend\n",
                       axis.log ? fmt::format("set logscale {} 10\n", name) : "", name, axis.low,
                       axis.high);
  }

  void add_axes() {
    program_ += axis('x', picture_.x) + axis('y', picture_.y);
    const double middle_x = (layout_.left() + layout_.plots_right()) / 2;
    const double middle_y = (layout_.top() + layout_.plots_bottom()) / 2;
    program_ += canvas_.text(middle_x, layout_.plots_bottom() + layout_.bottom() - 16,
                             picture_.x.label, "center");
    program_ += canvas_.text(14, middle_y, picture_.y.label, "center rotate by 90");
  }

  void add_panel(std::size_t i) {
    const Panel& panel = picture_.panels[i];
    const Box box = layout_.panel(i);
    program_ += canvas_.margins(box);
    program_ +=
        fmt::format("set xtics {} {}\n", layout_.labels_are_turned() ? "rotate by 35 right" : "",
                    tick_list(picture_.x.ticks, layout_.has_bottom_labels(i)));
    program_ +=
        fmt::format("set ytics {}\n", tick_list(picture_.y.ticks, layout_.has_left_labels(i)));
    if (!panel.title.empty())
      program_ += fmt::format("set title {} font ',11' offset 0,-0.5\n", gnuplot_text(panel.title));
    program_ += fmt::format("plot {}\n", fmt::join(plots_of(i), ", \\\n  "));
    // They stand on the page once.
    if (i == 0) program_ += "unset label\nunset arrow\n";
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
  Layout layout_;
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
