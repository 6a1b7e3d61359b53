// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/report/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/counted.hpp"
#include "sim/fit/accuracy.hpp"
#include "sim/reports/plots/drawable.hpp"
#include "sim/validate/alike.hpp"

namespace tutti::reports {
namespace {

using studies::Score;
using studies::ScoredTime;
using studies::TimePredictions;

constexpr std::string_view all_collectives = "all";

// What is judged beside the simulation.
struct Method {
  const char* name;
  std::optional<Seconds> (*prediction)(const ScoredTime& time);
};
constexpr Method methods[] = {
    {"simulation",
     [](const ScoredTime& time) -> std::optional<Seconds> { return time.predicted.simulated_s; }},
    {"no contention", [](const ScoredTime& time) { return time.predicted.uncontended_s; }},
    {"LogGP", [](const ScoredTime& time) { return time.predicted.loggp_s; }},
    {"Hockney", [](const ScoredTime& time) { return time.predicted.hockney_s; }},
};

std::map<std::string, std::vector<ScoredTime>> by_collective(const std::vector<ScoredTime>& times) {
  std::map<std::string, std::vector<ScoredTime>> collectives;
  for (const auto& each : times) collectives[each.measured.collective].push_back(each);
  return collectives;
}

Cell part(std::size_t count, std::size_t of) {
  return of == 0 ? Cell{} : Cell{static_cast<double>(count) / static_cast<double>(of)};
}

std::vector<Cell> cells_of(const std::string& name, const Score& score) {
  const bool chose = score.settings > 0;
  return {name,
          static_cast<std::int64_t>(score.rows),
          score.median_error,
          score.p90_error,
          static_cast<std::int64_t>(score.pairs),
          part(score.right_pairs, score.pairs),
          static_cast<std::int64_t>(score.settings),
          part(score.best_found, score.settings),
          chose ? Cell{score.mean_regret} : Cell{},
          chose ? Cell{score.largest_regret} : Cell{}};
}

std::vector<std::string> score_columns(const char* first) {
  return {first,        "rows",     "median_error", "p90_error",   "pairs",
          "right_part", "settings", "best_part",    "mean_regret", "largest_regret"};
}

std::vector<ShownColumn> shown_scores(const char* first, const char* head) {
  return {{first, head},
          {"rows", "Rows"},
          {"median_error", "Median %", Shown::percent},
          {"p90_error", "90th %", Shown::percent},
          {"pairs", "Pairs", Shown::plain, 1},
          {"right_part", "Right %", Shown::percent},
          {"best_part", "Best %", Shown::percent, 2},
          {"mean_regret", "Regret %", Shown::percent},
          {"largest_regret", "Most %", Shown::percent, 1}};
}

DocumentTable scores_table(const std::vector<ScoredTime>& times) {
  DocumentTable table{
      .name = "scores",
      .title = "How right the simulation is",
      .table = {score_columns("collective"), {}},
      .shown = shown_scores("collective", "Collective"),
      .group_by = {},
      .notes = {
          "Median, 90th: percentiles of the errors (simulated - measured) / measured, without "
          "their "
          "signs; Pairs: algorithms of one run, collective, number of processes and size whose "
          "measured times differ by more than 5 %; Right: predicted in the measured order; Best: "
          "the predicted best is within 2 % of the best; Regret: how much longer the predicted "
          "best "
          "takes than the best, mean and largest"}};
  const auto collectives = by_collective(times);
  for (const auto& [name, of] : collectives)
    table.table.rows.push_back(cells_of(name, studies::score_of(of)));
  if (collectives.size() > 1)
    table.table.rows.push_back(cells_of(std::string(all_collectives), studies::score_of(times)));
  return table;
}

std::vector<ScoredTime> without(const std::vector<ScoredTime>& times,
                                const std::vector<bool>& rows) {
  std::vector<ScoredTime> others;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!rows[i]) others.push_back(times[i]);
  return others;
}

DocumentTable methods_table(const std::vector<ScoredTime>& times,
                            const studies::FoundAlike& alike) {
  DocumentTable table{
      .name = "methods",
      .title = "Compared with other predictions",
      .table = {score_columns("method"), {}},
      .shown = shown_scores("method", "Method"),
      .group_by = {},
      .notes = {"no contention: simulated with --contention off; LogGP, Hockney: the algorithm's "
                "formula, for those that have one, with overheads, latency and bandwidth (it knows "
                "no extra latencies, and no barriers of benchmarks)"}};
  for (const auto& method : methods)
    table.table.rows.push_back(cells_of(method.name, studies::score_of(times, method.prediction)));
  const auto rest = without(times, alike.rows);
  if (!alike.all.empty() && !rest.empty())
    table.table.rows.push_back(cells_of("without alike", studies::score_of(rest)));
  return table;
}

DocumentTable alike_table(const studies::FoundAlike& alike) {
  DocumentTable table{
      .name = "alike",
      .title = "Measured like another algorithm",
      .table = {{"collective", "measured_as", "other", "procs", "ppn", "run", "sizes",
                 "smallest_bytes", "largest_bytes", "predicted_over_measured"},
                {}},
      .shown = {{"collective", "Collective"},
                {"measured_as", "Algorithm", Shown::name},
                {"other", "Alike", Shown::name},
                {"procs", "Procs"},
                {"sizes", "Sizes"},
                {"smallest_bytes", "From", Shown::bytes},
                {"largest_bytes", "To", Shown::bytes},
                {"predicted_over_measured", "x", Shown::decimals}},
      .group_by = {},
      .notes = {"Three sizes or more of a run that the simulation misses by more than 25 %, and "
                "whose times are within 2 % of another algorithm's: the library may have ignored "
                "the choice; x: simulated over measured, the median. They count above; "
                "\"without alike\" is the simulation without them"}};
  for (const auto& each : alike.all)
    table.table.rows.push_back({each.first.collective, each.first.measured_as, each.other,
                                each.first.procs, each.first.ppn, each.first.run,
                                static_cast<std::int64_t>(each.sizes), each.first.message_bytes,
                                each.largest, each.simulated_over_measured});
  table.only_on_request = alike.all.empty();
  return table;
}

std::vector<Cell> point_cells(const ScoredTime& time) {
  const auto cell = [](const std::optional<Seconds>& value) {
    return value ? Cell{*value} : Cell{};
  };
  const auto& measured = time.measured;
  return {measured.collective,
          measured.algorithm,
          measured.measured_as,
          measured.procs,
          measured.ppn,
          measured.message_bytes,
          measured.time_s,
          time.predicted.simulated_s,
          time.error(),
          time.predicted.simulated_s / measured.time_s,
          cell(time.predicted.uncontended_s),
          cell(time.predicted.loggp_s),
          cell(time.predicted.hockney_s),
          measured.harness != nullptr ? Cell{std::string(measured.harness->name)} : Cell{},
          measured.run};
}

DocumentTable points_table(std::string name, std::string title,
                           const std::vector<ScoredTime>& times) {
  DocumentTable table{
      .name = std::move(name),
      .title = std::move(title),
      .table = {{"collective", "algorithm", "measured_as", "procs", "ppn", "message_bytes",
                 "measured_s", "time_s", "relative_error", "predicted_over_measured",
                 "uncontended_s", "loggp_s", "hockney_s", "benchmark", "run"},
                {}},
      .shown = {{"collective", "Collective"},
                {"measured_as", "Algorithm", Shown::name},
                {"procs", "Procs"},
                {"ppn", "PPN", Shown::plain, 1},
                {"message_bytes", "Size", Shown::bytes},
                {"measured_s", "Measured us", Shown::microseconds},
                {"time_s", "Simulated", Shown::microseconds},
                {"relative_error", "Error %", Shown::signed_percent}}};
  for (const auto& each : times) table.table.rows.push_back(point_cells(each));
  return table;
}

DocumentTable worst_table(const std::vector<ScoredTime>& times) {
  constexpr std::size_t shown = 10;
  std::vector<ScoredTime> worst = times;
  std::ranges::stable_sort(worst, std::ranges::greater{},
                           [](const ScoredTime& time) { return std::abs(time.error()); });
  worst.resize(std::min(shown, worst.size()));
  return points_table("worst", "The largest errors", worst);
}

DocumentTable accuracy_table(const std::vector<ScoredTime>& times) {
  std::vector<studies::ComparedTime> compared;
  for (const auto& each : times)
    compared.push_back({each.measured.collective, each.measured.message_bytes,
                        each.predicted.simulated_s / each.measured.time_s});
  DocumentTable table{
      .name = "accuracy",
      .title = "For the platform file: what --confidence shows",
      .table = {{"key", "value", "rows"}, {}},
      .shown = {{"key", "Key"}, {"value", "Value", Shown::name}, {"rows", "Rows"}},
      .group_by = {},
      .notes = {"Nine of ten measured times are within this factor of the simulated ones, by the "
                "size of the message (LIMIT:FACTOR)"}};
  for (auto& each : studies::accuracy_parameters(compared))
    table.table.rows.push_back({std::move(each.key), std::move(each.value), each.rows});
  table.only_on_request = true;
  return table;
}

DocumentTable all_points(const std::vector<ScoredTime>& times) {
  auto table = points_table("points", "Each time", times);
  table.only_on_request = true;
  return table;
}

// Times of two calls may be the same to the digit that was written: these need curves of their own.
PlotWords times_plot(const char* series, const char* facet) {
  return {{"x", "measured_s"}, {"y", "predicted_over_measured"},
          {"series", series},  {"facet", facet},
          {"log", "xy"},       {"title", "predicted over measured time"}};
}

}  // namespace

