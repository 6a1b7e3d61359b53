// SPDX-License-Identifier: BSD-3-Clause
// Small multiples with one legend and one scale. A page may change the signals `x_domain`,
// `y_domain` and `zoomed` to show a part, and add series to `hidden`.

#include "sim/base/common.hpp"
#include "sim/reports/plots/figure.hpp"

namespace tutti::reports {
namespace {

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
  if (picture.has_diagonal) grid.width = grid.height = panels == 1 ? 400 : 300;
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

// A Vega expression for the text of a value: "1.5 us", "64 KiB", "2x".
std::string value_expression(const Axis& axis, std::string_view value) {
  struct Scale {
    double factor;
    const char* unit;
  };
  static const std::map<Quantity, std::vector<Scale>> scales = {
      {Quantity::seconds, {{1, " s"}, {1e-3, " ms"}, {1e-6, " µs"}, {0, " ns"}}},
      {Quantity::rate, {{1e9, " GB/s"}, {1e6, " MB/s"}, {1e3, " kB/s"}, {0, " B/s"}}},
      {Quantity::bytes, {{0x1p30, " GiB"}, {0x1p20, " MiB"}, {0x1p10, " KiB"}, {0, " B"}}},
      {Quantity::fraction, {{0, " %"}}},
      {Quantity::number, {{0, ""}}}};
  static const std::map<Quantity, double> smallest = {{Quantity::seconds, 1e-9},
                                                      {Quantity::fraction, 1e-2}};
  std::string expression = fmt::format("{} == 0 ? '0' : ", value);
  for (const auto& [factor, unit] : scales.at(axis.quantity)) {
    const auto known = smallest.find(axis.quantity);
    const double least = known == smallest.end() ? 1 : known->second;
    if (factor > 0) expression += fmt::format("abs({}) >= {} ? ", value, 0.9995 * factor);
    expression += fmt::format("format({} / {}, '.4~r') + '{}{}'", value,
                              factor > 0 ? factor : least, axis.is_ratio ? "x" : "", unit);
    if (factor > 0) expression += " : ";
  }
  return expression;
}

// The axis of a panel. Its marks are those of the picture, or chosen by Vega in a part of it.
Json panel_axis(const char* scale, const Axis& axis, bool has_labels, double angle) {
  const bool is_x = *scale == 'x';
  const bool keeps_marks = axis.marks_at_points || axis.is_category;
  const auto own = fmt::format("{0}_labels[indexof({0}_ticks, datum.value)]", scale);
  const auto text =
      keeps_marks ? own
                  : fmt::format("zoomed ? ({}) : {}", value_expression(axis, "datum.value"), own);
  Json labels = {{"text", figure_signal(text)}};
  if (angle != 0) labels.update({{"angle", {{"value", angle}}}, {"align", {{"value", "right"}}}});
  return {{"scale", scale},
          {"orient", is_x ? "bottom" : "left"},
          {"values",
           figure_signal(fmt::format("{}{}_ticks", keeps_marks ? "" : "zoomed ? null : ", scale))},
          {"tickCount", 6},
          {"labels", has_labels},
          {"labelOverlap", figure_signal("zoomed ? 'greedy' : false")},
          {"labelBound", false},
          {"labelFont", figure_font},
          {"labelFontSize", 12},
          {"labelColor", figure_signal("scale('paint', 'ink')")},
          {"labelFlush", false},
          {"grid", true},
          {"gridColor", figure_signal("scale('paint', 'line')")},
          {"gridWidth", 0.6},
          {"tickColor", figure_signal("scale('paint', 'ink')")},
          {"domainColor", figure_signal("scale('paint', 'ink')")},
          {"encode", {{"labels", {{"update", std::move(labels)}}}}}};
}

class LinesFigure {
 public:
  explicit LinesFigure(const LinesPicture& picture)
      : picture_(picture),
        layout_(layout_of(picture)),
        figure_(figure_around(grid(), picture, layout_.below_px, keys_width(picture),
                              legend_line_px * 2.5)) {}

