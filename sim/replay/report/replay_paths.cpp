// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/report/replayed.hpp"

namespace tutti::reports {
namespace {

using studies::replay::Metric;
using studies::replay::metric_count;
using studies::replay::metric_names;
using studies::replay::Metrics;
using studies::replay::MetricTable;
using studies::replay::PathId;
using studies::replay::root_path;
using studies::replay::WaitInstance;

struct PathTime {
  PathId path = root_path;
  std::optional<PathId> parent = {};
  std::int64_t before = 0, after = 0;  // exclusive
  std::int64_t inclusive_before = 0, inclusive_after = 0;
  std::int64_t waits_before = 0, waits_after = 0;  // in wait states
  std::int64_t visits_before = 0, visits_after = 0;

  std::int64_t larger() const { return std::max(before, after); }
  bool is_empty() const {
    return inclusive_before == 0 && inclusive_after == 0 && visits_before == 0;
  }
};

// Without parts of other wait states.
std::int64_t waits_of(const Metrics& metrics) {
  std::int64_t sum = 0;
  for (const Metric metric :
       {Metric::late_sender, Metric::late_receiver, Metric::wait_at_barrier,
        Metric::barrier_completion, Metric::wait_at_nxn, Metric::nxn_completion,
        Metric::late_broadcast, Metric::early_reduce, Metric::early_scan, Metric::wait_at_fence,
        Metric::late_post, Metric::early_wait, Metric::lock_contention, Metric::omp_barrier,
        Metric::critical_contention, Metric::mutex_contention, Metric::late_kernel})
    sum += metrics[metric];
  return sum;
}

std::vector<PathTime> path_times(const Replayed& replayed) {
  const auto& paths = replayed.result.paths;
  std::vector<PathTime> rows(paths.size());
  for (PathId path = 0; path < paths.size(); ++path) {
    const Metrics before = replayed.result.before.of_path(path);
    const Metrics after = replayed.result.after.of_path(path);
    PathTime& row = rows[path];
    row = {.path = path,
           .before = before[Metric::time],
           .after = after[Metric::time],
           .waits_before = waits_of(before),
           .waits_after = waits_of(after),
           .visits_before = before[Metric::visits],
           .visits_after = after[Metric::visits]};
    row.inclusive_before = row.before;
    row.inclusive_after = row.after;
    if (path != root_path && paths.parent(path) != root_path) row.parent = paths.parent(path);
  }
  for (PathId path = static_cast<PathId>(rows.size()); path-- > 1;)  // children come later
    if (const auto parent = rows[path].parent) {
      rows[*parent].inclusive_before += rows[path].inclusive_before;
      rows[*parent].inclusive_after += rows[path].inclusive_after;
    }
  std::erase_if(rows, &PathTime::is_empty);
  std::ranges::stable_sort(rows, std::ranges::greater(), &PathTime::larger);
  return rows;
}

struct WorstWait {
  std::size_t metric;
  const char* run;
  std::uint64_t count;
  std::optional<WaitInstance> worst;
  std::int64_t sum;

  std::string_view metric_name() const { return metric_names[metric]; }
};

std::vector<WorstWait> worst_waits(const Replayed& replayed) {
  std::vector<WorstWait> rows;
  const auto& [report, definitions, result] = replayed;
  const Metrics before = result.before.total(), after = result.after.total();
  const auto add = [&](std::size_t metric, const char* run, const MetricTable& table,
                       const Metrics& total) {
    const auto& instances = table.instances(metric);
    rows.push_back({metric, run, instances.count(),
                    instances.count() > 0 ? std::optional(instances.worst()) : std::nullopt,
                    total[metric]});
  };
  for (std::size_t i = 0; i < metric_count; ++i) {
    if (result.before.instances(i).count() + result.after.instances(i).count() == 0) continue;
    const bool has_both =
        report.has_times && i != static_cast<std::size_t>(Metric::wait_and_transfer);
    const bool is_same = result.before.instances(i) == result.after.instances(i);
    if (has_both && !is_same) add(i, "original", result.before, before);
    add(i, has_both && is_same ? "both" : "replayed", result.after, after);
  }
  return rows;
}

}  // namespace

DocumentTable replayed_paths_table(const Replayed& replayed) {
  constexpr std::size_t most_in_text = 10;
  TableOf table(path_times(replayed), {.title = "Time by call path, sum over all ranks",
                                       .notes = {"Without the time of the calls inside"},
                                       .shown_unit = "in ms",
                                       .most_shown = most_in_text});
  const auto seconds = [&](std::int64_t PathTime::*ticks) {
    return [&replayed, ticks](const PathTime& row) { return replayed.seconds(row.*ticks); };
  };
  table.add("call_path", {"Call path", Shown::name},
            [&](auto& row) { return replayed.name_with_outside(row.path); });
  table.add("before_s", {"Original", Shown::ms}, seconds(&PathTime::before));
  table.add("after_s", {"Replayed", Shown::ms}, seconds(&PathTime::after));
  table.add("difference_s", {"Difference", Shown::ms},
            [&](auto& row) { return replayed.seconds(row.after - row.before); });
  table.add("change", {"Change (%)", Shown::signed_percent}, [&](auto& row) {
    return replayed.report.has_times
               ? change_of(static_cast<double>(row.before), static_cast<double>(row.after))
               : Cell{};
  });
  table.add("inclusive_before_s", seconds(&PathTime::inclusive_before));
  table.add("inclusive_after_s", seconds(&PathTime::inclusive_after));
  table.add("waits_before_s", seconds(&PathTime::waits_before));
  table.add("waits_after_s", seconds(&PathTime::waits_after));
  table.add("before_visits", &PathTime::visits_before);
  table.add("after_visits", &PathTime::visits_after);
  table.add("path", &PathTime::path);
  table.add("parent", &PathTime::parent);
  return table.take();
}

DocumentTable wait_instances_table(const Replayed& replayed) {
  TableOf table(worst_waits(replayed),
                {.title = "Instances of wait states, and the most severe one",
                 .notes = {"An instance is the wait of a rank in one call"},
                 .shown_unit = "in ms"});
  const auto of_worst = [](const auto& value) {
    return [value](const WorstWait& row) { return row.worst ? cell_of(value(row)) : Cell{}; };
  };
  table.add("metric", {.head = "Wait state", .once = true}, &WorstWait::metric_name);
  table.add("run", {"Run"}, &WorstWait::run);
  table.add("instances", {"Instances"}, &WorstWait::count);
  table.add("mean_s", {.head = "Mean", .how = Shown::ms, .spare = 1}, of_worst([&](auto& row) {
              return replayed.seconds(row.sum) / static_cast<double>(row.count);
            }));
  table.add("severity_s", {"Worst", Shown::ms},
            of_worst([&](auto& row) { return replayed.seconds(row.worst->ticks); }));
  table.add("rank", {"Rank"}, of_worst([](auto& row) { return row.worst->rank; }));
  table.add("begin_s", {"From in s", Shown::fine},
            of_worst([&](auto& row) { return replayed.seconds(row.worst->begin); }));
  table.add("end_s", {.head = "To in s", .how = Shown::fine, .spare = 2}, of_worst([&](auto& row) {
              return replayed.seconds(row.worst->begin + row.worst->ticks);
            }));
  table.add("call_path", {"Call path", Shown::name},
            of_worst([&](auto& row) { return replayed.name_with_outside(row.worst->path); }));
  return table.take();
}

}  // namespace tutti::reports
