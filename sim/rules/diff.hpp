// SPDX-License-Identifier: BSD-3-Clause
// Compares two sets of rules, cell by cell: a cell is a collective, a job and a message size. Cells
// in which they choose differently are simulated.
#pragma once

#include "sim/base/common.hpp"
#include "sim/explain/explain.hpp"

namespace tutti::studies::rules {

// A ratio of times within this fraction of 1 is neither faster nor slower.
inline constexpr double same_time = 0.01;

// The cells of a collective, or of all collectives. A ratio is the time by B over the time by A.
struct Tally {
  std::string collective;
  std::size_t cells = 0;
  std::size_t differing = 0;
  std::size_t faster = 0;  // with B
  std::size_t slower = 0;
  std::optional<double> mean_ratio = {};  // geometric, of the cells that differ
  std::optional<double> best_ratio = {};
  std::optional<double> worst_ratio = {};
};

struct Diff {
  std::vector<explain::Comparison> cells;  // cells that differ, in descending order of the ratio
  std::vector<Tally> collectives;          // in the order of the sweeps, then the tally of all
  PointsRun run;
  Skipped skipped;
};

// `sweeps`: one for each collective. `rules.from` is A, `rules.to` is B.
Result<Diff> compare_rules(const std::vector<Sweep>& sweeps, const explain::Rules& rules,
                           const platforms::Machine& machine, const RunPoints& run);

}  // namespace tutti::studies::rules