  Drawing make() {
    add_scales();
    add_legend();
    add_headings();
    figure_.axis_words(grid().all(), layout_.below_px - 16, picture_.x.label, picture_.y.label);
    for (std::size_t i = 0; i < picture_.panels.size(); ++i) add_panel(i);
    return figure_.take();
  }

 private:
  const PanelGrid& grid() const { return layout_.grid; }

  void add_scale(const std::string& name, const Axis& axis, Json range) {
    Json ticks = Json::array(), labels = Json::array();
    for (const Tick& tick : axis.ticks) {
      ticks.push_back(tick.at);
      labels.push_back(tick.label);
    }
    figure_.add_signal(name + "_domain", {axis.low, axis.high});
    figure_.add_signal(name + "_ticks", std::move(ticks));
    figure_.add_signal(name + "_labels", std::move(labels));
    figure_.add_scale({{"name", name},
                       {"type", axis.log ? "log" : "linear"},
                       {"domain", figure_signal(name + "_domain")},
                       {"range", std::move(range)},
                       {"zero", false},
                       {"nice", false}});
  }

  void add_scales() {
    add_scale("x", picture_.x, {0, grid().width});
    add_scale("y", picture_.y, {grid().height, 0});
    Json colours = Json::array(), marks = Json::array(), dashes = Json::array();
    for (std::size_t one = 0; one < picture_.series.size(); ++one) {
      figure_.use(picture_.colour_of(one));
      colours.push_back(picture_.colour_of(one));
      marks.push_back(picture_.look(one).mark);
      dashes.push_back(picture_.look(one).round % dash_count);
    }
    for (const auto colour : {paint::ink, paint::line, paint::faint, paint::paper})
      figure_.use(colour);
    figure_.add_signal("zoomed", false);
    figure_.add_signal("names", picture_.series);
    figure_.add_signal("colours", std::move(colours));
    figure_.add_signal("marks", std::move(marks));
    figure_.add_signal("dashes", std::move(dashes));
  }

  void add_legend() {
    auto legend = figure_.legend_at(grid().legend_left(), grid().top + 6);
    if (!legend.series.empty()) legend.series = picture_.legend;
    figure_.draw_legend(legend, [&](double x, double y, std::size_t one) {
      const auto look = picture_.look(one);
      const auto colour = picture_.colour_of(one);
      if (picture_.joined) figure_.line(x, y, x + 34, y, line_style(one));
      figure_.symbol(x + 17, y, look.mark, colour);
    });
    double y = legend.y + legend_line_px * static_cast<double>(legend.series.size()) +
               (legend.series.empty() ? 0 : legend_line_px / 2);
    for (const auto& [kind, words] : keys_of(picture_)) {
      y += legend_line_px;
      if (kind == LegendKey::Kind::line)
        figure_.line(legend.x, y, legend.x + 34, y, {.colour = paint::faint, .width = 1.8});
      else
        figure_.symbol(legend.x + 17, y, 0, paint::faint, kind == LegendKey::Kind::hollow);
      figure_.text(legend.x + legend.sample_px, y, words, small_text);
    }
  }

  LineStyle line_style(std::size_t one) const {
    return {.colour = picture_.colour_of(one),
            .width = 1.8,
            .dash = picture_.look(one).round % dash_count};
  }

  void add_headings() {
    for (std::size_t i = 0; i < picture_.columns.size(); ++i) {
      const Box box = grid().box(i);
      figure_.text(box.left + box.width / 2, box.top - 12, picture_.columns[i], centered);
    }
    for (std::size_t i = 0; i < picture_.panels.size(); ++i) {
      const Box box = grid().box(i);
      figure_.text(box.left + box.width / 2, box.top - 10, picture_.panels[i].title,
                   {.size = 11, .align = "center"});
    }
    if (picture_.rows.size() < 2) return;
    for (std::size_t row = 0; row < picture_.rows.size(); ++row) {
      const Box box = grid().box(row * grid().columns);
      figure_.text(grid().right() + 12, box.top + box.height / 2, picture_.rows[row],
                   {.align = "center", .angle = 90});
    }
  }

