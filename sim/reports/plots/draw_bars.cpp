// SPDX-License-Identifier: BSD-3-Clause
// Bar charts, maps of winners, and timelines of ranks.

#include "sim/base/common.hpp"
#include "sim/reports/page/report_page.hpp"
#include "sim/reports/plots/specification.hpp"

namespace tutti::reports {
namespace {

// Replaces names that do not fit side by side by numbers, and adds the names to the notes.
BarsPicture number_long_names(BarsPicture picture) {
  constexpr std::size_t most_line_characters = 90;
  const std::size_t most_characters =
      std::max(picture.series.size() * 30 / 7 + 2, 400 / (picture.groups.size() * 7) - 2);
  if (std::ranges::all_of(picture.groups, [&](const BarGroup& group) {
        return group.name.size() <= most_characters;
      }))
    return picture;
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < picture.groups.size(); ++i) {
    auto& name = picture.groups[i].name;
    const auto number = fmt::format("{} {}", picture.group_words, i + 1);
    for (auto& line : broken_at_commas(number + ": " + name, most_line_characters))
      notes.push_back(std::move(line));
    name = number;
  }
  picture.notes.insert(picture.notes.begin(), notes.begin(), notes.end());
  return picture;
}

}  // namespace

Drawing draw(const BarsPicture& bars_picture) {
  const BarsPicture picture = number_long_names(bars_picture);
  Specification specification(page_files::bars_form, picture);
  Json groups = Json::array(), bars = Json::array();
  for (const BarGroup& group : picture.groups) {
    for (std::size_t series = 0; series < picture.series.size(); ++series)
      if (const auto& value = group.values[series])
        bars.push_back({{"group", groups.size()},
                        {"s", series},
                        {"y", *value},
                        {"tip", fmt::format("{}, {}: {}", group.name, picture.series[series],
                                            picture_time(*value))}});
    groups.push_back(group.name);
  }
  specification.set_axis("y", picture.y);
  specification.set_signal("x_title", picture.x_label);
  specification.set_signal("groups", std::move(groups));
  specification.set_data("bars", std::move(bars));
  return specification.take();
}

namespace {

constexpr int tie = -1;  // in place of a series

std::string ratio_text(const WinnerCell& cell) {
  if (!cell.second_ratio) return cell.complete ? "" : "*";
  const double ratio = *cell.second_ratio;
  if (cell.is_tie()) return cell.complete ? "=" : "=*";
  return fmt::format("{:.{}f}{}", ratio,
                     ratio < 9.995   ? 2
                     : ratio < 99.95 ? 1
                                     : 0,
                     cell.complete ? "" : "*");
}

}  // namespace

// A cell has the color of the best series, and shows the ratio of the second best to it.
Drawing draw(const WinnerPicture& picture) {
  Specification specification(page_files::winner_form, picture);
  std::set<int, std::greater<>> winners;  // a tie is the last one
  Json cells = Json::array();
  for (std::size_t row = 0; row < picture.rows.size(); ++row)
    for (std::size_t column = 0; column < picture.columns.size(); ++column) {
      const WinnerCell& cell = picture.cells[row][column];
      if (!cell.best) continue;
      const int winner = cell.is_tie() ? tie : static_cast<int>(*cell.best);
      winners.insert(winner);
      cells.push_back({{"x", column},
                       {"y", row},
                       {"s", winner},
                       {"text", ratio_text(cell)},
                       {"tip", fmt::format("{}, {}: {}", picture.columns[column], picture.rows[row],
                                           cell.is_tie() ? "tie" : picture.series[*cell.best])}});
    }
  specification.set_signal("x_title", picture.x_label);
  specification.set_signal("y_title", picture.y_label);
  specification.set_signal("columns", picture.columns);
  specification.set_signal("rows", picture.rows);
  // The series that are the best somewhere, and ties after them.
  Json legend = Json::array();
  for (const int winner : winners)
    if (winner != tie) legend.insert(legend.begin(), winner);
  if (winners.contains(tie)) legend.push_back(tie);
  specification.set_legend("legend", std::move(legend));
  specification.set_data("cells", std::move(cells));
  return specification.take();
}

// Rows of bars, and arrows between them.
Drawing draw(const TimelinePicture& picture) {
  Specification specification(page_files::timeline_form, picture);
  Json row_names = Json::array(), bar_names = Json::array(), spans = Json::array();
  for (const TimelineRow& row : picture.rows) {
    bar_names.clear();
    for (const TimelineBar& bar : row.bars) {
      for (const TimelineSpan& span : bar.spans)
        if (span.to > picture.x.low && span.from < picture.x.high)
          spans.push_back({{"row", row_names.size()},
                           {"bar", bar_names.size()},
                           {"from", span.from},
                           {"to", span.to},
                           {"s", span.series}});
      bar_names.push_back(bar.name);
    }
    row_names.push_back(row.name);
  }
  Json arrows = Json::array();
  for (const TimelineArrow& arrow : picture.arrows)
    arrows.push_back({{"from_row", arrow.from_row},
                      {"to_row", arrow.to_row},
                      {"bar", arrow.bar},
                      {"from", arrow.from},
                      {"to", arrow.to}});
  specification.set_colours(picture.colours);
  specification.set_axis("x", picture.x);
  specification.set_signal("row_names", std::move(row_names));
  specification.set_signal("bar_names", std::move(bar_names));
  specification.set_data("spans", std::move(spans));
  specification.set_data("arrows", std::move(arrows));
  return specification.take();
}

}  // namespace tutti::reports
