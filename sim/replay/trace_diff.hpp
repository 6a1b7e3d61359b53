// SPDX-License-Identifier: BSD-3-Clause
// What differs between two traces, as they were recorded: metrics by call path and rank. Call paths
// are the same where their names are, ranks where their numbers are.
#pragma once

#include <queue>

#include "sim/base/common.hpp"
#include "sim/replay/event_reader.hpp"
#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

// The events of all ranks, side by side: each rank is about as far as the others, by the share of
// its events. So what belongs together is read at about the same time, whatever the clocks say.

// `visit(rank, event)`: the events of a rank come in their order.
template <class Visit>
void read_side_by_side(const workloads::traces::Trace& trace, const Visit& visit) {
  constexpr int slice = 256;  // events
  using workloads::traces::TraceRank;
  using Next = std::pair<double, TraceRank>;  // share of the rank that is read
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  std::vector<std::unique_ptr<EventReader>> readings;
  std::vector<std::uint64_t> read(trace.definitions.ranks.size());
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
