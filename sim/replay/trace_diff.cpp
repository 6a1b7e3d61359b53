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
    made.end_a_s = a_.definitions.seconds(a_.result.end_before);
    made.end_b_s = b_.definitions.seconds(b_.result.end_before);
    add("", {}, a_.result.before.total(), b_.result.before.total(), made.totals);
    for (const auto& [name, same] : paths_)
      add(name, {}, sum(a_, same.a), sum(b_, same.b), made.paths);
    const auto ranks = a_.result.before.ranks();
    if (ranks != b_.result.before.ranks()) return made;
    for (const auto& [name, same] : paths_)
      for (TraceRank rank = 0; rank < ranks; ++rank)
        add(name, rank, sum(a_, same.a, rank), sum(b_, same.b, rank), made.ranks);
    return made;
  }

 private:
  static std::string name_of(const DiffSide& side, PathId path) {
    return path == root_path ? outside_path
                             : side.result.paths.name(path, side.definitions.regions);
  }

  // The metrics of several paths, of one rank or of all.
  static Metrics sum(const DiffSide& side, const std::vector<PathId>& paths,
                     std::optional<TraceRank> rank = {}) {
    const MetricTable& metrics = side.result.before;
    Metrics sum{};
    for (const PathId path : paths) sum += rank ? metrics.of(*rank, path) : metrics.of_path(path);
    return sum;
  }

  void add(const std::string& path, std::optional<TraceRank> rank, const Metrics& a,
           const Metrics& b, std::vector<MetricPair>& into) const {
    for (std::size_t i = 0; i < metric_count; ++i) {
      if (a[i] == 0 && b[i] == 0) continue;
      const auto metric = static_cast<Metric>(i);
      const auto value = [&](const DiffSide& side, Ticks ticks) {
        return metric == Metric::visits ? static_cast<double>(ticks)
                                        : side.definitions.seconds(ticks);
      };
      into.push_back({metric, path, rank, value(a_, a[i]), value(b_, b[i])});
    }
  }

  const DiffSide& a_;
  const DiffSide& b_;
  std::map<std::string, SamePaths> paths_;
};

}  // namespace

TraceDiff trace_diff(const DiffSide& a, const DiffSide& b) { return Comparing(a, b).diff(); }

}  // namespace tutti::studies::replay
