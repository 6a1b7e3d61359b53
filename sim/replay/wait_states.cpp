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

std::size_t MetricTable::paths() const {
  std::size_t most = 0;
  for (const auto& paths : ranks_) most = std::max(most, paths.size());
  return most;
}

void MetricTable::take_instances(const MetricTable& other, const std::vector<PathId>& now) {
  instances_ = other.instances_;
  for (auto& instances : instances_) instances.set_worst_path(now[instances.worst().path]);
  causes_ = other.causes_;
  for (auto& of_rank : causes_)
    for (auto& time : of_rank) time.path = now[time.path];
  sort_causes();
}

void MetricTable::sort_causes() {
  for (auto& of_rank : causes_) std::ranges::sort(of_rank);
}

std::span<const CauseTime> MetricTable::causes(TraceRank rank) const {
  return causes_.empty() ? std::span<const CauseTime>() : std::span(causes_[rank]);
}

std::span<const CauseTime> MetricTable::causes(TraceRank rank, PathId path) const {
  const auto all = causes(rank);
  return std::ranges::equal_range(all, path, {}, &CauseTime::path);
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
