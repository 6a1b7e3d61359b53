// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "sim/reports/clean_text.hpp"
#include "sim/reports/page/page_data.hpp"
#include "sim/reports/plots/colours.hpp"

namespace tutti::reports {
namespace {

Json colours_json(std::size_t series) {
  Json colours = Json::array();
  for (std::size_t one = 0; one < series; ++one) colours.push_back(colour_of(one));
  return colours;
}

const char* name_of(Quantity quantity) {
  return quantity == Quantity::bytes     ? "bytes"
         : quantity == Quantity::seconds ? "seconds"
                                         : "number";
}

// A mark for each value of x, which the page thins itself.
Json x_json(const LinesPicture& picture, const Grid& grid) {
  Json marks = Json::array();
  for (std::size_t i = 0; i < grid.xs.size(); ++i) {
    const double at = picture.joined ? *number_of(grid.x, grid.xs[i]) : static_cast<double>(i + 1);
    marks.push_back({{"at", at}, {"label", clean_text(value_text(grid.x, grid.xs[i]))}});
  }
  return {{"label", picture.x.label},
          {"log", picture.x.log},
          {"low", picture.x.low},
          {"high", picture.x.high},
          {"marks", marks}};
}

Json y_json(const LinesPicture& picture, const Grid& grid) {
  const Quantity quantity = grid.is_relative ? Quantity::number : quantity_of(grid.y);
  const std::string words = clean_text(words_of(grid.y));
  return {{"label", grid.is_relative ? picture.y.label : words},
          {"words", words},
          {"log", picture.y.log},
          {"low", picture.y.low},
          {"high", picture.y.high},
          {"quantity", name_of(quantity)}};
}

Json panel_json(const Panel& panel) {
  Json curves = Json::array();
  for (const auto& curve : panel.curves) {
    Json points = Json::array();
    for (const auto& point : curve) points.push_back({point.x, point.y ? Json(*point.y) : Json()});
    curves.push_back(std::move(points));
  }
  return {{"title", panel.title}, {"curves", std::move(curves)}};
}

Json winner_cell(const WinnerCell& cell) {
  if (!cell.best) return nullptr;
  return {{"best", *cell.best},
          {"ratio", cell.second_ratio ? Json(*cell.second_ratio) : Json()},
          {"complete", cell.complete}};
}

}  // namespace

Json lines_json(const LinesPicture& picture, const Grid& grid) {
  Json panels = Json::array();
  for (const auto& panel : picture.panels) panels.push_back(panel_json(panel));
  return {{"title", picture.title},      {"subtitle", picture.subtitle},
          {"series", picture.series},    {"colours", colours_json(picture.series.size())},
          {"legend", picture.legend},    {"joined", picture.joined},
          {"x", x_json(picture, grid)},  {"y", y_json(picture, grid)},
          {"panels", std::move(panels)}, {"notes", picture.notes}};
}

Json timeline_json(const TimelinePicture& picture) {
  Json ticks = Json::array(), rows = Json::array(), arrows = Json::array();
  for (const auto& tick : picture.x.ticks)
    ticks.push_back({{"at", tick.at}, {"label", tick.label}});
  for (const auto& row : picture.rows) {
    Json bars = Json::array();
    for (const auto& bar : row.bars) {
      Json spans = Json::array();
      for (const auto& span : bar.spans) spans.push_back({span.from, span.to, span.series});
      bars.push_back({{"name", bar.name}, {"spans", std::move(spans)}});
    }
    rows.push_back({{"name", row.name}, {"bars", std::move(bars)}});
  }
  for (const auto& each : picture.arrows)
    arrows.push_back({each.from_row, each.to_row, each.bar, each.from, each.to});
  return {{"title", picture.title},
          {"subtitle", picture.subtitle},
          {"series", picture.series},
          {"colours", picture.colours},
          {"x",
           {{"label", picture.x.label},
            {"low", picture.x.low},
            {"high", picture.x.high},
            {"ticks", std::move(ticks)}}},
          {"rows", std::move(rows)},
          {"arrows", std::move(arrows)},
          {"notes", picture.notes}};
}

Json winner_json(const WinnerPicture& picture, const Grid& grid) {
  Json cells = Json::array();
  for (const auto& row : picture.cells) {
    Json line = Json::array();
    for (const auto& cell : row) line.push_back(winner_cell(cell));
    cells.push_back(std::move(line));
  }
  return {{"title", picture.title},     {"value", clean_text(words_of(grid.y))},
          {"x_label", picture.x_label}, {"y_label", picture.y_label},
          {"series", picture.series},   {"colours", colours_json(picture.series.size())},
          {"columns", picture.columns}, {"rows", picture.rows},
          {"cells", std::move(cells)},  {"notes", picture.notes}};
}

}  // namespace tutti::reports
