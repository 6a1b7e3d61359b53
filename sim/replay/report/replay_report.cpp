// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/report/replay_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "sim/base/counted.hpp"

namespace tutti::reports {
namespace {

using studies::replay::Metric;
using studies::replay::metric_count;
using studies::replay::metric_names;
using studies::replay::PathId;
using studies::replay::ReplayResult;
using workloads::traces::TraceDefinitions;

Cell value_of(const studies::replay::Metrics& metrics, std::size_t metric, double ticks_per_s) {
  const auto ticks = metrics[metric];
  if (metric == static_cast<std::size_t>(Metric::visits)) return std::int64_t{ticks};
  return static_cast<double>(ticks) / ticks_per_s;
}

// Each call path and rank where a metric is not 0, before or after.
DocumentTable points_table(const TraceDefinitions& definitions, const ReplayResult& result) {
  DocumentTable table{.name = "points",
                      .title = "Each metric by call path and rank",
                      .table = {{"metric", "call_path", "rank", "before", "after"}, {}},
                      .shown = {},
                      .group_by = {},
                      .notes = {},
                      .only_on_request = true};
  for (PathId path = 1; path < result.paths.size(); ++path) {
    const std::string name = result.paths.name(path, definitions.regions);
    for (std::uint32_t rank = 0; rank < result.before.ranks(); ++rank) {
      const auto before = result.before.of(rank, path), after = result.after.of(rank, path);
      for (std::size_t i = 0; i < metric_count; ++i)
        if (before[i] != 0 || after[i] != 0)
          table.table.rows.push_back({std::string(metric_names[i]), name, std::int64_t{rank},
                                      value_of(before, i, definitions.ticks_per_s),
                                      value_of(after, i, definitions.ticks_per_s)});
    }
  }
  return table;
}

DocumentTable summary_table(const ReplayReport& report, const TraceDefinitions& definitions,
                            const ReplayResult& result) {
  DocumentTable table{.name = "summary",
                      .title = "The whole",
                      .table = {{"what", "before_s", "after_s", "change"}, {}},
                      .shown = {{"what", ""},
                                {"before_s", "In the trace", Shown::milliseconds},
                                {"after_s", "Replayed", Shown::milliseconds},
                                {"change", "Change %", Shown::signed_percent}},
                      .group_by = {},
                      .notes = {"Metrics are sums over the ranks"},
                      .shown_unit = "in ms"};
  const bool blocks_alike = report.model == "recorded" || !report.has_times;
  const auto add = [&](std::string what, double before, double after, bool is_alike = true) {
    const bool compares = is_alike && report.has_times;
    table.table.rows.push_back(
        {std::move(what), before, after, compares ? change_of(before, after) : Cell{}});
  };
  const auto seconds = [&](std::int64_t ticks) {
    return static_cast<double>(ticks) / definitions.ticks_per_s;
  };
  add("end", seconds(result.end_before), seconds(result.end_after));
  const auto before = result.before.total(), after = result.after.total();
  for (std::size_t i = 0; i < metric_count; ++i)
    if (i != static_cast<std::size_t>(Metric::visits) && (before[i] != 0 || after[i] != 0)) {
      const bool is_alike = blocks_alike || i != static_cast<std::size_t>(Metric::blocked);
      add(std::string(metric_names[i]), seconds(before[i]), seconds(after[i]), is_alike);
      if (!is_alike)
        table.notes.emplace_back(
            "Blocked: replayed by this model, transfers that calls wait for are part of it, in the "
            "trace they are not: no change is told");
    }
  return table;
}

// Wait states by call path, the largest first.
DocumentTable waits_table(const TraceDefinitions& definitions, const ReplayResult& result) {
  DocumentTable table{.name = "waits",
                      .title = "Wait states by call path, over all ranks",
                      .table = {{"metric", "call_path", "before_s", "after_s"}, {}},
                      .shown = {{"call_path", "Call path", Shown::name},
                                {"before_s", "In the trace", Shown::milliseconds},
                                {"after_s", "Replayed", Shown::milliseconds}},
                      .group_by = "metric",
                      .notes = {},
                      .shown_unit = "in ms"};
  struct Row {
    PathId path;
    std::int64_t before, after;
  };
  for (auto i = static_cast<std::size_t>(Metric::late_sender);
       i <= static_cast<std::size_t>(Metric::blocked); ++i) {
    std::vector<Row> rows;
    for (PathId path = 1; path < result.paths.size(); ++path) {
      const auto before = result.before.of_path(path)[i], after = result.after.of_path(path)[i];
      if (before != 0 || after != 0) rows.push_back({path, before, after});
    }
    std::ranges::stable_sort(rows, std::ranges::greater(),
                             [](const Row& row) { return std::max(row.before, row.after); });
    for (const auto& row : rows)
      table.table.rows.push_back({std::string(metric_names[i]),
                                  result.paths.name(row.path, definitions.regions),
                                  static_cast<double>(row.before) / definitions.ticks_per_s,
                                  static_cast<double>(row.after) / definitions.ticks_per_s});
  }
  return table;
}

// By call path: its part of the critical path, how far that is above what ranks take on average,
// and what its delays cost others. The largest first.
DocumentTable causes_table(const TraceDefinitions& definitions, const ReplayResult& result) {
  DocumentTable table{
      .name = "causes",
      .title = "Critical path, and the cost of delays",
      .table = {{"call_path", "critical_before_s", "critical_after_s", "imbalance_before_s",
                 "imbalance_after_s", "delay_before_s", "delay_after_s"},
                {}},
      .shown = {{"call_path", "Call path", Shown::name},
                {"critical_before_s", "Critical", Shown::milliseconds},
                {"critical_after_s", "Replayed", Shown::milliseconds},
                {"imbalance_before_s", "Imbalance", Shown::milliseconds},
                {"imbalance_after_s", "Replayed", Shown::milliseconds},
                {"delay_before_s", "Delays", Shown::milliseconds},
                {"delay_after_s", "Replayed", Shown::milliseconds}},
      .group_by = {},
      .notes = {"Imbalance: critical less the mean of all ranks. Delays: waits of "
                "other ranks that they cause"},
      .shown_unit = "in ms"};
  const double ranks = static_cast<double>(result.before.ranks());
  struct Row {
    PathId path;
    std::array<double, 6> ticks;
    double largest() const { return *std::ranges::max_element(ticks); }
  };
  std::vector<Row> rows;
  for (PathId path = 0; path < result.paths.size(); ++path) {
    Row row{path, {}};
    for (const bool is_after : {false, true}) {
      const auto metrics = (is_after ? result.after : result.before).of_path(path);
      const auto of = [&](Metric metric) {
        return static_cast<double>(metrics[static_cast<std::size_t>(metric)]);
      };
      const double critical = of(Metric::critical_path);
      row.ticks[is_after] = critical;
      row.ticks[2 + is_after] = std::max(0.0, critical - of(Metric::time) / ranks);
      row.ticks[4 + is_after] = of(Metric::delay_direct) + of(Metric::delay_indirect);
    }
    if (row.largest() > 0) rows.push_back(row);
  }
  std::ranges::stable_sort(rows, std::ranges::greater(), &Row::largest);
  for (const auto& row : rows) {
    const std::string name = result.paths.name(row.path, definitions.regions);
    std::vector<Cell> cells{name.empty() ? Cell{"(outside all regions)"} : Cell{name}};
    for (const double ticks : row.ticks) cells.emplace_back(ticks / definitions.ticks_per_s);
    table.table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

std::string replay_model_words(const std::string& model) {
  if (model == "recorded")
    return "Model recorded: calls end as long after what they depend on as in the trace; no "
           "contention";
  if (model == "loggp") return "Model loggp: calls take what the parameters say; no contention";
  return fmt::format("Model {}: messages and collectives are simulated", model);
}

std::string size_words(const TraceDefinitions& definitions, const ReplayResult& result) {
  return fmt::format("{}, {}, {}, {}", counted(definitions.ranks.size(), "rank"),
                     counted(result.events, "event"), counted(result.messages, "message"),
                     counted(result.collectives, "collective call"));
}

Cell change_of(double before, double after) {
  constexpr double least = 1e-3;  // of the one after: below, per cent tell nothing
  return before > 0 && before >= least * after ? Cell{after / before - 1} : Cell{};
}

std::optional<std::string> violation_words(const studies::replay::Violations& violations,
                                           const TraceDefinitions& definitions) {
  if (violations.receives + violations.collectives == 0) return std::nullopt;
  return fmt::format(
      "Causes violated: {} before {} message was sent, {} before the last one began; the worst by "
      "{}: clocks are not synchronised; --align-clocks shifts them",
      violations.receives == 1 ? "1 receive ends"
                               : fmt::format("{} receives end", violations.receives),
      violations.receives == 1 ? "its" : "their", counted(violations.collectives, "collective"),
      format_seconds(static_cast<double>(violations.worst) / definitions.ticks_per_s));
}

Document replay_document(const ReplayReport& report, const TraceDefinitions& definitions,
                         const ReplayResult& result) {
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.replay/1";
  document.about = {fmt::format("Replay of {}: {}", report.trace, size_words(definitions, result)),
                    replay_model_words(report.model)};
  if (!report.has_times) document.about.push_back(no_times_words);
  if (report.cpu_factor != 1)
    document.about.push_back(
        fmt::format("Computation takes {:g} times as long as in the trace", report.cpu_factor));
  else if (report.has_times && report.hypothesis.empty())
    document.about.push_back(fmt::format(
        "No hypothesis: the largest deviation of an event's time is {}",
        format_seconds(static_cast<double>(result.largest_deviation) / definitions.ticks_per_s)));
  if (!report.hypothesis.empty())
    document.about.push_back(fmt::format("Hypothesis {}: {} {} cut", report.hypothesis,
                                         counted(result.cut_events, "event"),
                                         result.cut_events == 1 ? "is" : "are"));
  if (report.end_without_change)
    document.about.push_back(fmt::format(
        "Without the change this model takes {}: the change makes {:+.1f}%",
        format_seconds(static_cast<double>(*report.end_without_change) / definitions.ticks_per_s),
        100 * (static_cast<double>(result.end_after) /
                   static_cast<double>(*report.end_without_change) -
               1)));
  if (const auto words = violation_words(result.violations, definitions); words && report.has_times)
    document.about.push_back(*words);
  if (!report.written.empty())
    document.about.push_back(fmt::format("The new trace is in {}", report.written));
  for (const auto& note : report.notes) document.about.push_back("Note: " + note);
  for (const auto& note : result.notes) document.about.push_back("Note: " + note);
  document.tables = {points_table(definitions, result), summary_table(report, definitions, result),
                     waits_table(definitions, result)};
  if (report.causes) document.tables.push_back(causes_table(definitions, result));
  return document;
}

std::vector<std::string> replay_document_parts() {
  return {"points", "summary", "waits", "causes"};
}

}  // namespace tutti::reports
