// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/wait_states.hpp"

namespace tutti::studies::replay {

Metrics MetricTable::total() const {
  Metrics sum{};
  for (const auto& paths : ranks_)
    for (const auto& path : paths)
      for (std::size_t i = 0; i < metric_count; ++i) sum[i] += path[i];
  return sum;
}

Metrics MetricTable::of_path(PathId path) const {
  Metrics sum{};
  for (const auto& paths : ranks_)
    if (path < paths.size())
      for (std::size_t i = 0; i < metric_count; ++i) sum[i] += paths[path][i];
  return sum;
}

void LateSenders::receive(TraceRank source, Ticks sent, PathId path, Ticks waited, TraceRank rank,
                          MetricTable& metrics) {
  // Receives that waited for a message that was sent later could have received this one first.
  std::erase_if(waited_, [&](const Waited& before) {
    if (sent >= before.sent) return false;
    metrics.add(rank, before.path,
                before.source == source ? Metric::wrong_order_same_source
                                        : Metric::wrong_order_other_source,
                before.waited);
    return true;
  });
  if (waited <= 0) return;
  waited_.push_back({source, sent, path, waited});
  if (waited_.size() > window) waited_.pop_front();
}

}  // namespace tutti::studies::replay