  // A row for each value on a line, for each gap, and for each mark over a line. The first series
  // of the legend comes last, on top of the others.
  Json rows_of(const Panel& panel) const {
    Json rows = Json::array();
    for (std::size_t n = picture_.legend.size(); n-- > 0;) {
      const std::size_t one = picture_.legend[n];
      const double apart = picture_.apart.empty() ? 1 : picture_.apart[one];
      for (const PicturePoint& point : panel.curves[one]) {
        Json& row = rows.emplace_back(Json{{"s", one}, {"x", apart * point.x}});
        row["y"] = point.y ? Json(*point.y) : Json();
        if (point.ran_as_another) row["hollow"] = true;
        if (point.low && point.high)
          row.update({{"low", *point.low}, {"high", *point.high}, {"text", point.mark}});
        for (const double mark : point.marked)
          rows.push_back({{"s", one}, {"x", apart * point.x}, {"y", mark}, {"over", true}});
      }
    }
    return rows;
  }

  Json tooltip() const {
    const auto x =
        picture_.x.is_category ? "x_labels[datum.x - 1]" : value_expression(picture_.x, "datum.x");
    return figure_signal(
        fmt::format("(names[datum.s] ? names[datum.s] + ': ' : '') + ({}) + ' (' + ({}) + "
                    "(datum.hollow ? ', ran as another algorithm)' : ')')",
                    value_expression(picture_.y, "datum.y"), x));
  }

  static Json shown(Json encoding) {
    encoding.update({{"x", {{"scale", "x"}, {"field", "x"}}},
                     {"y", {{"scale", "y"}, {"field", "y"}}},
                     {"opacity", figure_signal("indexof(hidden, datum.s) < 0 ? 1 : 0")}});
    return {{"update", std::move(encoding)}};
  }
  static Json colour_of_series() { return figure_signal("scale('paint', colours[datum.s])"); }

  Json levels() const {
    Json marks = Json::array();
    for (const Level& level : picture_.levels)
      marks.push_back(
          {{"type", "rule"},
           {"encode",
            {{"update",
              {{"x", {{"value", 0}}},
               {"x2", {{"value", grid().width}}},
               {"y", {{"scale", "y"}, {"value", level.y}}},
               {"stroke", Figure::paint_of(paint::faint)},
               {"strokeDash", {{"scale", "dash"}, {"value", level.dashed ? 1 : 0}}}}}}}});
    if (picture_.has_diagonal)
      marks.push_back({{"type", "rule"},
                       {"encode",
                        {{"update",
                          {{"x", {{"scale", "x"}, {"signal", "x_domain[0]"}}},
                           {"x2", {{"scale", "x"}, {"signal", "x_domain[1]"}}},
                           {"y", {{"scale", "y"}, {"signal", "x_domain[0]"}}},
                           {"y2", {{"scale", "y"}, {"signal", "x_domain[1]"}}},
                           {"stroke", Figure::paint_of(paint::faint)}}}}}});
    return marks;
  }

  Json curves() const {
    return {
        {"type", "group"},
        {"from", {{"facet", {{"name", "curve"}, {"data", "on_lines"}, {"groupby", "s"}}}}},
        {"marks",
         {{{"type", "line"},
           {"from", {{"data", "curve"}}},
           {"encode", shown({{"defined", figure_signal("isValid(datum.y)")},
                             {"stroke", colour_of_series()},
                             {"strokeWidth", {{"value", 1.8}}},
                             {"strokeDash", figure_signal("scale('dash', dashes[datum.s])")}})}}}}};
  }

  Json points(bool has_bars) const {
    return {
        {"type", "symbol"},
        {"from", {{"data", "points"}}},
        {"encode",
         shown(
             {{"shape", figure_signal("scale('mark', marks[datum.s])")},
              {"size", figure_signal(fmt::format("datum.hollow ? 80 : {}", has_bars ? 16 : 40))},
              {"stroke", colour_of_series()},
              {"strokeWidth", figure_signal("datum.hollow ? 1.5 : 1")},
              {"fill", figure_signal("scale('paint', datum.hollow ? 'paper' : colours[datum.s])")},
              {"tooltip", tooltip()}})}};
  }

