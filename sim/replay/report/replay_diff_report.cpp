// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/report/replay_diff_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/replay/report/replay_report.hpp"

namespace tutti::reports {
namespace {

using studies::replay::DiffSide;
using studies::replay::Metric;
using studies::replay::metric_count;
using studies::replay::metric_names;
using studies::replay::MetricPair;
using studies::replay::TraceDiff;

// Of all time in A, over the ranks: smaller differences are only counted.
constexpr double least_difference_shown = 0.001;

std::string name_of(Metric metric) {
  return std::string(metric_names[static_cast<std::size_t>(metric)]);
}

Cell value_of(const MetricPair& pair, double value) {
  if (pair.metric == Metric::visits) return static_cast<std::int64_t>(value);
  return value;
}

DocumentTable points_table(const TraceDiff& diff) {
  DocumentTable table{
      .name = "points",
      .title =
          diff.ranks.empty() ? "Each metric by call path" : "Each metric by call path and rank",
      .table = {{"metric", "call_path", "rank", "a", "b", "difference", "change"}, {}},
      .shown = {},
      .group_by = {},
      .notes = {},
      .only_on_request = true};
  for (const auto& each : diff.ranks.empty() ? diff.paths : diff.ranks)
    table.table.rows.push_back({name_of(each.metric), each.path,
                                each.rank ? Cell{std::int64_t{*each.rank}} : Cell{},
                                value_of(each, each.a), value_of(each, each.b),
                                value_of(each, each.difference()), change_of(each.a, each.b)});
  return table;
}

std::vector<ShownColumn> shown_of(ShownColumn first) {
  return {std::move(first),
          {"a_s", "A", Shown::milliseconds},
          {"b_s", "B", Shown::milliseconds},
          {"difference_s", "B - A", Shown::milliseconds},
          {"change", "Change %", Shown::signed_percent}};
}

DocumentTable summary_table(const TraceDiff& diff) {
  DocumentTable table{.name = "summary",
                      .title = "The whole",
                      .table = {{"what", "a_s", "b_s", "difference_s", "change"}, {}},
                      .shown = shown_of({"what", ""}),
                      .group_by = {},
                      .notes = {"Metrics are sums over the ranks"},
                      .shown_unit = "in ms"};
  const auto add = [&](const std::string& what, double a, double b) {
    table.table.rows.push_back({what, a, b, b - a, change_of(a, b)});
  };
  add("end", diff.end_a_s, diff.end_b_s);
  for (const auto& each : diff.totals)
    if (each.metric != Metric::visits) add(name_of(each.metric), each.a, each.b);
  return table;
}

std::vector<MetricPair> of_metric(const std::vector<MetricPair>& pairs, Metric metric) {
  std::vector<MetricPair> found;
  std::ranges::copy_if(pairs, std::back_inserter(found), [&](const MetricPair& each) {
    return each.metric == metric && each.a != each.b;
  });
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [](const MetricPair& each) { return std::abs(each.difference()); });
  return found;
}

// The largest differences of each metric first.
DocumentTable paths_table(const TraceDiff& diff) {
  DocumentTable table{
      .name = "paths",
      .title = "Differences by call path, over all ranks",
      .table = {{"metric", "call_path", "a_s", "b_s", "difference_s", "change"}, {}},
      .shown = shown_of({"call_path", "Call path", Shown::name}),
      .group_by = "metric",
      .notes = {},
      .shown_unit = "in ms"};
  double least_s = 0;
  for (const auto& each : diff.totals)
    if (each.metric == Metric::time) least_s = least_difference_shown * each.a;
  std::size_t smaller = 0;
  for (std::size_t i = 0; i < metric_count; ++i) {
    const auto metric = static_cast<Metric>(i);
    if (metric == Metric::visits) continue;
    for (const auto& each : of_metric(diff.paths, metric)) {
      if (std::abs(each.difference()) < least_s)
        ++smaller;
      else
        table.table.rows.push_back({name_of(metric), each.path, each.a, each.b, each.difference(),
                                    change_of(each.a, each.b)});
    }
  }
  if (smaller > 0)
    table.notes = {
        fmt::format("Below 0.1% of A's time, and not shown: {} (--part points)", smaller)};
  return table;
}

DocumentTable visits_table(const TraceDiff& diff) {
  DocumentTable table{.name = "visits",
                      .title = "Call paths that are taken more or less often",
                      .table = {{"call_path", "a", "b", "difference"}, {}},
                      .shown = {{"call_path", "Call path", Shown::name},
                                {"a", "A"},
                                {"b", "B"},
                                {"difference", "B - A"}},
                      .group_by = {},
                      .notes = {}};
  for (const auto& each : of_metric(diff.paths, Metric::visits))
    table.table.rows.push_back({each.path, value_of(each, each.a), value_of(each, each.b),
                                value_of(each, each.difference())});
  return table;
}

void describe(char letter, const ReplayDiffReport::Side& side, const DiffSide& of,
              std::vector<std::string>& about) {
  about.push_back(
      fmt::format("{}: {}: {}", letter, side.trace, size_words(of.definitions, of.result)));
  if (const auto words = violation_words(of.result.violations, of.definitions))
    about.push_back(*words);
  for (const auto& note : side.notes) about.push_back("Note: " + note);
  for (const auto& note : of.result.notes) about.push_back("Note: " + note);
}

}  // namespace

Document replay_diff_document(const ReplayDiffReport& report, const DiffSide& a,
                              const DiffSide& b) {
  const auto diff = trace_diff(a, b);
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.replay.diff/1";
  document.about = {"Two traces as they were recorded: what B has more, or less, than A"};
  describe('A', report.sides[0], a, document.about);
  describe('B', report.sides[1], b, document.about);
  if (a.definitions.ranks.size() != b.definitions.ranks.size())
    document.about.push_back("Their numbers of ranks differ: nothing is compared by rank");
  document.tables = {points_table(diff), summary_table(diff), paths_table(diff),
                     visits_table(diff)};
  return document;
}

std::vector<std::string> replay_diff_document_parts() {
  return {"points", "summary", "paths", "visits"};
}

}  // namespace tutti::reports
