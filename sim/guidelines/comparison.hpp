// SPDX-License-Identifier: BSD-3-Clause
// Which guidelines hold: each collective against its mock-ups, against itself with less data
// (monotony), and against several calls with a part of the data each (split-robustness).
#pragma once

#include "sim/base/common.hpp"
#include "sim/guidelines/settings.hpp"

namespace tutti::studies::guidelines {

// Wilcoxon's rank-sum test, one-sided, as PGMPI uses it on the medians of its runs.

// How likely the ranks of `lower` are as low as they are, or lower, if both samples come from one
// distribution. Exact up to 60 values, also with ties: over all ways to divide them; of more by the
// normal approximation, corrected for ties and continuity. Neither is empty.
double p_of_lower(std::span<const double> lower, std::span<const double> higher);

// "*", "**", "***" below 0.05, 0.01, 0.001; else empty.
std::string_view stars_of(double p);

// Parts of the default's time.
struct Thresholds {
  double violated = 0.02;    // a mock-up that is faster by more violates the guideline
  double replaceable = 0.1;  // one that is faster by at least so much is worth replacing it
  double slack = 0.05;       // of monotony and split-robustness: what is not told
  double p = 0.05;           // with several runs: the most that a violation may be chance
};

struct Comparison {
  const Setting* setting = nullptr;  // of those compared
  const Side* side = nullptr;        // a mock-up that was simulated, as the default was
  Seconds default_s = 0;             // medians over the runs
  Seconds mockup_s = 0;
  double relative = 1;      // mockup_s / default_s
  double relative_min = 1;  // of its fastest and its slowest run
  double relative_max = 1;
  std::optional<double> p = {};  // of several runs
  bool violated = false;
  bool replaceable = false;
  algorithms::guidelines::ExtraMemory extra = {};
};
std::vector<Comparison> comparisons(const std::vector<Setting>& settings,
                                    const Thresholds& thresholds);

// Of two sizes of one collective, `large` the next larger one or (split) a multiple.
struct SizePair {
  const Setting* small = nullptr;
  const Setting* large = nullptr;
  std::int64_t parts =
      1;                // of split-robustness: as many small calls have the data of the large one
  Seconds small_s = 0;  // of all of them
  Seconds large_s = 0;
  bool violated = false;
};
// Violated: the larger message is faster.
std::vector<SizePair> monotony(const std::vector<Setting>& settings, const Thresholds& thresholds);
// Violated: the parts are faster than the whole; for each size the parts that are the fastest.
std::vector<SizePair> split_robustness(const std::vector<Setting>& settings,
                                       const Thresholds& thresholds);

}  // namespace tutti::studies::guidelines
