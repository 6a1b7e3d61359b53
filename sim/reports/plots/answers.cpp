// SPDX-License-Identifier: BSD-3-Clause
// Summarizes the results of a grid in sentences.

#include "sim/base/common.hpp"
#include "sim/reports/plots/picture.hpp"
#include "sim/reports/tables/columns.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

constexpr std::size_t most_answers = 8;
constexpr std::size_t most_winners = 3;  // named in a sentence

// A cell of the grid.
struct Spot {
  std::size_t facet = 0;
  std::size_t x = 0;
};

// The cells in which a series is the best.
struct Wins {
  std::size_t series = 0;
  std::size_t count = 0;
  std::set<std::size_t> xs = {};
  double ratio = 1;  // largest ratio of the second best to this series
};

// Each value of such a column gets a sentence of its own.
bool is_kind(std::string_view column) { return column == "collective" || column == "operation"; }

class Answers {
 public:
  Answers(const Grid& grid, const WinnerPicture& map) : grid_(grid), map_(map) {}

  std::vector<std::string> make() const {
    std::vector<std::string> sentences;
    for (const auto& [kind, facets] : facets_by_kind()) {
      if (sentences.size() >= most_answers) break;
      sentences.push_back(best_of(kind, facets));
      if (auto sentence = chosen_by_library(kind, facets)) sentences.push_back(*sentence);
    }
    return sentences;
  }

 private:
  using Facets = std::vector<std::size_t>;

  std::vector<std::pair<std::string, Facets>> facets_by_kind() const {
    std::vector<std::pair<std::string, Facets>> kinds;
    for (std::size_t facet = 0; facet < grid_.facets.size(); ++facet) {
      std::string kind;
      for (std::size_t i = 0; i < grid_.facet_columns.size(); ++i)
        if (is_kind(grid_.facet_columns[i])) kind = to_text(grid_.facets[facet][i]);
      const auto entry = std::ranges::find(kinds, kind, &std::pair<std::string, Facets>::first);
      if (entry == kinds.end())
        kinds.emplace_back(kind, Facets{facet});
      else
        entry->second.push_back(facet);
    }
    return kinds;
  }

  bool is_time() const { return quantity_of(grid_.y) == Quantity::seconds; }

  // "16 KiB to 4 MiB"
  std::string range_of(const std::set<std::size_t>& xs) const {
    const auto first = value_text(grid_.x, grid_.xs[*xs.begin()]);
    return xs.size() == 1
               ? first
               : fmt::format("{} to {}", first, value_text(grid_.x, grid_.xs[*xs.rbegin()]));
  }

  std::string place_of(const Spot& spot) const {
    const std::string x = label_of(grid_.x, grid_.xs[spot.x]);
    std::string place = x;
    for (std::size_t i = 0; i < grid_.facet_columns.size(); ++i)
      if (!is_kind(grid_.facet_columns[i]))
        place += ", " + label_of(grid_.facet_columns[i], grid_.facets[spot.facet][i]);
    return place;
  }

  std::string best_of(const std::string& kind, const Facets& facets) const {
    std::map<std::size_t, Wins> wins;
    std::size_t cells = 0, ties = 0;
    for (const std::size_t facet : facets)
      for (std::size_t x = 0; x < grid_.xs.size(); ++x) {
        const WinnerCell& cell = map_.cells[facet][x];
        if (!cell.best) continue;
        ++cells;
        ties += cell.is_tie();
        if (cell.is_tie()) continue;
        Wins& of = wins.try_emplace(*cell.best, Wins{*cell.best}).first->second;
        ++of.count;
        of.xs.insert(x);
        of.ratio = std::max(of.ratio, cell.second_ratio.value_or(1));
      }
    return sentence_of(kind, wins, cells, ties);
  }

