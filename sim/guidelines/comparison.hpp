// SPDX-License-Identifier: BSD-3-Clause
// Evaluates the guidelines: compares each collective with its mock-ups, with itself with less data
// (monotony), and with several calls with a part of the data each (split-robustness).
#pragma once

#include "sim/base/common.hpp"
#include "sim/guidelines/settings.hpp"

namespace tutti::studies::guidelines {

// One-sided Wilcoxon rank-sum test, which PGMPI applies to the medians of its runs.

// p-value of the hypothesis that both samples come from one distribution, against the alternative
// that `lower` is lower. Exact for up to 60 values in total, including ties; for more values the
// normal approximation with corrections for ties and continuity. Both samples must be non-empty.
double rank_sum_p(std::span<const double> lower, std::span<const double> higher);

// "*", "**", "***" for p below 0.05, 0.01, 0.001; else empty.
std::string_view significance_stars(double p);

// Fractions of the default's time.
struct Thresholds {
  double violated = 0.02;    // a mock-up that is faster by more violates the guideline
  double replaceable = 0.1;  // a mock-up that is faster by at least this is worth replacing it
  double slack = 0.05;       // tolerance of monotony and split-robustness
  double p = 0.05;           // with several runs: significance level of a violation
};

struct Comparison {
  const Setting* setting = nullptr;
  const Side* side = nullptr;  // the mock-up; default and mock-up have been simulated
  Seconds default_s = 0;       // medians over the runs
  Seconds mockup_s = 0;
  double relative = 1;      // mockup_s / default_s
  double relative_min = 1;  // of the mock-up's fastest and slowest run
  double relative_max = 1;
  std::optional<double> p = {};  // p-value; only with several runs
  bool violated = false;
  bool replaceable = false;
  algorithms::guidelines::ExtraMemory extra = {};
};
std::vector<Comparison> comparisons(const std::vector<Setting>& settings,
                                    const Thresholds& thresholds);

// Two sizes of one collective. For monotony `large` is the next larger size, for split-robustness a
// multiple of `small`.
struct SizePair {
  const Setting* small = nullptr;
  const Setting* large = nullptr;
  std::int64_t parts = 1;  // split-robustness: number of small calls with the data of the large one
  Seconds small_s = 0;     // time of all parts
  Seconds large_s = 0;
  bool violated = false;
};
// Violated if the larger message is faster.
std::vector<SizePair> monotony(const std::vector<Setting>& settings, const Thresholds& thresholds);
// Violated if the parts are faster than the whole message. One pair per size, with the fastest
// parts.
std::vector<SizePair> split_robustness(const std::vector<Setting>& settings,
                                       const Thresholds& thresholds);

}  // namespace tutti::studies::guidelines
