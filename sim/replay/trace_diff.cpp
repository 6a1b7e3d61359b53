// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/trace_diff.hpp"

namespace tutti::studies::replay {
namespace {

// The paths of A and of B with the same name.
struct SamePaths {
  std::vector<PathId> a, b;
};

class Comparing {
 public:
  Comparing(const DiffSide& a, const DiffSide& b) : a_(a), b_(b) {
    for (PathId path = 0; path < a.result.paths.size(); ++path)
      paths_[name_of(a, path)].a.push_back(path);
    for (PathId path = 0; path < b.result.paths.size(); ++path)
      paths_[name_of(b, path)].b.push_back(path);
  }

  TraceDiff diff() {
    TraceDiff made;
    made.end_a_s = static_cast<double>(a_.result.end_before) / a_.definitions.ticks_per_s;
    made.end_b_s = static_cast<double>(b_.result.end_before) / b_.definitions.ticks_per_s;
    add("", {}, a_.result.before.total(), b_.result.before.total(), made.totals);
    for (const auto& [name, same] : paths_)
      add(name, {}, of_all_ranks(a_, same.a), of_all_ranks(b_, same.b), made.paths);
    const auto ranks = a_.result.before.ranks();
    if (ranks != b_.result.before.ranks()) return made;
    for (const auto& [name, same] : paths_)
      for (TraceRank rank = 0; rank < ranks; ++rank)
        add(name, rank, of_rank(a_, same.a, rank), of_rank(b_, same.b, rank), made.ranks);
    return made;
  }

 private:
  static std::string name_of(const DiffSide& side, PathId path) {
    return path == root_path ? outside_path
                             : side.result.paths.name(path, side.definitions.regions);
  }

  static void add_to(Metrics& sum, const Metrics& more) {
    for (std::size_t i = 0; i < metric_count; ++i) sum[i] += more[i];
  }
  static Metrics of_all_ranks(const DiffSide& side, const std::vector<PathId>& paths) {
    Metrics sum{};
    for (const PathId path : paths) add_to(sum, side.result.before.of_path(path));
    return sum;
  }
  static Metrics of_rank(const DiffSide& side, const std::vector<PathId>& paths, TraceRank rank) {
    Metrics sum{};
    for (const PathId path : paths) add_to(sum, side.result.before.of(rank, path));
    return sum;
  }

  void add(const std::string& path, std::optional<TraceRank> rank, const Metrics& a,
           const Metrics& b, std::vector<MetricPair>& into) const {
    for (std::size_t i = 0; i < metric_count; ++i) {
      if (a[i] == 0 && b[i] == 0) continue;
      const auto metric = static_cast<Metric>(i);
      const bool counts = metric == Metric::visits;
      into.push_back({.metric = metric,
                      .path = path,
                      .rank = rank,
                      .a = static_cast<double>(a[i]) / (counts ? 1 : a_.definitions.ticks_per_s),
                      .b = static_cast<double>(b[i]) / (counts ? 1 : b_.definitions.ticks_per_s)});
    }
  }

  const DiffSide& a_;
  const DiffSide& b_;
  std::map<std::string, SamePaths> paths_;
};

}  // namespace

TraceDiff trace_diff(const DiffSide& a, const DiffSide& b) { return Comparing(a, b).diff(); }

}  // namespace tutti::studies::replay