  std::string sentence_of(const std::string& kind, const std::map<std::size_t, Wins>& wins,
                          std::size_t cells, std::size_t ties) const {
    std::vector<Wins> sorted;
    for (const auto& [series, of] : wins) sorted.push_back(of);
    std::ranges::stable_sort(sorted, std::greater(), &Wins::count);
    const std::string prefix = kind.empty() ? "" : kind + ": ";
    if (sorted.empty())
      return fmt::format("{}the best series differ by less than {:.1f} % in all {} cases.", prefix,
                         100 * tie_tolerance, cells);
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min(sorted.size(), most_winners); ++i)
      parts.push_back(part_of(sorted[i], i == 0, cells));
    std::size_t others = 0;
    for (std::size_t i = most_winners; i < sorted.size(); ++i) others += sorted[i].count;
    if (others > 0) parts.push_back(fmt::format("others in {}", others));
    if (ties > 0) parts.push_back(counted(ties, "tie"));
    return fmt::format("{}{}.", prefix, fmt::join(parts, "; "));
  }

  std::string part_of(const Wins& of, bool is_first, std::size_t cells) const {
    std::string part = grid_.series_name(of.series);
    if (is_first)
      part += is_time() ? " is the fastest" : fmt::format(" has the lowest {}", words_of(grid_.y));
    part += fmt::format(" in {}{} ({})", of.count,
                        is_first ? fmt::format(" of {} cases", cells) : "", range_of(of.xs));
    if (of.ratio >= 1 + tie_tolerance) part += fmt::format(", by up to {:.2f}x", of.ratio);
    return part;
  }

  // Compares the library's own choice (`auto`) with the best series.
  std::optional<std::string> chosen_by_library(const std::string& kind,
                                               const Facets& facets) const {
    const auto choice = series_of("auto");
    if (!choice) return std::nullopt;
    double most = 0, logarithms = 0;
    std::size_t count = 0;
    Spot worst;
    for (const std::size_t facet : facets)
      for (std::size_t x = 0; x < grid_.xs.size(); ++x) {
        const auto& cell = map_.cells[facet][x];
        const auto& value = grid_.at(facet, *choice, x);
        if (!cell.best || !value) continue;
        const double best = std::min(*grid_.at(facet, *cell.best, x), found_by_search(facet, x));
        if (best <= 0) continue;
        const double ratio = *value / best;
        ++count;
        logarithms += std::log(ratio);
        if (ratio > most) worst = {facet, x};
        most = std::max(most, ratio);
      }
    if (count == 0) return std::nullopt;
    const std::string prefix = kind.empty() ? "" : kind + ": ";
    const std::string name = grid_.series_name(*choice);
    if (most < 1 + tie_tolerance)
      return fmt::format("{}{} selects the best in all cases.", prefix, name);
    return fmt::format(
        "{}{} is up to {:.2f}x slower than the best ({}), {:.2f}x in the geometric mean.", prefix,
        name, most, place_of(worst), std::exp(logarithms / static_cast<double>(count)));
  }

  // Without the set of algorithms of "auto:best@SET".
  static std::string of_set(const std::string& algorithm) {
    return algorithm.substr(0, algorithm.find('@'));
  }

  std::optional<std::size_t> series_of(std::string_view algorithm) const {
    for (std::size_t series = 0; series < grid_.series.size(); ++series)
      if (is_time() && of_set(grid_.algorithm_of(series)) == algorithm &&
          grid_.compares_algorithms())
        return series;
    return std::nullopt;
  }

  // The value of `auto:best`, which does not compete.
  double found_by_search(std::size_t facet, std::size_t x) const {
    const auto series = series_of("auto:best");
    const auto value = series ? grid_.at(facet, *series, x) : std::nullopt;
    return value.value_or(std::numeric_limits<double>::infinity());
  }

  const Grid& grid_;
  const WinnerPicture& map_;
};

// "The time ranges from 3.40 us (1 KiB, 64 processes) to 12.0 ms (...)."
std::string range_of_values(const Grid& grid) {
  std::optional<std::size_t> least, most;
  for (std::size_t i = 0; i < grid.values.size(); ++i) {
    if (!grid.values[i]) continue;
    if (!least || *grid.values[i] < *grid.values[*least]) least = i;
    if (!most || *grid.values[i] > *grid.values[*most]) most = i;
  }
  if (!least) return {};
  const auto text = [&](std::size_t index) {
    const std::size_t of_facet = grid.xs.size() * grid.series.size();
    std::string where = label_of(grid.x, grid.xs[index % grid.xs.size()]);
    for (const auto& name : {grid.series_name(index / grid.xs.size() % grid.series.size()),
                             grid.facet_name(index / of_facet)})
      where += name.empty() ? "" : ", " + name;
    return fmt::format("{} ({})", value_text(grid.y, *grid.values[index]), where);
  };
  return fmt::format("The {} ranges from {} to {}.", words_of(grid.y), text(*least), text(*most));
}

}  // namespace

std::vector<std::string> answers(const Grid& grid) {
  std::vector<std::string> sentences;
  if (const auto map = winner_picture(grid, ""))
    sentences = Answers(grid, *map).make();
  else if (auto range = range_of_values(grid); !range.empty())
    sentences.push_back(std::move(range));
  for (auto& sentence : sentences) sentence = clean_text(sentence);
  return sentences;
}

}  // namespace tutti::reports
