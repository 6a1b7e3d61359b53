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
  for (const auto& each : times) found[{each.collective, each.algorithm}].push_back(each);
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

// Collective, processes, processes per node, message size.
using FitSetting = std::tuple<std::string, std::int64_t, std::int64_t, Bytes>;

// Combines the repetitions of an algorithm in a setting into one time.
CheckedTime median_time(const std::vector<CheckedTime>& repetitions) {
  std::vector<double> measured_s, time_s;
  for (const auto& each : repetitions) {
    measured_s.push_back(each.measured_s);
    time_s.push_back(each.time_s);
  }
  CheckedTime one = repetitions.front();
  one.measured_s = median_of(measured_s);
  one.time_s = median_of(time_s);
  return one;
}

std::map<FitSetting, std::vector<CheckedTime>> algorithms_by_setting(
    const std::vector<CheckedTime>& times) {
  std::map<std::pair<FitSetting, std::string>, std::vector<CheckedTime>> repetitions;
  for (const auto& each : times)
    if (!each.algorithm.empty())
      repetitions[{{each.collective, each.procs, each.ppn, each.message_bytes}, each.algorithm}]
          .push_back(each);
  std::map<FitSetting, std::vector<CheckedTime>> settings;
  for (const auto& [of, all] : repetitions) settings[of.first].push_back(median_time(all));
  return settings;
}

struct RankingSums {
  std::int64_t settings = 0, pairs = 0, right = 0;
  double regret = 0;
};

// Of the pairs of algorithms whose measured times differ by more than 1 %, counts those that the
// simulation orders as measured; and adds the regret of its choice.
void add_setting(const std::vector<CheckedTime>& rivals, RankingSums& sum) {
  constexpr double clearly = 1.01;
  ++sum.settings;
  for (const auto& slow : rivals)
    for (const auto& fast : rivals) {
      if (slow.measured_s <= clearly * fast.measured_s) continue;
      ++sum.pairs;
      sum.right += slow.time_s > fast.time_s;
    }
  const auto best = std::ranges::min_element(rivals, {}, &CheckedTime::measured_s);
  const auto choice = std::ranges::min_element(rivals, {}, &CheckedTime::time_s);
  sum.regret = std::max(sum.regret, choice->measured_s / best->measured_s - 1);
}

// By collective, for those with settings that have several algorithms.
std::map<std::string, RankingSums> rankings(const std::vector<CheckedTime>& times) {
  std::map<std::string, RankingSums> sums;
  for (const auto& [setting, of] : algorithms_by_setting(times))
    if (of.size() > 1) add_setting(of, sums[std::get<0>(setting)]);
  return sums;
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
            [](auto& of) { return ratio_cell(of.second.right, of.second.pairs); });
  table.add("worst_regret", {"Max regret (%)", Shown::percent},
            [](auto& of) { return of.second.regret; });
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
  for (const auto& each : times) errors.push_back(std::abs(each.error()));
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
