// SPDX-License-Identifier: BSD-3-Clause
// Arranges the panels of a picture in a grid whose rows and columns have headings.
#include "sim/reports/plots/picture.hpp"
#include "sim/reports/tables/columns.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

using Places = std::vector<std::size_t>;  // indices of Grid::facet_columns

struct Sides {
  Places rows;
  Places columns;
};

bool is_of_numbers(const Grid& grid, std::size_t place) {
  return std::ranges::all_of(grid.facets, [&](const Key& key) {
    return number_of(grid.facet_columns[place], key[place]).has_value();
  });
}

// If the other side is empty, moves the column with this name to it, else the last column.
void share(const Grid& grid, Places& from, Places& to, std::string_view name) {
  if (!to.empty() || from.size() < 2) return;
  auto moved = std::ranges::find_if(
      from, [&](std::size_t place) { return grid.facet_columns[place] == name; });
  if (moved == from.end()) --moved;
  to.push_back(*moved);
  from.erase(moved);
}

Sides sides_of(const Grid& grid) {
  Sides sides;
  for (std::size_t i = 0; i < grid.facet_columns.size(); ++i) {
    const bool is_row =
        grid.row_columns.empty()
            ? is_of_numbers(grid, i)
            : std::ranges::find(grid.row_columns, grid.facet_columns[i]) != grid.row_columns.end();
    (is_row ? sides.rows : sides.columns).push_back(i);
  }
  if (!grid.row_columns.empty()) return sides;
  share(grid, sides.rows, sides.columns, "ppn");
  share(grid, sides.columns, sides.rows, "platform");
  return sides;
}

// One side of the grid: the distinct values of its columns, sorted.
class Side {
 public:
  Side(const Grid& grid, Places places) : places_(std::move(places)) {
    for (const std::size_t place : places_) columns_.push_back(grid.facet_columns[place]);
    for (const Key& facet : grid.facets) keys_.push_back(of(facet));
    std::ranges::stable_sort(keys_, [&](const Key& a, const Key& b) { return less(a, b); });
    const auto repeated = std::ranges::unique(
        keys_, [&](const Key& a, const Key& b) { return !less(a, b) && !less(b, a); });
    keys_.erase(repeated.begin(), repeated.end());
  }

  std::size_t size() const { return keys_.size(); }

  std::size_t place_of(const Key& facet) const {
    const auto position = std::ranges::lower_bound(
        keys_, of(facet), [&](const Key& a, const Key& b) { return less(a, b); });
    return static_cast<std::size_t>(position - keys_.begin());
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Key& key : keys_) names.push_back(picture_text(key_text(columns_, key)));
    return names;
  }

 private:
  Key of(const Key& facet) const {
    Key key;
    for (const std::size_t place : places_) key.push_back(facet[place]);
    return key;
  }

  bool less(const Key& a, const Key& b) const { return cells_less(columns_, a, b); }

  Places places_;
  std::vector<std::string> columns_;
  std::vector<Key> keys_;
};

}  // namespace

std::optional<FacetGrid> facet_grid(const Grid& grid) {
  if (grid.facet_columns.size() < 2 && grid.row_columns.empty()) return std::nullopt;
  auto [row_places, column_places] = sides_of(grid);
  const Side rows(grid, std::move(row_places)), columns(grid, std::move(column_places));
  const std::size_t places = rows.size() * columns.size();
  const bool is_sparse = places > 2 * grid.facets.size();
  if (places > most_grid_panels || is_sparse || grid.facets.size() < 2) return std::nullopt;
  FacetGrid layout{rows.names(), columns.names(), {}};
  layout.facets.resize(places);
  for (std::size_t i = 0; i < grid.facets.size(); ++i)
    layout
        .facets[rows.place_of(grid.facets[i]) * columns.size() + columns.place_of(grid.facets[i])] =
        i;
  return layout;
}

}  // namespace tutti::reports
