// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/report/replay_diff_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/replay/report/replay_report.hpp"
#include "sim/reports/document/columns.hpp"
#include "sim/reports/document/parts.hpp"

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

std::string metric_of(const MetricPair& pair) { return name_of(pair.metric); }
Cell change_in(const MetricPair& pair) { return change_of(pair.a, pair.b); }

DocumentTable diff_points_table(const TraceDiff& diff) {
  TableOf table(diff.ranks.empty() ? diff.paths : diff.ranks,
                {.title = diff.ranks.empty() ? "Each metric by call path"
                                             : "Each metric by call path and rank",
                 .only_on_request = true});
  table.add("metric", metric_of);
  table.add("call_path", &MetricPair::path);
  table.add("rank", &MetricPair::rank);
  table.add("a", [](auto& each) { return value_of(each, each.a); });
  table.add("b", [](auto& each) { return value_of(each, each.b); });
  table.add("difference", [](auto& each) { return value_of(each, each.difference()); });
  table.add("change", change_in);
  return table.take();
}

template <class Rows>
void add_times(TableOf<Rows>& table) {
  table.add("a_s", {"A", Shown::ms}, &MetricPair::a);
  table.add("b_s", {"B", Shown::ms}, &MetricPair::b);
  table.add("difference_s", {"B - A", Shown::ms}, &MetricPair::difference);
  table.add("change", {"Change %", Shown::signed_percent}, change_in);
}

DocumentTable diff_summary_table(const TraceDiff& diff) {
  std::vector<MetricPair> rows{{.path = "end", .a = diff.end_a_s, .b = diff.end_b_s}};
  for (const auto& each : diff.totals)
    if (each.metric != Metric::visits)
      rows.push_back({.path = metric_of(each), .a = each.a, .b = each.b});
  TableOf table(
      rows,
      {.title = "The whole", .notes = {"Metrics are sums over the ranks"}, .shown_unit = "in ms"});
  table.add("what", {""}, &MetricPair::path);
  add_times(table);
  return table.take();
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

double least_difference_s(const TraceDiff& diff) {
  const auto time = std::ranges::find(diff.totals, Metric::time, &MetricPair::metric);
  return time == diff.totals.end() ? 0 : least_difference_shown * time->a;
}

// The largest differences of each metric first.
DocumentTable diff_paths_table(const TraceDiff& diff) {
  std::vector<MetricPair> pairs;
  for (std::size_t i = 0; i < metric_count; ++i)
    if (const auto metric = static_cast<Metric>(i); metric != Metric::visits)
      for (auto& each : of_metric(diff.paths, metric)) pairs.push_back(std::move(each));
  const auto smaller = std::erase_if(pairs, [least_s = least_difference_s(diff)](auto& each) {
    return std::abs(each.difference()) < least_s;
  });
  DocumentTable head{.title = "Differences by call path, over all ranks", .shown_unit = "in ms"};
  if (smaller > 0)
    head.notes = {
        fmt::format("Below 0.1% of A's time, and not shown: {} (--part points)", smaller)};
  TableOf table(pairs, std::move(head));
  table.group("metric", metric_of);
  table.add("call_path", {"Call path", Shown::name}, &MetricPair::path);
  add_times(table);
  return table.take();
}

DocumentTable visits_table(const TraceDiff& diff) {
  TableOf table(of_metric(diff.paths, Metric::visits),
                {.title = "Call paths that are taken more or less often"});
  table.add("call_path", {"Call path", Shown::name}, &MetricPair::path);
  table.add("a", {"A"}, [](auto& each) { return value_of(each, each.a); });
  table.add("b", {"B"}, [](auto& each) { return value_of(each, each.b); });
  table.add("difference", {"B - A"}, [](auto& each) { return value_of(each, each.difference()); });
  return table.take();
}

constexpr Part<TraceDiff> replay_diff_parts[] = {{"points", diff_points_table},
                                                 {"summary", diff_summary_table},
                                                 {"paths", diff_paths_table},
                                                 {"visits", visits_table}};

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
  Document document{report, "sim.replay.diff/1"};
  document.about = {"Two traces as they were recorded: what B has more, or less, than A"};
  describe('A', report.sides[0], a, document.about);
  describe('B', report.sides[1], b, document.about);
  if (a.definitions.ranks.size() != b.definitions.ranks.size())
    document.about.push_back("Their numbers of ranks differ: nothing is compared by rank");
  document.tables = tables_of(replay_diff_parts, trace_diff(a, b));
  return document;
}

std::vector<std::string> replay_diff_document_parts() { return names_of(replay_diff_parts); }

}  // namespace tutti::reports
