// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/time_left.hpp"

namespace tutti::commands {
namespace {

constexpr Seconds least_watched_s = 0.5;  // a point's pace is unreliable before

bool has_pace(const RunningWork& point) {
  return point.done > 0 && point.done < 1 && point.running_s >= least_watched_s;
}

// Adds the finished parts of running points.
jobs::FinishedWork finished_parts(const WorkLeft& work) {
  jobs::FinishedWork finished = work.finished;
  for (const auto& point : work.running)
    if (has_pace(point)) finished.add(point.done * point.estimated_s, point.running_s);
  return finished;
}

// The point's own pace alone is too optimistic for a point that simulates several starts of its
// job, and for exchanges whose messages are all sent at their beginning.
Seconds remaining_s(const RunningWork& point, double ratio) {
  const Seconds estimated_s = point.estimated_s * ratio - point.running_s;
  if (!has_pace(point)) return estimated_s;
  return std::max(estimated_s, point.running_s * (1 - point.done) / point.done);
}

}  // namespace

std::optional<Seconds> time_left(const WorkLeft& work) {
  if (work.estimated_s <= 0) return std::nullopt;
  const double ratio = finished_parts(work).ratio(work.estimated_s);
  Seconds waiting_s = work.estimated_s, sum_s = 0, longest_s = 0;
  for (const auto& point : work.running) {
    const Seconds left_s = remaining_s(point, ratio);
    if (left_s <= 0) return std::nullopt;
    waiting_s -= point.estimated_s;
    sum_s += left_s;
    longest_s = std::max(longest_s, left_s);
  }
  sum_s += std::max(0.0, waiting_s) * ratio;
  return std::max(longest_s, sum_s / work.jobs);
}

}  // namespace tutti::commands
