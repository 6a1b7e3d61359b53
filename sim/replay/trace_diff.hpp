// SPDX-License-Identifier: BSD-3-Clause
// Differences between two recorded traces: metrics by call path and rank. Call paths are matched by
// name, ranks by number.
#pragma once

#include <queue>

#include "sim/base/common.hpp"
#include "sim/replay/event_reader.hpp"
#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

// Reads the events of all ranks at the same pace, by the fraction of each rank's events, so that
// related events are read at about the same time even if clocks are not synchronized.
// `visit(rank, event)` gets the events of each rank in order.
template <class Visit>
void read_side_by_side(const workloads::traces::Trace& trace, const Visit& visit) {
  constexpr int slice = 256;  // events
  using workloads::traces::TraceRank;
  using Next = std::pair<double, TraceRank>;  // fraction of the rank's events that is read
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  std::vector<std::unique_ptr<EventReader>> readings;
  std::vector<std::uint64_t> read(trace.definitions.locations());
  for (TraceRank rank = 0; rank < read.size(); ++rank) {
    readings.push_back(std::make_unique<EventReader>(trace.events, rank));
    next.push({0, rank});
  }
  while (!next.empty()) {
    const TraceRank rank = next.top().second;
    next.pop();
    const workloads::traces::Event* event = nullptr;
    for (int i = 0; i < slice && (event = readings[rank]->next()) != nullptr; ++i)
      visit(rank, *event);
    read[rank] += slice;
    if (event != nullptr)
      next.push(
          {static_cast<double>(read[rank]) / static_cast<double>(trace.events.count(rank)), rank});
  }
}

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
