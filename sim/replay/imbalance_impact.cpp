// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/imbalance_impact.hpp"

#include <numeric>

namespace tutti::studies::replay {
namespace {

using PathTimes = std::vector<double>;  // by call path, in ticks

double sum_over(const PathTimes& times) { return std::accumulate(times.begin(), times.end(), 0.0); }

PathTimes work_of(const MetricTable& metrics, TraceRank rank, std::size_t paths) {
  PathTimes work(paths);
  for (PathId path = 0; path < work.size(); ++path)
    work[path] = static_cast<double>(metrics.of(rank, path)[Metric::time]);
  for (const CauseTime& time : metrics.causes(rank))
    if (time.cause == Cause::wait_direct || time.cause == Cause::wait_indirect)
      work[time.path] = std::max(0.0, work[time.path] - static_cast<double>(time.ticks));
  return work;
}

// Adds the time that a rank does not work to the call paths in proportion to `rooms`.
void distribute(double unused, const PathTimes& rooms, PathTimes& to) {
  const double all = sum_over(rooms);
  if (all <= 0) return;
  for (std::size_t path = 0; path < rooms.size(); ++path) to[path] += unused / all * rooms[path];
}

}  // namespace

void add_imbalance_impact(MetricTable& metrics) {
  const std::size_t paths = metrics.paths();
  PathTimes critical(paths);
  for (TraceRank rank = 0; rank < metrics.ranks(); ++rank)
    for (PathId path = 0; path < paths; ++path)
      critical[path] += static_cast<double>(metrics.of(rank, path)[Metric::critical_path]);
  PathTimes impact(paths), between(paths);
  for (TraceRank rank = 0; rank < metrics.ranks(); ++rank) {
    const PathTimes work = work_of(metrics, rank, paths);
    PathTimes rooms(paths), absent(paths);
    double present = 0;  // with all headrooms in call paths that the rank enters
    for (PathId path = 0; path < paths; ++path) {
      rooms[path] = std::max(0.0, critical[path] - work[path]);
      (work[path] > 0 ? present : absent[path]) += std::max(work[path], critical[path]);
      const double both = std::min(critical[path], work[path]);
      metrics.add_cause(
          rank, {.path = path, .cause = Cause::critical_activity, .ticks = std::llround(both)});
      metrics.add_cause(
          rank,
          {.path = path, .cause = Cause::other_activity, .ticks = std::llround(work[path] - both)});
    }
    distribute(sum_over(critical) - sum_over(work), rooms, impact);
    distribute(sum_over(critical) - present, absent, between);
  }
  for (TraceRank rank = 0; rank < metrics.ranks(); ++rank)
    for (PathId path = 0; path < paths; ++path) {
      const auto mine = static_cast<double>(metrics.of(rank, path)[Metric::critical_path]);
      if (mine == 0) continue;
      const double part = mine / critical[path];
      const Ticks outside = std::llround(part * std::max(0.0, between[path]));
      const Ticks all = std::llround(part * std::max(0.0, impact[path]));
      metrics.add_cause(rank, {.path = path, .cause = Cause::imbalance_between, .ticks = outside});
      metrics.add_cause(rank,
                        {.path = path, .cause = Cause::imbalance_within, .ticks = all - outside});
    }
  metrics.sort_causes();
}

}  // namespace tutti::studies::replay
