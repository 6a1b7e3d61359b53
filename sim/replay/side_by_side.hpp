// SPDX-License-Identifier: BSD-3-Clause
// The events of all ranks, side by side: each rank is about as far as the others, by the share of
// its events. So what belongs together is read at about the same time, whatever the clocks say.
#pragma once

#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "sim/replay/event_reading.hpp"

namespace tutti::studies::replay {

// `visit(rank, event)`: the events of a rank come in their order.
template <class Visit>
void read_side_by_side(const workloads::traces::Trace& trace, const Visit& visit) {
  constexpr int slice = 256;  // events
  using workloads::traces::TraceRank;
  using Next = std::pair<double, TraceRank>;  // share of the rank that is read
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  std::vector<std::unique_ptr<EventReading>> readings;
  std::vector<std::uint64_t> read(trace.definitions.ranks.size());
  for (TraceRank rank = 0; rank < read.size(); ++rank) {
    readings.push_back(std::make_unique<EventReading>(trace.events, rank));
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

}  // namespace tutti::studies::replay
