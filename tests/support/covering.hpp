// SPDX-License-Identifier: BSD-3-Clause
// Covering arrays: rows of a product of factors, chosen such that every combination of the levels
// of every two (or three) factors occurs in at least one row. Most faults depend on at most that
// many factors (Kuhn, Wallace, Gallo: Software Fault Interactions and Implications for Software
// Testing, IEEE TSE 30(6), 2004), and the rows grow with the product of the two (three) largest
// factors only, not with the product of all.
//
// Method: in-parameter order (Lei, Kacker, Kuhn, Okun, Lawrence: IPOG: A General Strategy for T-Way
// Software Testing, ECBS 2007, pp. 549-556). The product of the largest factors is extended by one
// factor at a time: each row gets the level that covers the most missing combinations (horizontal
// growth), then rows are added for the remaining combinations (vertical growth). The seed
// determines the order of the levels, every tie, and every entry that covers no new combination.
//
// The gate runs covering arrays. The nightly run sets TUTTI_FULL_PRODUCTS=1, and the same tests run
// every row of the product.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/draw.hpp"

namespace tutti::tests {

// The level of each factor: 0 .. levels-1, in the order of the factors.
using CoveringRow = std::vector<int>;

struct Coverage {
  // Every combination of the levels of this many factors occurs; at least 1. With the number of
  // factors or more, the rows are the full product.
  int strength = 2;
  // The same seed gives the same rows on every machine.
  std::uint64_t seed = 1;
  // for_each_case runs this many arrays, one after the other, with consecutive seeds.
  int times = 1;
};

// Builds one covering array. Its factors are sorted by decreasing number of levels.
class CoveringArray {
 public:
  CoveringArray(std::vector<int> sorted_levels, int strength, Draw& draw)
      : levels_(std::move(sorted_levels)), strength_(strength), draw_(draw) {
    start();
    for (int factor = strength_; factor < static_cast<int>(levels_.size()); ++factor) {
      require(factor);
      for (CoveringRow& row : rows_) extend(row, factor);
      add_missing(factor);
    }
  }

  const std::vector<CoveringRow>& rows() const { return rows_; }

 private:
  static constexpr int open = -1;  // an undecided entry of a new row

  // Some of the earlier factors, and for each combination of their levels with a level of the
  // current factor whether it is still missing in all rows.
  struct Group {
    std::vector<int> factors;
    std::vector<bool> missing;
  };

  // The product of the first `strength` factors.
  void start() {
    rows_.assign(1, {});
    for (int factor = 0; factor < strength_; ++factor) {
      std::vector<CoveringRow> longer;
      for (const CoveringRow& row : rows_)
        for (int level = 0; level < levels_[factor]; ++level) {
          longer.push_back(row);
          longer.back().push_back(level);
        }
      rows_ = std::move(longer);
    }
  }

  // All groups of `strength` - 1 factors before this one, with all combinations missing.
  void require(int factor) {
    groups_.clear();
    std::vector<bool> chosen(factor, false);
    std::fill_n(chosen.begin(), strength_ - 1, true);
    do {
      Group group;
      std::size_t combinations = levels_[factor];
      for (int each = 0; each < factor; ++each)
        if (chosen[each]) {
          group.factors.push_back(each);
          combinations *= levels_[each];
        }
      group.missing.assign(combinations, true);
      groups_.push_back(std::move(group));
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
  }

  // Where the combinations of this row begin in Group::missing.
  std::size_t first_of(const Group& group, const CoveringRow& row, int factor) const {
    std::size_t index = 0;
    for (const int each : group.factors) index = index * levels_[each] + row[each];
    return index * levels_[factor];
  }

  // Horizontal growth.
  void extend(CoveringRow& row, int factor) {
    std::vector<int> gains(levels_[factor], 0);
    for (const Group& group : groups_) {
      const std::size_t first = first_of(group, row, factor);
      for (int level = 0; level < levels_[factor]; ++level)
        gains[level] += group.missing[first + level];
    }
    row.push_back(best_of(gains));
    for (Group& group : groups_) group.missing[first_of(group, row, factor) + row.back()] = false;
  }

  // The level with the largest gain; of several, a random one.
  int best_of(const std::vector<int>& gains) {
    const int most = *std::max_element(gains.begin(), gains.end());
    auto skipped = draw_.below(std::count(gains.begin(), gains.end(), most));
    int level = 0;
    while (gains[level] != most || skipped-- > 0) ++level;
    return level;
  }

  // Vertical growth.
  void add_missing(int factor) {
    const std::size_t first_new = rows_.size();
    for (const Group& group : groups_)
      for (std::size_t index = 0; index < group.missing.size(); ++index)
        if (group.missing[index]) place(combination(group, index, factor), first_new);
    for (std::size_t i = first_new; i < rows_.size(); ++i)
      for (int each = 0; each <= factor; ++each)
        if (rows_[i][each] == open) rows_[i][each] = static_cast<int>(draw_.below(levels_[each]));
  }

  // A row that contains one combination and is open otherwise.
  CoveringRow combination(const Group& group, std::size_t index, int factor) const {
    CoveringRow row(factor + 1, open);
    row[factor] = static_cast<int>(index % levels_[factor]);
    index /= levels_[factor];
    for (auto each = group.factors.rbegin(); each != group.factors.rend(); ++each) {
      row[*each] = static_cast<int>(index % levels_[*each]);
      index /= levels_[*each];
    }
    return row;
  }

  // Enters a combination into the first new row with free entries for it, or into an additional
  // row.
  void place(const CoveringRow& wanted, std::size_t first_new) {
    const auto fits = [&](const CoveringRow& row) {
      for (std::size_t i = 0; i < wanted.size(); ++i)
        if (wanted[i] != open && row[i] != open && wanted[i] != row[i]) return false;
      return true;
    };
    const auto found = std::find_if(rows_.begin() + first_new, rows_.end(), fits);
    if (found == rows_.end()) {
      rows_.push_back(wanted);
      return;
    }
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i] != open) (*found)[i] = wanted[i];
  }

