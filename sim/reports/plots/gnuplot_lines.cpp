// SPDX-License-Identifier: BSD-3-Clause
// Small multiples with one legend and one scale.

#include "sim/base/common.hpp"
#include "sim/reports/plots/canvas.hpp"

namespace tutti::reports {
namespace {

constexpr std::array dashes = {"1", "(9,4)", "(2,4)"};

// The SVG terminal of gnuplot merges adjacent lines of one color and width even if their dashes
// differ, so the width differs slightly.
std::string style_of(const PictureHead& head, std::size_t series) {
  const std::size_t round = head.look(series).round;
  return fmt::format("lc rgb '{}' lw 1.8{} dt {}", head.colour_of(series), round,
                     dashes[round % dashes.size()]);
}

// For headings above columns and to the right of rows.
constexpr double heading_px = 20;

std::size_t columns_for(std::size_t panels) {
  if (panels <= 3) return panels;
  return panels == 4 ? 2 : panels <= 9 ? 3 : 4;
}

double keys_width(const LinesPicture& picture) {
  double widest = 0;
  for (const auto& key : keys_of(picture)) widest = std::max(widest, text_width_px(key.words));
  return widest == 0 ? 0 : legend_sample_px + widest + 14;
}

struct LinesLayout {
  PanelGrid grid;
  bool labels_are_turned = false;
  double below_px = 0;
};

LinesLayout layout_of(const LinesPicture& picture) {
  const std::size_t panels = picture.panels.size();
  const bool has_headings = !picture.columns.empty();
  const std::size_t columns = has_headings ? picture.columns.size() : columns_for(panels);
  const double widest_x = widest_px(picture.x.ticks);
  PanelGrid grid{
      .panels = panels,
      .columns = columns,
      .left = widest_px(picture.y.ticks) + 38,
      .top = title_height_px + (panels > 1 ? 18 : 0),
      .width = panels == 1    ? 620.0
               : columns <= 2 ? 370.0
               : columns <= 3 ? 270.0
                              : 240.0,
      .height = panels == 1    ? 400.0
                : columns <= 2 ? 270.0
                               : 200.0,
      // Labels are centered at their ticks: those of adjacent panels must not overlap.
      .gap = picture.joined ? std::max(30.0, widest_x + 6) : 30.0,
      // For titles of panels, and for the labels of a panel that has no other panel below.
      .row_gap = has_headings            ? 18.0
                 : panels % columns == 0 ? 44.0
                                         : 54.0,
      .right_heading_px = picture.rows.size() > 1 ? heading_px : 0};
  if (has_headings)
    for (const auto& heading : picture.columns)
      grid.width = std::max(grid.width, text_width_px(heading));
  for (const auto& heading : picture.rows)
    grid.height = std::max(grid.height, text_width_px(heading));
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
        canvas_(canvas_around(grid(), picture, layout_.below_px, keys_width(picture),
                              legend_line_px * 2.5)) {}

  Drawing make() {
    add_data();
    program_ += common_settings() + title_and_notes(picture_, canvas_);
    program_ += legend() + headings();
    program_ += axis_range('x', picture_.x) + axis_range('y', picture_.y);
    program_ += axis_words(canvas_, grid().all(), layout_.below_px - 16, picture_.x.label,
                           picture_.y.label);
    return drawing_of(program_, canvas_, picture_.panels.size(),
                      [&](std::size_t i) { return panel(i); });
  }

 private:
  const PanelGrid& grid() const { return layout_.grid; }

  // Columns: x, then y of each series.
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
      for (std::size_t one = 0; one < curves.size(); ++one) {
        add_bars(i, one, curves[one]);
        add_marks(i, one, curves[one]);
      }
    }
  }

  static bool is_hollow(const PicturePoint& point) { return point.y && point.ran_as_another; }
  static bool is_marked(const PicturePoint& point) { return !point.marked.empty(); }

  // Columns: x, y. Separate blocks for hollow and filled marks if there are both, and for the marks
  // over the line.
  void add_marks(std::size_t panel, std::size_t series, const std::vector<PicturePoint>& curve) {
    if (std::ranges::any_of(curve, is_hollow))
      for (const bool hollow : {false, true}) {
        program_ +=
            fmt::format("${}_{}_{} << EOD\n", hollow ? "hollow" : "solid", panel + 1, series + 1);
        for (const auto& point : curve)
          if (point.y && point.ran_as_another == hollow)
            program_ += fmt::format("{} {}\n", point.x, *point.y);
        if (!hollow) program_ += "NaN NaN\n";
        program_ += "EOD\n";
      }
    if (std::ranges::none_of(curve, is_marked)) return;
    program_ += fmt::format("$marks_{}_{} << EOD\n", panel + 1, series + 1);
    for (const auto& point : curve)
      for (const double mark : point.marked) program_ += fmt::format("{} {}\n", point.x, mark);
    program_ += "EOD\n";
  }

  static bool has_bar(const PicturePoint& point) { return point.y && point.low && point.high; }

