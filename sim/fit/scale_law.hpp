// SPDX-License-Identifier: BSD-3-Clause
// Whether the latencies of runs depend on the size of their jobs. A law enters a fit only if
// several runs on each side show it: a single run may be slow for any other reason.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies {

// Jobs on more than `above` nodes, and on at most `up_to`, have an additional latency per message.
struct ScaleLaw {
  int above = 64;
  std::optional<int> up_to = {};  // unset: no limit
  friend bool operator==(const ScaleLaw&, const ScaleLaw&) = default;
};

// A run, and how it differs from others: the logarithms of its latency and of its time per byte
// relative to the machine's.
struct MeasuredRun {
  std::string name;
  std::int64_t nodes = 0;  // of its largest job
  double log_latency = 0;
  double log_byte = 0;
};

struct TriedLaw {
  ScaleLaw law;
  std::int64_t inside = 0, outside = 0;  // runs
  double log_difference = 0;             // mean of the runs inside minus mean of those outside
  // Fraction of the permutations of the runs in which some law separates them as clearly.
  double chance = 1;
  std::string rejected = {};  // why; empty: the law is accepted
};

// Returns the law that separates the runs most clearly (largest t statistic of all ranges of job
// sizes), with its chance by permutations of the runs, which covers the number of laws tried; unset
// if all jobs have one size, or if there are fewer than four runs.
std::optional<TriedLaw> clearest_scale_law(const std::vector<MeasuredRun>& runs);

// "jobs on 65 to 256 nodes", "jobs on more than 64 nodes"
std::string law_text(const ScaleLaw& law);

}  // namespace tutti::studies
