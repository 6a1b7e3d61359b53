// SPDX-License-Identifier: BSD-3-Clause
// Differences between two recorded traces: metrics by call path and rank. Call paths are matched by
// name, ranks by number.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

struct DiffSide {
  const workloads::traces::TraceDefinitions& definitions;
  const ReplayResult& result;  // only its times before are used
};

// Values in seconds; visits are counts.
struct MetricPair {
  Metric metric = Metric::time;
  std::string path = {};               // empty for a total
  std::optional<TraceRank> rank = {};  // unset: all ranks
  double a = 0;
  double b = 0;

  double difference() const { return b - a; }
};

// Pairs of zeros are omitted.
struct TraceDiff {
  double end_a_s = 0;
  double end_b_s = 0;
  std::vector<MetricPair> totals;
  std::vector<MetricPair> paths;  // in the order of the names of call paths, then of metrics
  std::vector<MetricPair> ranks;  // the same per rank; empty if the numbers of ranks differ
};

TraceDiff trace_diff(const DiffSide& a, const DiffSide& b);

}  // namespace tutti::studies::replay