  // Columns: x, y, low, high, mark.
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
    auto legend = legend_of(picture_, grid().legend_left(), grid().top + 6);
    if (!legend.series.empty()) legend.series = picture_.legend;
    std::string program =
        drawn(legend, picture_, canvas_, [&](double x, double y, std::size_t one) {
          return (picture_.joined ? canvas_.line(x, y, x + 34, style_of(picture_, one)) : "") +
                 canvas_.text(x + 17, y, "", point_sample(filled_mark(picture_.look(one)), one));
        });
    double y = legend.y + legend_line_px * static_cast<double>(legend.series.size());
    const auto explain = [&](const std::string& sample, const std::string& words) {
      y += legend_line_px;
      program += sample + canvas_.text(legend.x + legend.sample_px, y, words, small_grey);
    };
    y += legend.series.empty() ? 0 : legend_line_px / 2;
    for (const auto& line : keys_of(picture_))
      explain(key_sample(line.kind, legend.x, y + legend_line_px), line.words);
    return program;
  }

  std::string key_sample(LegendKey::Kind kind, double x, double y) const {
    constexpr std::string_view grey = "lc rgb '#555555'";
    if (kind == LegendKey::Kind::line)
      return canvas_.line(x, y, x + 34, fmt::format("{} lw 1.8", grey));
    const int point = kind == LegendKey::Kind::hollow ? 6 : 7;
    return canvas_.text(x + 17, y, "", fmt::format("point pt {} ps 1.1 {}", point, grey));
  }

  std::string headings() const {
    std::string program;
    for (std::size_t i = 0; i < picture_.columns.size(); ++i) {
      const Box box = grid().box(i);
      program += canvas_.text(box.left + box.width / 2, box.top - 12, picture_.columns[i],
                              "center font ',12'");
    }
    if (picture_.rows.size() < 2) return program;
    for (std::size_t row = 0; row < picture_.rows.size(); ++row) {
      const Box box = grid().box(row * grid().columns);
      program += canvas_.text(grid().right() + 12, box.top + box.height / 2, picture_.rows[row],
                              "center rotate by -90 font ',12'");
    }
    return program;
  }

  std::string point_sample(int point, std::size_t one) const {
    return fmt::format("point pt {} ps 0.9 lc rgb '{}'", point, picture_.colour_of(one));
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

  // The first series of the legend is drawn last, on top of the others.
  std::vector<std::string> plots_of(std::size_t i) const {
    std::vector<std::string> plots;
    for (const Level& level : picture_.levels)
      plots.push_back(fmt::format("{} with lines lc rgb '#555555' lw 1 dt {}", level.y,
                                  level.dashed ? "(6,4)" : "1"));
    for (std::size_t n = picture_.legend.size(); n-- > 0;) {
      const std::size_t one = picture_.legend[n];
      add_curve_plots(i, one, plots);
    }
    add_hollow_plots(i, plots);
    return plots;
  }

  void add_curve_plots(std::size_t i, std::size_t one, std::vector<std::string>& plots) const {
    const auto& curve = picture_.panels[i].curves[one];
    const bool has_bars = std::ranges::any_of(curve, has_bar);
    if (has_bars) add_bar_plots(i, one, plots);
    const bool has_hollow = std::ranges::any_of(curve, is_hollow);
    const auto colour = fmt::format("lc rgb '{}'", picture_.colour_of(one));
    const auto points =
        fmt::format("pt {} ps {}", filled_mark(picture_.look(one)), has_bars ? 0.45 : 0.75);
    const auto marks_of = [&](const char* block) {
      plots.push_back(fmt::format("${}_{}_{} using {}:2 with points {} {}", block, i + 1, one + 1,
                                  x_of(one), colour, points));
    };
    const bool lines_alone = picture_.has_marks || has_hollow;
    if (picture_.joined || !lines_alone)
      plots.push_back(fmt::format("$panel_{} using {}:{} with {} {} {}", i + 1, x_of(one), one + 2,
                                  !picture_.joined ? "points"
                                  : lines_alone    ? "lines"
                                                   : "linespoints",
                                  picture_.joined ? style_of(picture_, one) : colour,
                                  lines_alone ? "" : points));
    if (has_hollow) marks_of("solid");
    if (std::ranges::any_of(curve, is_marked)) marks_of("marks");
  }

  // Drawn on top: hollow marks often coincide with those of the algorithm that ran.
  void add_hollow_plots(std::size_t i, std::vector<std::string>& plots) const {
    for (std::size_t one = 0; one < picture_.series.size(); ++one)
      if (std::ranges::any_of(picture_.panels[i].curves[one], is_hollow))
        plots.push_back(fmt::format(
            "$hollow_{}_{} using {}:2 with points lc rgb '{}' pt {} ps 1.2 lw 1.5", i + 1, one + 1,
            x_of(one), picture_.colour_of(one), hollow_mark(picture_.look(one))));
  }

  void add_bar_plots(std::size_t panel, std::size_t one, std::vector<std::string>& plots) const {
    const auto data = fmt::format("$bars_{}_{} using {}", panel + 1, one + 1, x_of(one));
    // gnuplot's own error bars leave a gap around the point.
    plots.push_back(
        fmt::format("{}:3:(0):($4-$3) with vectors heads size graph 0.006,90 lc rgb '{}' lw 1.2",
                    data, picture_.colour_of(one)));
    plots.push_back(
        fmt::format("{}:4:(stringcolumn(5)) with labels center offset 0,0.5 font ',10' "
                    "textcolor rgb '{}'",
                    data, picture_.colour_of(one)));
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

}  // namespace tutti::reports
