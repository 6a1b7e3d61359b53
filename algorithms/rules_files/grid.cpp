// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/conversion.hpp"

namespace tutti::algorithms::rules_files {
namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
constexpr Range all_bytes{0, no_limit};
constexpr Range all_procs{1, std::numeric_limits<int>::max()};  // of a communicator

// The numbers of `within` at which ranges begin.
template <class Items>
std::vector<std::int64_t> borders_of(
    const Items& items,
    Range std::decay_t<decltype(*std::begin(std::declval<const Items&>()))>::*range,
    const Range& within) {
  std::set<std::int64_t> borders{within.min};
  for (const auto& item : items) {
    const Range& each = item.*range;
    if (each.is_empty()) continue;
    if (within.holds(each.min)) borders.insert(each.min);
    if (each.max < no_limit && within.holds(each.max + 1)) borders.insert(each.max + 1);
  }
  return {borders.begin(), borders.end()};
}

Range piece(const std::vector<std::int64_t>& borders, std::size_t i) {
  return {borders[i], i + 1 < borders.size() ? borders[i + 1] - 1 : no_limit};
}

bool is_same(const GridCell& a, const GridCell& b) {
  if (a.rule == nullptr || b.rule == nullptr) return a.rule == b.rule;
  const auto values = [](const SizeRule& rule) {
    return std::tie(rule.algorithm, rule.id, rule.fanout, rule.segment_bytes, rule.max_requests);
  };
  return values(*a.rule) == values(*b.rule) && a.nccl == b.nccl;
}

// The cells of one range of processes; rules of all `entries` for it, in order.
std::vector<GridCell> row_of(const Range& procs, const std::vector<const ProcsRules*>& entries,
                             bool falls_through) {
  std::vector<SizeRule> all;
  for (const ProcsRules* entry : entries) {
    all.insert(all.end(), entry->rules.begin(), entry->rules.end());
    if (!falls_through) break;
  }
  const auto borders = borders_of(all, &SizeRule::bytes, all_bytes);
  std::vector<GridCell> pieces;
  std::set<std::size_t> undecided;
  for (std::size_t i = 0; i < borders.size(); ++i) {
    pieces.push_back({procs, piece(borders, i)});
    undecided.insert(undecided.end(), i);
  }
  for (const ProcsRules* entry : entries) {
    for (const SizeRule& rule : entry->rules) {
      const auto from = std::ranges::lower_bound(borders, rule.bytes.min) - borders.begin();
      auto next = undecided.lower_bound(static_cast<std::size_t>(from));
      for (; next != undecided.end() && rule.bytes.holds(borders[*next]);
           next = undecided.erase(next)) {
        pieces[*next].rule = &rule;
        pieces[*next].nccl = entry->nccl ? &*entry->nccl : nullptr;
      }
    }
    if (!falls_through) break;
  }
  std::vector<GridCell> cells;
  for (GridCell& cell : pieces) {
    if (cell.rule != nullptr && cell.rule->algorithm.empty() && cell.rule->id == 0)
      cell.rule = nullptr;
    if (!cells.empty() && is_same(cells.back(), cell))
      cells.back().bytes.max = cell.bytes.max;
    else
      cells.push_back(cell);
  }
  return cells;
}

bool are_same(std::span<const GridCell> a, std::span<const GridCell> b) {
  return std::ranges::equal(a, b, [](const GridCell& left, const GridCell& right) {
    return left.bytes == right.bytes && is_same(left, right);
  });
}

}  // namespace

std::vector<GridCell> grid_of(const CollectiveRules& collective, Format format,
                              std::string_view scope) {
  std::vector<ProcsRules> entries;  // of the scope
  for (const ProcsRules& each : collective.procs)
    if (each.scope == scope) entries.push_back(each);
  const auto borders = borders_of(entries, &ProcsRules::procs, all_procs);
  std::vector<GridCell> grid;
  std::size_t last_row = 0;
  for (std::size_t i = 0; i < borders.size(); ++i) {
    std::vector<const ProcsRules*> holding;
    for (const ProcsRules& each : collective.procs)
      if (each.scope == scope && each.procs.holds(borders[i])) holding.push_back(&each);
    const auto row = row_of(piece(borders, i), holding, format == Format::nccl);
    if (!grid.empty() && are_same(std::span(grid).subspan(last_row), row)) {
      for (GridCell& cell : std::span(grid).subspan(last_row)) cell.procs.max = row[0].procs.max;
      continue;
    }
    last_row = grid.size();
    grid.insert(grid.end(), row.begin(), row.end());
  }
  return grid;
}

}  // namespace tutti::algorithms::rules_files
