// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/report/reports.hpp"

namespace tutti::reports {
namespace {

using studies::replay::DiffSide;
using studies::replay::Metric;
using studies::replay::metric_count;
using studies::replay::metric_names;
using studies::replay::MetricPair;
using studies::replay::TraceDiff;

// Fraction of the time in A, summed over the ranks. Smaller differences are only counted.
constexpr double least_difference_shown = 0.001;

std::string name_of(Metric metric) {
  return std::string(metric_names[static_cast<std::size_t>(metric)]);
}

Cell seconds_of(const MetricPair& pair, double value) {
  return pair.metric == Metric::visits ? Cell{} : Cell{value};
}

Cell count_of(const MetricPair& pair, double value) {
  return pair.metric == Metric::visits ? Cell{static_cast<std::int64_t>(value)} : Cell{};
}

std::string metric_of(const MetricPair& pair) { return name_of(pair.metric); }
Cell change_in(const MetricPair& pair) { return change_of(pair.a, pair.b); }

DocumentTable diff_points_table(const TraceDiff& diff) {
  TableOf table(
      diff.ranks.empty() ? diff.paths : diff.ranks,
      {.title = diff.ranks.empty() ? "Metrics by call path" : "Metrics by call path and rank",
       .only_on_request = true});
  table.add("metric", {"Metric"}, metric_of);
  table.add("call_path", {"Call path", Shown::name}, &MetricPair::path);
  table.add("rank", shown_if(!diff.ranks.empty(), {"Rank"}), &MetricPair::rank);
  table.add("a_s", {"A", Shown::time}, [](auto& row) { return seconds_of(row, row.a); });
  table.add("b_s", {"B", Shown::time}, [](auto& row) { return seconds_of(row, row.b); });
  table.add("difference_s", {"B - A", Shown::time},
            [](auto& row) { return seconds_of(row, row.difference()); });
  table.add("a_count", {"A (count)"}, [](auto& row) { return count_of(row, row.a); });
  table.add("b_count", {"B (count)"}, [](auto& row) { return count_of(row, row.b); });
  table.add("difference_count", {"B - A (count)"},
            [](auto& row) { return count_of(row, row.difference()); });
  table.add("change", {"Change (%)", Shown::signed_percent}, change_in);
  return table.take();
}

template <class Rows>
void add_times(TableOf<Rows>& table) {
  table.add("a_s", {"A", Shown::ms}, &MetricPair::a);
  table.add("b_s", {"B", Shown::ms}, &MetricPair::b);
  table.add("difference_s", {"B - A", Shown::ms}, &MetricPair::difference);
  table.add("change", {"Change (%)", Shown::signed_percent}, change_in);
}

DocumentTable diff_summary_table(const TraceDiff& diff) {
  std::vector<MetricPair> rows{{.path = "end", .a = diff.end_a_s, .b = diff.end_b_s}};
  for (const auto& pair : diff.totals)
    if (pair.metric != Metric::visits)
      rows.push_back({.path = metric_of(pair), .a = pair.a, .b = pair.b});
  TableOf table(rows, {.title = "Summary", .notes = {sums_note}, .shown_unit = "in ms"});
  table.add("what", {""}, &MetricPair::path);
  add_times(table);
  return table.take();
}

std::vector<MetricPair> of_metric(const std::vector<MetricPair>& pairs, Metric metric) {
  std::vector<MetricPair> found;
  std::ranges::copy_if(pairs, std::back_inserter(found), [&](const MetricPair& pair) {
    return pair.metric == metric && pair.a != pair.b;
  });
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [](const MetricPair& pair) { return std::abs(pair.difference()); });
  return found;
}

double least_difference_s(const TraceDiff& diff) {
  const auto time = std::ranges::find(diff.totals, Metric::time, &MetricPair::metric);
  return time == diff.totals.end() ? 0 : least_difference_shown * time->a;
}

// Sorted by metric, largest differences first.
DocumentTable diff_paths_table(const TraceDiff& diff) {
  std::vector<MetricPair> pairs;
  for (std::size_t i = 0; i < metric_count; ++i)
    if (const auto metric = static_cast<Metric>(i); metric != Metric::visits)
      for (auto& pair : of_metric(diff.paths, metric)) pairs.push_back(std::move(pair));
  const auto smaller = std::erase_if(pairs, [least_s = least_difference_s(diff)](auto& row) {
    return std::abs(row.difference()) < least_s;
  });
  DocumentTable head{.title = "Differences by call path, sum over all ranks",
                     .shown_unit = "in ms"};
  if (smaller > 0)
    head.notes = {
        fmt::format("Not shown, since below 0.1 % of A's time: {} (see --part points)", smaller)};
  TableOf table(pairs, std::move(head));
  table.group("metric", metric_of);
  table.add("call_path", {"Call path", Shown::name}, &MetricPair::path);
  add_times(table);
  return table.take();
}

DocumentTable visits_table(const TraceDiff& diff) {
  TableOf table(of_metric(diff.paths, Metric::visits),
                {.title = "Call paths with different numbers of visits"});
  table.add("call_path", {"Call path", Shown::name}, &MetricPair::path);
  table.add("a", {"A"}, [](auto& row) { return count_of(row, row.a); });
  table.add("b", {"B"}, [](auto& row) { return count_of(row, row.b); });
  table.add("difference", {"B - A"}, [](auto& row) { return count_of(row, row.difference()); });
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
  document.about = {"Comparison of two traces as recorded: B - A"};
  describe('A', report.sides[0], a, document.about);
  describe('B', report.sides[1], b, document.about);
  if (a.definitions.ranks.size() != b.definitions.ranks.size())
    document.about.push_back("The numbers of ranks differ: there is no comparison by rank");
  document.tables = tables_of(replay_diff_parts, trace_diff(a, b));
  return document;
}

std::vector<std::string> replay_diff_document_parts() { return names_of(replay_diff_parts); }

}  // namespace tutti::reports
