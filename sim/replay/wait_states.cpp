// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/wait_states.hpp"

namespace tutti::studies::replay {

Metrics MetricTable::total() const {
  Metrics sum{};
  for (const auto& paths : ranks_)
    for (const auto& path : paths) sum += path;
  return sum;
}

Metrics MetricTable::of_path(PathId path) const {
  Metrics sum{};
  for (const auto& paths : ranks_)
    if (path < paths.size()) sum += paths[path];
  return sum;
}

void LateSenders::receive(const Receive& receive, MetricTable& metrics) {
  // Receives that waited for a message that was sent later could have received this one first.
  std::erase_if(waited_, [&](const Receive& before) {
    if (receive.sent >= before.sent) return false;
    metrics.add_wait(before.source == receive.source ? Metric::wrong_order_same_source
                                                     : Metric::wrong_order_other_source,
                     before.wait);
    return true;
  });
  if (receive.wait.ticks <= 0) return;
  waited_.push_back(receive);
  if (waited_.size() > window) waited_.pop_front();
}

}  // namespace tutti::studies::replay
