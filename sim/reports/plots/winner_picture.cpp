// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error_list.hpp"
#include "sim/reports/clean_text.hpp"
#include "sim/reports/plots/picture.hpp"

namespace tutti::reports {
namespace {

WinnerCell cell_at(const Grid& grid, std::size_t facet, std::size_t x) {
  WinnerCell cell;
  std::optional<double> least;
  std::optional<double> second;
  for (std::size_t one = 0; one < grid.series.size(); ++one) {
    const auto& value = grid.at(facet, one, x);
    cell.complete = cell.complete && value.has_value();
    if (!value) continue;
    if (!least || *value < *least) {
      second = least;
      least = value;
      cell.best = one;
    } else if (!second || *value < *second) {
      second = value;
    }
  }
  if (second && *least > 0) cell.second_ratio = *second / *least;
  return cell;
}

template <class Test>
bool any_cell(const WinnerPicture& picture, const Test& test) {
  for (const auto& row : picture.cells)
    for (const auto& cell : row)
      if (cell.best && test(cell)) return true;
  return false;
}

std::optional<Error> check_sizes(const Grid& grid) {
  const auto fail = [](std::size_t count, const char* what, std::size_t most) {
    return usage_error("",
                       fmt::format("{} {} are too many for a map: at most {}", count, what, most),
                       "take fewer of their values into the result");
  };
  if (grid.series.size() < 2)
    return usage_error("--kind", "a map of winners needs two series at least",
                       "--series names the column whose values compete");
  if (grid.series.size() > most_series) return fail(grid.series.size(), "series", most_series);
  if (grid.xs.size() > most_winner_cells) return fail(grid.xs.size(), "columns", most_winner_cells);
  if (grid.facets.size() > most_winner_cells)
    return fail(grid.facets.size(), "rows", most_winner_cells);
  return std::nullopt;
}

}  // namespace

Result<WinnerPicture> winner_picture(const Grid& grid, const std::string& name) {
  if (auto error = check_sizes(grid)) return *std::move(error);
  WinnerPicture picture;
  static_cast<PictureHead&>(picture) = picture_head(grid, name);
  picture.x_label = picture_text(words_of(grid.x));
  for (const auto& column : grid.facet_columns)
    picture.y_label += (picture.y_label.empty() ? "" : ", ") + picture_text(words_of(column));
  for (const Cell& x : grid.xs) picture.columns.push_back(picture_text(value_text(grid.x, x)));
  const bool one_column = grid.facet_columns.size() == 1;
  for (std::size_t facet = 0; facet < grid.facets.size(); ++facet) {
    picture.rows.push_back(
        picture_text(one_column ? value_text(grid.facet_columns[0], grid.facets[facet][0])
                                : grid.facet_name(facet)));
    auto& row = picture.cells.emplace_back();
    for (std::size_t x = 0; x < grid.xs.size(); ++x) row.push_back(cell_at(grid, facet, x));
  }
  if (any_cell(picture, [](const WinnerCell& cell) { return !cell.complete; }))
    picture.notes.emplace_back("* some series have no point here");
  if (any_cell(picture, [](const WinnerCell& cell) { return cell.second_ratio == 1.0; }))
    picture.notes.emplace_back("= the second is as good; the first in the legend has the colour");
  return picture;
}

}  // namespace tutti::reports