Document measured_document(const MeasuredReport& report) {
  const Score score = studies::score_of(report.times);
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.validate.measured/1";
  document.about = {
      fmt::format(
          "Simulated times of {} against {}: median error {:.1f} %, 90th percentile {:.1f} %",
          report.provenance.platform_name, counted(report.times.size(), "measured time"),
          100 * score.median_error, 100 * score.p90_error),
      report.benchmark.empty() ? "each simulated as a bare call: --benchmark simulates how a "
                                 "benchmark measures"
                               : fmt::format("measured as {} does", report.benchmark)};
  const auto alike = studies::find_alike(report.times, report.others);
  document.tables = {all_points(report.times),           scores_table(report.times),
                     methods_table(report.times, alike), alike_table(alike),
                     worst_table(report.times),          accuracy_table(report.times)};
  document.plots = {first_drawable(
      document.tables.front().table,
      {times_plot("algorithm", "collective"), times_plot("measured_as", "collective"),
       times_plot("algorithm", "collective,procs"), times_plot("algorithm,procs", "collective"),
       times_plot("algorithm", "collective,message_bytes"),
       times_plot("algorithm", "collective,procs,ppn,message_bytes")})};
  return document;
}

std::vector<std::string> measured_document_parts() {
  return {"scores", "methods", "alike", "worst", "accuracy", "points"};
}

}  // namespace tutti::reports
