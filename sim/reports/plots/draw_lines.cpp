// SPDX-License-Identifier: BSD-3-Clause
// Small multiples with one legend and one scale. A page may change the signals `x_domain` and
// `y_domain` to show a part.

#include "sim/base/common.hpp"
#include "sim/reports/page/report_page.hpp"
#include "sim/reports/plots/specification.hpp"

namespace tutti::reports {
namespace {

std::size_t panel_columns(const LinesPicture& picture) {
  if (!picture.columns.empty()) return picture.columns.size();
  const std::size_t panels = picture.panels.size();
  if (panels <= 3) return panels;
  return panels == 4 ? 2 : panels <= 9 ? 3 : 4;
}

// Explanations of kinds of marks below the names of the series.
Json legend_keys(const LinesPicture& picture) {
  const auto key = [](const char* kind, const std::string& words) {
    return Json{{"kind", kind}, {"words", words}};
  };
  if (picture.has_marks)
    return Json::array({key("mark", picture.mark_words), key("line", picture.line_words)});
  for (const Panel& panel : picture.panels)
    for (const auto& curve : panel.curves)
      for (const PicturePoint& point : curve)
        if (point.y && point.ran_as_another)
          return Json::array({key("hollow", "ran as another algorithm")});
  return Json::array();
}

// A row for each value on a line, for each gap, and for each mark over a line. The first series of
// the legend comes last, on top of the others.
Json panel_rows(const LinesPicture& picture, const Panel& panel) {
  Json rows = Json::array();
  for (std::size_t n = picture.legend.size(); n-- > 0;) {
    const std::size_t series = picture.legend[n];
    const double apart = picture.apart.empty() ? 1 : picture.apart[series];
    for (const PicturePoint& point : panel.curves[series]) {
      Json& row = rows.emplace_back(Json{{"s", series}, {"x", apart * point.x}});
      row["y"] = point.y ? Json(*point.y) : Json();
      if (point.y) row["tip"] = point.tip;
      if (point.ran_as_another) row["hollow"] = true;
      if (point.low && point.high)
        row.update({{"low", *point.low}, {"high", *point.high}, {"text", point.mark}});
      for (const double mark : point.marked)
        rows.push_back({{"s", series},
                        {"x", apart * point.x},
                        {"y", mark},
                        {"over", true},
                        {"tip", picture.mark_words + " " + picture_time(mark)}});
    }
  }
  return rows;
}

Json panel_data(const LinesPicture& picture, std::size_t columns) {
  const std::size_t count = picture.panels.size();
  Json panels = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    const Panel& panel = picture.panels[i];
    const bool has_heading = i < columns && !picture.columns.empty();
    const bool has_row_heading = i % columns == columns - 1 && picture.rows.size() > 1;
    panels.push_back({{"title", has_heading ? picture.columns[i] : panel.title},
                      {"row_title", has_row_heading ? picture.rows[i / columns] : ""},
                      {"is_left", i % columns == 0},
                      {"is_last", i + columns >= count},
                      {"rows", panel_rows(picture, panel)}});
  }
  return panels;
}

}  // namespace

Drawing draw(const LinesPicture& picture) {
  Specification specification(page_files::lines_form, picture);
  const std::size_t columns = panel_columns(picture);
  specification.set_signal("columns", columns);
  specification.set_signal("is_joined", picture.joined);
  specification.set_signal("is_square", picture.has_diagonal);
  specification.set_signal("has_marks", picture.has_marks);
  specification.set_axis("x", picture.x);
  specification.set_axis("y", picture.y);
  specification.set_legend("legend",
                           picture.series.size() > 1 ? Json(picture.legend) : Json::array());
  specification.set_legend("keys", legend_keys(picture));
  Json levels = Json::array();
  for (const Level& level : picture.levels)
    levels.push_back({{"y", level.y}, {"is_dashed", level.dashed}});
  specification.set_data("levels", std::move(levels));
  specification.set_data("panels", panel_data(picture, columns));
  return specification.take();
}

// A picture of two times: square panels with points, and the line on which both are equal.
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
      for (const auto& [x, y] : points)
        curve.push_back({.x = x,
                         .y = y,
                         .tip = fmt::format("{} {}, {} {}", picture.x.label, picture_time(x),
                                            picture.y.label, picture_time(y))});
    }
  }
  picture.legend.resize(scatter.series.size());
  std::iota(picture.legend.begin(), picture.legend.end(), 0);
  return draw(picture);
}

}  // namespace tutti::reports
