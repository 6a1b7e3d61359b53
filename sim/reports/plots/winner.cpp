// SPDX-License-Identifier: BSD-3-Clause
// Finds the best series in each cell of a grid.

#include "sim/base/common.hpp"
#include "sim/reports/plots/picture.hpp"
#include "sim/reports/tables/columns.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

constexpr std::array kind_columns = {"collective", "operation", "workload", "pattern"};

bool is_tie(double best, double other) { return other <= best * (1 + tie_tolerance); }

// True for lower bounds and for models that represent no real implementation.
bool is_abstract(const Grid& grid, std::size_t series) {
  using Abstract = std::pair<std::string_view, std::string_view>;
  constexpr auto known = std::to_array<Abstract>({{"implementation", "generic"},
                                                  {"engine", "ideal"},
                                                  {"engine", "model"},
                                                  {"contention", "off"}});
  for (std::size_t i = 0; i < grid.series_columns.size(); ++i)
    for (const auto& [column, value] : known)
      if (grid.series_columns[i] == column && to_text(grid.series[series][i]) == value) return true;
  return false;
}

// The result of a search is the best of all candidates, and would win everywhere.
bool is_best_by_definition(const Grid& grid, std::size_t series) {
  return grid.algorithm_of(series).starts_with("auto:best");
}

// Determines the series that compete, and the facets in which each has points.
class Contest {
 public:
  explicit Contest(const Grid& grid)
      : grid_(grid), compares_algorithms_(grid.compares_algorithms()) {
    std::vector<bool> abstract;
    for (std::size_t series = 0; series < grid.series.size(); ++series)
      abstract.push_back(is_abstract(grid, series));
    competes_.assign(grid.series.size(), true);
    if (std::ranges::find(abstract, false) != abstract.end())
      for (std::size_t series = 0; series < abstract.size(); ++series)
        competes_[series] = !abstract[series];
    if (std::ranges::count(competes_, true) > 2)
      for (std::size_t series = 0; series < competes_.size(); ++series)
        if (is_best_by_definition(grid, series)) competes_[series] = false;
    for (std::size_t series = 0; series < grid.series.size(); ++series)
      number_of_name_.try_emplace(grid.algorithm_of(series), series);
    for (std::size_t index = 0; index < grid.values.size(); ++index)
      if (grid.values[index]) there_.insert({kind_of(facet_of(index)), series_of(index)});
  }

  WinnerCell cell(std::size_t facet, std::size_t x) const {
    WinnerCell cell;
    std::vector<std::size_t> rivals;
    for (std::size_t series = 0; series < grid_.series.size(); ++series) {
      if (!competes_[series]) continue;
      if (!grid_.at(facet, series, x)) {
        if (there_.contains({kind_of(facet), series})) cell.complete = false;
      } else if (!is_another(facet, series, x)) {
        rivals.push_back(series);
      }
    }
    decide(cell, rivals, [&](std::size_t series) { return *grid_.at(facet, series, x); });
    return cell;
  }

  std::vector<std::size_t> bystanders() const {
    std::vector<std::size_t> omitted;
    for (std::size_t series = 0; series < competes_.size(); ++series)
      if (!competes_[series]) omitted.push_back(series);
    return omitted;
  }

 private:
  std::size_t facet_of(std::size_t index) const {
    return index / grid_.xs.size() / grid_.series.size();
  }
  std::size_t series_of(std::size_t index) const {
    return index / grid_.xs.size() % grid_.series.size();
  }

  // The collective, operation, ... of a facet. Different kinds have different algorithms.
  std::string kind_of(std::size_t facet) const {
    std::string kind;
    for (std::size_t i = 0; i < grid_.facet_columns.size(); ++i)
      if (std::ranges::find(kind_columns, grid_.facet_columns[i]) != kind_columns.end())
        kind += to_text(grid_.facets[facet][i]) + '\0';
    return kind;
  }

  // True if the series ran as an algorithm that is itself in the map, or as which an earlier series
  // ran, and took the same time.
  bool is_another(std::size_t facet, std::size_t series, std::size_t x) const {
    if (!compares_algorithms_) return false;
    const RanAs* ran = grid_.ran(grid_.index(facet, series, x));
    if (ran == nullptr) return false;
    const double value = *grid_.at(facet, series, x);
    const auto takes_as_long = [&](std::size_t other) {
      const auto& there = grid_.at(facet, other, x);
      return there && is_tie(*there, value) && is_tie(value, *there);
    };
    const auto named = number_of_name_.find(ran->name);
    if (named != number_of_name_.end() && named->second != series && takes_as_long(named->second))
      return true;
    for (std::size_t other = 0; other < series; ++other) {
      const RanAs* before = grid_.ran(grid_.index(facet, other, x));
      if (before != nullptr && before->name == ran->name && takes_as_long(other)) return true;
    }
    return false;
  }