  static void add_bars(Json& marks) {
    const auto rule = [](const char* at, double half_px, const char* to) -> Json {
      return {{"type", "rule"},
              {"from", {{"data", "bars"}}},
              {"encode",
               {{"update",
                 {{"x", {{"scale", "x"}, {"field", "x"}, {"offset", -half_px}}},
                  {"x2", {{"scale", "x"}, {"field", "x"}, {"offset", half_px}}},
                  {"y", {{"scale", "y"}, {"field", at}}},
                  {"y2", {{"scale", "y"}, {"field", to}}},
                  {"stroke", colour_of_series()},
                  {"strokeWidth", {{"value", 1.2}}}}}}}};
    };
    marks.push_back(rule("low", 0, "high"));
    marks.push_back(rule("low", 3, "low"));
    marks.push_back(rule("high", 3, "high"));
    marks.push_back({{"type", "text"},
                     {"from", {{"data", "bars"}}},
                     {"encode",
                      {{"update",
                        {{"x", {{"scale", "x"}, {"field", "x"}}},
                         {"y", {{"scale", "y"}, {"field", "high"}, {"offset", -6}}},
                         {"text", {{"field", "text"}}},
                         {"align", {{"value", "center"}}},
                         {"fontSize", {{"value", 10}}},
                         {"fill", colour_of_series()}}}}}});
  }

  static Json selection(const char* name, const char* test) {
    return {
        {"name", name}, {"source", "rows"}, {"transform", {{{"type", "filter"}, {"expr", test}}}}};
  }

  void add_panel(std::size_t i) {
    const Panel& panel = picture_.panels[i];
    const auto has_bar = [](const PicturePoint& point) { return point.low && point.high; };
    const bool has_bars = std::ranges::any_of(
        panel.curves, [&](const auto& curve) { return std::ranges::any_of(curve, has_bar); });
    Json marks = levels();
    if (picture_.joined) marks.push_back(curves());
    if (has_bars) add_bars(marks);
    marks.push_back(points(has_bars));
    const Json content = {
        {"type", "group"},
        {"clip", true},
        {"encode",
         {{"update",
           {{"width", {{"value", grid().width}}}, {"height", {{"value", grid().height}}}}}}},
        {"marks", std::move(marks)}};
    // Lines over which there are marks have no marks themselves.
    const auto points_test =
        picture_.has_marks ? "isValid(datum.y) && datum.over" : "isValid(datum.y)";
    figure_.add_group(
        grid().box(i),
        {{"name", fmt::format("panel_{}", i + 1)},
         {"signals",  // the size of the grid lines of the axes
          {{{"name", "width"}, {"value", grid().width}},
           {{"name", "height"}, {"value", grid().height}}}},
         {"data",
          {{{"name", "rows"}, {"values", rows_of(panel)}},
           selection("on_lines", "!datum.over"),
           selection("points", points_test),
           selection("bars", "isValid(datum.low)")}},
         {"axes",
          {panel_axis("x", picture_.x, grid().is_last(i), layout_.labels_are_turned ? -35 : 0),
           panel_axis("y", picture_.y, grid().is_left(i), 0)}},
         {"marks", {content}}});
  }

  const LinesPicture& picture_;
  LinesLayout layout_;
  Figure figure_;
};

}  // namespace

Drawing draw(const LinesPicture& picture) { return LinesFigure(picture).make(); }

// A picture of two values of one quantity: square panels with points, and the line on which both
// values are equal.
Drawing draw(const ScatterPicture& scatter) {
  LinesPicture picture;
  static_cast<PictureHead&>(picture) = scatter;
  picture.x = picture.y = scatter.axis;
  picture.x.label = scatter.x_label;
  picture.y.label = scatter.y_label;
  picture.joined = false;
  picture.has_diagonal = true;
  for (const ScatterPanel& panel : scatter.panels) {
    Panel& drawn = picture.panels.emplace_back(Panel{.title = panel.title, .curves = {}});
    for (const auto& points : panel.points) {
      auto& curve = drawn.curves.emplace_back();
      for (const auto& [x, y] : points) curve.push_back({.x = x, .y = y});
    }
  }
  for (std::size_t one = 0; one < scatter.series.size(); ++one) picture.legend.push_back(one);
  return LinesFigure(picture).make();
}

}  // namespace tutti::reports
