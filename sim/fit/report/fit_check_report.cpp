// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/quantile.hpp"
#include "sim/fit/report/reports.hpp"
#include "sim/reports/plots/plot_choice.hpp"

namespace tutti::reports {
namespace {

DocumentTable check_points_table(const FitCheckReport& report) {
  TableOf table(report.times, {.title = "All times"});
  table.group("collective", &CheckedTime::collective);
  table.add("algorithm", {"Algorithm"}, &CheckedTime::algorithm);
  table.add("procs", {"Procs"}, &CheckedTime::procs);
  table.add("message_bytes", {"Size", Shown::bytes}, &CheckedTime::message_bytes);
  table.add("measured_s", {"Measured (us)", Shown::us}, &CheckedTime::measured_s);
  table.add("time_s", {"Simulated (us)", Shown::us}, &CheckedTime::time_s);
  table.add("relative_error", {"Error (%)", Shown::signed_percent}, &CheckedTime::error);
  return table.take();
}

// Errors of one algorithm, or of all.
struct ErrorGroup {
  std::string collective;
  std::string algorithm;
  std::vector<CheckedTime> times;

  double median() const { return median_error(times); }
  double p90() const { return quantile_of(errors_of(times), 0.9); }
};

std::vector<ErrorGroup> error_groups(const std::vector<CheckedTime>& times) {
  std::map<std::pair<std::string, std::string>, std::vector<CheckedTime>> found;
  for (const auto& time : times) found[{time.collective, time.algorithm}].push_back(time);
  std::vector<ErrorGroup> groups;
  for (const auto& [names, of] : found) groups.push_back({names.first, names.second, of});
  if (groups.size() > 1) groups.push_back({"all", "", times});
  return groups;
}

DocumentTable check_errors_table(const FitCheckReport& report) {
  TableOf table(error_groups(report.times),
                {.title = "Errors of the simulation",
                 .notes = {"error: absolute value of (simulated - measured) / measured"}});
  table.add("collective", {"Collective"}, &ErrorGroup::collective);
  table.add("algorithm", {"Algorithm"}, &ErrorGroup::algorithm);
  table.add("times", {"Times"}, [](auto& of) { return of.times.size(); });
  table.add("median_error", {"Median (%)", Shown::percent}, &ErrorGroup::median);
  table.add("p90_error", {"90th pct. (%)", Shown::percent}, &ErrorGroup::p90);
  return table.take();
}

// By collective, for those that have calls with several algorithms.
std::map<std::string, studies::Ranking> rankings(const std::vector<CheckedTime>& times) {
  constexpr double clearly = 1.01;
  std::map<std::string, std::vector<studies::RankedTime>> collectives;
  for (const auto& time : times)
    if (!time.algorithm.empty())
      collectives[time.collective].push_back(
          {{"", time.collective, time.procs, time.ppn, time.message_bytes},
           time.algorithm,
           time.measured_s,
           time.time_s});
  std::map<std::string, studies::Ranking> found;
  for (const auto& [collective, ranked] : collectives)
    if (const auto ranking = ranking_of(ranked, clearly); ranking.settings > 0)
      found.emplace(collective, ranking);
  return found;
}

DocumentTable ranking_table(const FitCheckReport& report) {
  TableOf table(
      rankings(report.times),
      {.title = "Ranking of the algorithms",
       .notes = {"Correct: pairs of algorithms that differ by more than 1 % and are ordered as "
                 "measured, by the median of their repetitions; Max regret: how much longer the "
                 "simulation's choice takes than the best, at most"}});
  table.add("collective", {"Collective"}, [](auto& of) { return of.first; });
  table.add("settings", {"Settings"}, [](auto& of) { return of.second.settings; });
  table.add("pairs", {"Pairs"}, [](auto& of) { return of.second.pairs; });
  table.add("correct_fraction", {"Correct (%)", Shown::percent},
            [](auto& of) { return ratio_cell(of.second.right_pairs, of.second.pairs); });
  table.add("worst_regret", {"Max regret (%)", Shown::percent},
            [](auto& of) { return of.second.largest_regret; });
  return table.take();
}

bool has_ranking(const FitCheckReport& report) { return !rankings(report.times).empty(); }

constexpr Part<FitCheckReport> fit_check_parts[] = {
    {"errors", check_errors_table},
    {"ranking", ranking_table, has_ranking},
    {.name = "points", .table = check_points_table, .is_first = true}};

}  // namespace

std::vector<double> errors_of(const std::vector<CheckedTime>& times) {
  std::vector<double> errors;
  for (const auto& time : times) errors.push_back(std::abs(time.error()));
  return errors;
}

double median_error(const std::vector<CheckedTime>& times) { return median_of(errors_of(times)); }

std::string median_and_p90(const std::vector<double>& errors) {
  return fmt::format("{:.1f} %, 90th percentile {:.1f} %", 100 * median_of(errors),
                     100 * quantile_of(errors, 0.9));
}

Document fit_check_document(const FitCheckReport& report) {
  Document document{report, "sim.fit.check/1"};
  document.about = {fmt::format("Simulated times of {} compared with {} measured ones",
                                report.provenance.platform_name(), report.times.size()),
                    fmt::format("median error {}", median_and_p90(errors_of(report.times)))};
  document.tables = tables_of(fit_check_parts, report);
  document.plots = with_fit_plot(document.tables.front().table, "Measured and simulated times",
                                 {{{"x", "message_bytes"},
                                   {"y", "relative_error"},
                                   {"series", "algorithm"},
                                   {"facet", "collective,procs"},
                                   {"log", "x"},
                                   {"title", "Error of the simulation"}}});
  return document;
}

std::vector<std::string> fit_check_document_parts() { return names_of(fit_check_parts); }

}  // namespace tutti::reports