  template <class ValueOf>
  static void decide(WinnerCell& cell, const std::vector<std::size_t>& rivals,
                     const ValueOf& value_of) {
    if (rivals.empty()) return;
    cell.best = *std::ranges::min_element(rivals, {}, value_of);
    const double least = value_of(*cell.best);
    std::optional<double> second;
    for (const std::size_t series : rivals)
      if (series != *cell.best)
        second = std::min(value_of(series), second.value_or(value_of(series)));
    if (!second) return;
    if (least > 0) cell.second_ratio = *second / least;
    if (*second == least || (least > 0 && is_tie(least, *second)))
      std::ranges::copy_if(rivals, std::back_inserter(cell.tied), [&](std::size_t series) {
        return value_of(series) == least || is_tie(least, value_of(series));
      });
  }

  const Grid& grid_;
  bool compares_algorithms_;
  std::vector<bool> competes_;  // by series
  std::map<std::string, std::size_t> number_of_name_;
  std::set<std::pair<std::string, std::size_t>> there_;  // kind of facet, series with points
};

template <class Test>
bool any_cell(const WinnerPicture& picture, const Test& test) {
  for (const auto& row : picture.cells)
    for (const auto& cell : row)
      if (cell.best && test(cell)) return true;
  return false;
}

std::optional<Error> check_sizes(const Grid& grid) {
  const auto fail = [](std::size_t count, const char* what, std::size_t most) {
    return usage_error("", fmt::format("{} {} do not fit in a map: at most {}", count, what, most),
                       "select fewer of their values, for example with --where");
  };
  if (grid.series.size() < 2)
    return usage_error("--kind", "a map of winners requires at least two series",
                       "select the column whose values are compared with --series");
  if (grid.series.size() > most_series) return fail(grid.series.size(), "series", most_series);
  if (grid.xs.size() > most_winner_cells) return fail(grid.xs.size(), "columns", most_winner_cells);
  if (grid.facets.size() > most_winner_cells)
    return fail(grid.facets.size(), "rows", most_winner_cells);
  return std::nullopt;
}

// "5.66 KiB" of 5793 B; sizes near a power of two are exact.
std::string short_text(const std::string& column, const Cell& value) {
  const auto number = number_of(column, value);
  if (!number || quantity_of(column) != Quantity::bytes || *number < 0x1p10 ||
      std::fmod(*number, 0x1p10) == 0 || std::holds_alternative<std::string>(value))
    return value_text(column, value);
  const double power = std::exp2(std::round(std::log2(*number)));
  if (std::fabs(*number / power - 1) < 0.01) return value_text(column, value);
  return *number < 1000 * 0x1p10 ? fmt::format("{:.3g} KiB", *number / 0x1p10)
                                 : fmt::format("{:.3g} MiB", *number / 0x1p20);
}

// The labels of the columns. Values whose short texts are equal have exact texts.
std::vector<std::string> column_names(const Grid& grid) {
  std::map<std::string, int> uses;
  for (const Cell& x : grid.xs) ++uses[short_text(grid.x, x)];
  std::vector<std::string> names;
  for (const Cell& x : grid.xs) {
    const auto text = short_text(grid.x, x);
    names.push_back(picture_text(uses[text] > 1 ? value_text(grid.x, x) : text));
  }
  return names;
}

bool has_empty_cell(const WinnerPicture& picture) {
  return std::ranges::any_of(picture.cells, [](const auto& row) {
    return std::ranges::any_of(row, [](const WinnerCell& cell) { return !cell.best; });
  });
}

void add_notes(const Grid& grid, const Contest& contest, WinnerPicture& picture) {
  picture.notes.emplace_back("Number: second best / best");
  if (has_empty_cell(picture)) picture.notes.emplace_back("White: not simulated");
  if (any_cell(picture, [](const WinnerCell& cell) { return !cell.complete; }))
    picture.notes.emplace_back("* Some series have no point here");
  if (any_cell(picture, [](const WinnerCell& cell) { return cell.is_tie(); }))
    picture.notes.push_back(
        fmt::format("= The best series differ by less than {:.1f} %", 100 * tie_tolerance));
  for (const std::size_t series : contest.bystanders())
    picture.notes.push_back(
        picture_text(fmt::format("{} {} and does not compete", grid.series_name(series),
                                 is_best_by_definition(grid, series) ? "is the best by definition"
                                                                     : "is an abstract model")));
}

}  // namespace

Result<WinnerPicture> winner_picture(const Grid& grid, const std::string& name) {
  if (auto error = check_sizes(grid)) return *std::move(error);
  WinnerPicture picture;
  static_cast<PictureHead&>(picture) = picture_head(grid, name);
  picture.x_label = picture_text(words_of(grid.x));
  for (const auto& column : grid.facet_columns)
    picture.y_label += (picture.y_label.empty() ? "" : ", ") + picture_text(words_of(column));
  picture.columns = column_names(grid);
  const bool one_column = grid.facet_columns.size() == 1;
  const Contest contest(grid);
  for (std::size_t facet = 0; facet < grid.facets.size(); ++facet) {
    picture.rows.push_back(
        picture_text(one_column ? value_text(grid.facet_columns[0], grid.facets[facet][0])
                                : grid.facet_name(facet)));
    auto& row = picture.cells.emplace_back();
    for (std::size_t x = 0; x < grid.xs.size(); ++x) row.push_back(contest.cell(facet, x));
  }
  add_notes(grid, contest, picture);
  return picture;
}

}  // namespace tutti::reports
