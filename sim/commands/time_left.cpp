// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/time_left.hpp"

namespace tutti::commands {
namespace {

constexpr Seconds least_watched_s = 0.5;  // a point's pace is unreliable before

bool has_pace(const RunningWork& point) {
  return point.simulated > 0 && point.running_s >= least_watched_s;
}

// The mean pace of the running points; 0: unknown.
Seconds observed_pace_s(const std::vector<RunningWork>& points) {
  double simulated = 0;
  Seconds took_s = 0;
  for (const auto& point : points) {
    if (!has_pace(point)) continue;
    simulated += point.simulated;
    took_s += point.running_s;
  }
  return simulated > 0 ? took_s / simulated : 0;
}

// The remaining time by the learned pace or by the point's own pace, whichever is longer. The
// point's own pace alone is too optimistic for a point that simulates several starts of its job.
Seconds left_of(const RunningWork& point, Seconds per_message_s) {
  const Seconds learned_s = std::max(0.0, point.messages * per_message_s - point.running_s);
  if (!has_pace(point)) return learned_s;
  const double missing = std::max(0.0, point.messages - point.simulated);
  return std::max(learned_s, missing * point.running_s / point.simulated);
}

}  // namespace

std::optional<Seconds> time_left(const WorkLeft& work) {
  const Seconds per_message_s =
      work.per_message_s > 0 ? work.per_message_s : observed_pace_s(work.running);
  if (per_message_s <= 0 || work.messages <= 0) return std::nullopt;
  double waiting = work.messages;
  Seconds sum_s = 0, longest_s = 0;
  for (const auto& point : work.running) {
    const Seconds left_s = left_of(point, per_message_s);
    waiting -= point.messages;
    sum_s += left_s;
    longest_s = std::max(longest_s, left_s);
  }
  sum_s += std::max(0.0, waiting) * per_message_s;
  return std::max(longest_s, sum_s / work.jobs);
}

}  // namespace tutti::commands
