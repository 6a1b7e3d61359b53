// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/conversion.hpp"

namespace tutti::algorithms::rules_files {
namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
constexpr Range all_bytes{0, no_limit};
constexpr Range all_procs{1, std::numeric_limits<int>::max()};  // of a communicator

// The numbers of `within` at which ranges begin.
template <class Items, class RangeOf>
std::vector<std::int64_t> find_borders(const Items& items, const Range& within,
                                       const RangeOf& range_of) {
  std::vector<std::int64_t> borders{within.min};
  for (const auto& item : items) {
    const Range range = range_of(item);
    if (range.is_empty()) continue;
    if (within.holds(range.min)) borders.push_back(range.min);
    if (range.max < no_limit && within.holds(range.max + 1)) borders.push_back(range.max + 1);
  }
  std::ranges::sort(borders);
  borders.erase(std::ranges::unique(borders).begin(), borders.end());
  return borders;
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
std::vector<GridCell> make_row(const Range& procs, const std::vector<const ProcsRules*>& entries,
                               bool falls_through) {
  std::vector<const SizeRule*> all;
  for (const ProcsRules* entry : entries) {
    for (const SizeRule& rule : entry->rules) all.push_back(&rule);
    if (!falls_through) break;
  }
  const auto borders =
      find_borders(all, all_bytes, [](const SizeRule* rule) { return rule->bytes; });
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

using Entries = std::vector<const ProcsRules*>;

// The entries that apply to each range of processes, in order: the first one that contains it, or
// all if the library continues where an entry has no rule.
std::vector<Entries> applying_entries(const Entries& entries,
                                      const std::vector<std::int64_t>& borders,
                                      bool falls_through) {
  std::vector<Entries> applying(borders.size());
  std::set<std::size_t> open;
  for (std::size_t i = 0; i < borders.size(); ++i) open.insert(open.end(), i);
  for (const ProcsRules* entry : entries) {
    const auto from = std::ranges::lower_bound(borders, entry->procs.min) - borders.begin();
    auto next = open.lower_bound(static_cast<std::size_t>(from));
    while (next != open.end() && entry->procs.holds(borders[*next])) {
      applying[*next].push_back(entry);
      next = falls_through ? std::next(next) : open.erase(next);
    }
  }
  return applying;
}

}  // namespace

std::vector<GridCell> make_grid(const CollectiveRules& collective, Format format,
                                std::string_view scope) {
  Entries entries;
  for (const ProcsRules& procs : collective.procs)
    if (procs.scope == scope) entries.push_back(&procs);
  const auto borders =
      find_borders(entries, all_procs, [](const ProcsRules* entry) { return entry->procs; });
  const bool falls_through = format == Format::nccl;
  const auto applying = applying_entries(entries, borders, falls_through);
  std::vector<GridCell> grid;
  std::size_t last_row = 0;
  for (std::size_t i = 0; i < borders.size(); ++i) {
    const auto row = make_row(piece(borders, i), applying[i], falls_through);
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
