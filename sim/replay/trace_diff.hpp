// SPDX-License-Identifier: BSD-3-Clause
// What differs between two traces, as they were recorded: metrics by call path and rank. Call paths
// are the same where their names are, ranks where their numbers are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

struct DiffSide {
  const workloads::traces::TraceDefinitions& definitions;
  const ReplayResult& result;  // its times before count
};

// In seconds; visits: a count.
struct MetricPair {
  Metric metric = Metric::time;
  std::string path = {};               // of a total: empty
  std::optional<TraceRank> rank = {};  // none: all ranks
  double a = 0;
  double b = 0;

  double difference() const { return b - a; }
};

// Pairs of zeros are left out.
struct TraceDiff {
  double end_a_s = 0;
  double end_b_s = 0;
  std::vector<MetricPair> totals;
  std::vector<MetricPair> paths;  // call paths in the order of their names, metrics in theirs
  std::vector<MetricPair> ranks;  // the same for each rank; none where the traces have other ranks
};

// What lies outside all regions has this path.
inline constexpr const char* outside_path = "(outside all regions)";

TraceDiff trace_diff(const DiffSide& a, const DiffSide& b);

}  // namespace tutti::studies::replay