  std::vector<int> levels_;
  int strength_;
  Draw& draw_;
  std::vector<Group> groups_;
  std::vector<CoveringRow> rows_;
};

// A factor in the order of CoveringArray.
struct SortedFactor {
  std::size_t index = 0;    // among the factors of the caller
  std::vector<int> levels;  // the caller's levels, in random order
};

inline std::vector<SortedFactor> sorted_factors(const std::vector<int>& levels, Draw& draw) {
  std::vector<SortedFactor> factors(levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    factors[i] = {i, std::vector<int>(levels[i])};
    std::iota(factors[i].levels.begin(), factors[i].levels.end(), 0);
    draw.shuffle(factors[i].levels);
  }
  std::stable_sort(factors.begin(), factors.end(),
                   [](const SortedFactor& a, const SortedFactor& b) {
                     return a.levels.size() > b.levels.size();
                   });
  return factors;
}

// The rows for factors with these numbers of levels, in no particular order. A factor without
// levels gives no rows.
inline std::vector<CoveringRow> covering_array(const std::vector<int>& levels,
                                               const Coverage& coverage) {
  if (std::find(levels.begin(), levels.end(), 0) != levels.end()) return {};
  Draw draw(coverage.seed);
  const std::vector<SortedFactor> factors = sorted_factors(levels, draw);
  std::vector<int> sorted_levels;
  for (const SortedFactor& each : factors)
    sorted_levels.push_back(static_cast<int>(each.levels.size()));
  const int strength = std::min(coverage.strength, static_cast<int>(factors.size()));
  std::vector<CoveringRow> rows = CoveringArray(sorted_levels, strength, draw).rows();
  for (CoveringRow& row : rows) {
    const CoveringRow sorted = row;
    for (std::size_t i = 0; i < factors.size(); ++i)
      row[factors[i].index] = factors[i].levels[sorted[i]];
  }
  return rows;
}

// Whether the tests run the full products instead of covering arrays: TUTTI_FULL_PRODUCTS is 1.
inline bool full_products() {
  const char* value = std::getenv("TUTTI_FULL_PRODUCTS");
  return value != nullptr && std::string_view(value) == "1";
}

// The value of a level. If the number of values depends on another factor, the factor has the
// maximum number of levels, and levels beyond the last value wrap around to the first.
template <class Values>
typename Values::value_type at_level(const Values& values, std::size_t level) {
  return *std::next(values.begin(), static_cast<std::ptrdiff_t>(level % values.size()));
}

// Calls `callback` with the levels of each row, for use with structured bindings:
//   for_each_case<2>({procs.size(), sizes.size()}, {.seed = 7}, [&](const auto& levels) {
//     const auto [p, size] = levels;
//     check(procs[p], sizes[size]);
//   });
template <std::size_t factors, class Callback>
void for_each_case(const std::array<std::size_t, factors>& levels, Coverage coverage,
                   Callback callback) {
  if (full_products()) coverage = {.strength = factors};
  for (int i = 0; i < coverage.times; ++i, ++coverage.seed)
    for (const CoveringRow& row : covering_array({levels.begin(), levels.end()}, coverage)) {
      std::array<std::size_t, factors> at;
      std::copy(row.begin(), row.end(), at.begin());
      callback(at);
    }
}

// A seed derived from a name (FNV-1a).
constexpr std::uint64_t seed_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return hash;
}

}  // namespace tutti::tests
