// SPDX-License-Identifier: BSD-3-Clause
#include "sim/rules/diff.hpp"

namespace tutti::studies::rules {
namespace {

using explain::Comparison;
using explain::Pair;

constexpr const char* all_collectives_name = "all";

void count_ratios(const std::vector<Comparison>& cells, Tally& tally) {
  double sum = 0;
  std::size_t count = 0;
  for (const Comparison& cell : cells) {
    if (tally.collective != all_collectives_name &&
        tally.collective != cell.from.answer.record.collective)
      continue;
    const auto ratio = cell.ratio();
    if (!ratio || *ratio <= 0) continue;
    tally.faster += *ratio < 1 - same_time;
    tally.slower += *ratio > 1 + same_time;
    tally.best_ratio = std::min(tally.best_ratio.value_or(*ratio), *ratio);
    tally.worst_ratio = std::max(tally.worst_ratio.value_or(*ratio), *ratio);
    sum += std::log(*ratio);
    ++count;
  }
  if (count > 0) tally.mean_ratio = std::exp(sum / static_cast<double>(count));
}

// Cells without times come last.
double severity(const Comparison& cell) { return cell.ratio().value_or(0); }

}  // namespace

Result<Diff> compare_rules(const std::vector<Sweep>& sweeps, const explain::Rules& rules,
                           const platforms::Machine& machine, const RunPoints& run) {
  Diff diff;
  std::vector<Pair> differing;
  Tally of_all{.collective = all_collectives_name};
  for (const Sweep& sweep : sweeps) {
    auto pairs = TUTTI_TRY(explain::make_pairs(sweep, rules, machine));
    diff.skipped.add(pairs.skipped);
    Tally& tally = diff.collectives.emplace_back(Tally{.collective = sweep.collective});
    tally.cells = pairs.all.size();
    for (Pair& pair : pairs.all) {
      if (!pair.differs()) continue;
      ++tally.differing;
      differing.push_back(std::move(pair));
    }
    of_all.cells += tally.cells;
    of_all.differing += tally.differing;
  }
  if (of_all.cells == 0 && diff.skipped.count > 0) return diff.skipped.reasons;
  diff.collectives.push_back(std::move(of_all));
  auto comparisons = explain::compare(differing, rules, machine, run);
  diff.cells = std::move(comparisons.points);
  diff.run = std::move(comparisons.run);
  for (Tally& tally : diff.collectives) count_ratios(diff.cells, tally);
  std::ranges::stable_sort(diff.cells, std::ranges::greater{}, severity);
  return diff;
}

}  // namespace tutti::studies::rules
