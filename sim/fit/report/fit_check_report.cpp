// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/report/fit_check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/quantile.hpp"

namespace tutti::reports {
namespace {

std::vector<double> sizes_of_errors(const std::vector<CheckedTime>& times) {
  std::vector<double> errors;
  for (const auto& each : times) errors.push_back(std::abs(each.error()));
  return errors;
}

DocumentTable points_table(const std::vector<CheckedTime>& times) {
  DocumentTable table{.name = "points",
                      .title = "Each time",
                      .table = {{"collective", "algorithm", "procs", "message_bytes", "measured_s",
                                 "time_s", "relative_error"},
                                {}},
                      .shown = {{"algorithm", "Algorithm"},
                                {"procs", "Procs"},
                                {"message_bytes", "Size", Shown::bytes},
                                {"measured_s", "Measured us", Shown::microseconds},
                                {"time_s", "Simulated", Shown::microseconds},
                                {"relative_error", "Error %", Shown::signed_percent}},
                      .group_by = "collective",
                      .notes = {}};
  for (const auto& each : times)
    table.table.rows.push_back({each.collective, each.algorithm, each.procs, each.message_bytes,
                                each.measured_s, each.time_s, each.error()});
  return table;
}

DocumentTable errors_table(const std::vector<CheckedTime>& times) {
  DocumentTable table{
      .name = "errors",
      .title = "How far the simulation is off",
      .table = {{"collective", "algorithm", "times", "median_error", "p90_error"}, {}},
      .shown = {{"collective", "Collective"},
                {"algorithm", "Algorithm"},
                {"times", "Times"},
                {"median_error", "Median %", Shown::percent},
                {"p90_error", "90 %", Shown::percent}},
      .group_by = {},
      .notes = {"errors are (simulated - measured) / measured, without their signs"}};
  std::map<std::pair<std::string, std::string>, std::vector<CheckedTime>> groups;
  for (const auto& each : times) groups[{each.collective, each.algorithm}].push_back(each);
  const auto add = [&](const std::string& collective, const std::string& algorithm,
                       const std::vector<CheckedTime>& of) {
    const auto errors = sizes_of_errors(of);
    table.table.rows.push_back({collective, algorithm, static_cast<std::int64_t>(of.size()),
                                median_of(errors), quantile_of(errors, 0.9)});
  };
  for (const auto& [names, of] : groups) add(names.first, names.second, of);
  if (groups.size() > 1) add("all", "", times);
  return table;
}

// Collective, processes, of a node, size.
using FitSetting = std::tuple<std::string, std::int64_t, std::int64_t, Bytes>;

// An algorithm's times in a setting, one or several repetitions, as one.
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

// Of the pairs of algorithms of a setting that differ by more than 1 % as measured, how many the
// simulation orders so; and what its choice costs.
DocumentTable ranking_table(const std::vector<CheckedTime>& times) {
  constexpr double clearly = 1.01;
  DocumentTable table{
      .name = "ranking",
      .title = "Whether it ranks the algorithms",
      .table = {{"collective", "settings", "pairs", "right_part", "worst_regret"}, {}},
      .shown = {{"collective", "Collective"},
                {"settings", "Settings"},
                {"pairs", "Pairs"},
                {"right_part", "Right %", Shown::percent},
                {"worst_regret", "Regret %", Shown::percent}},
      .group_by = {},
      .notes = {"Right: pairs of algorithms that differ by more than 1 % and are ordered as "
                "measured, by the median of their repetitions; Regret: how much longer the "
                "simulation's choice takes, at most"}};
  struct Sums {
    std::int64_t settings = 0, pairs = 0, right = 0;
    double regret = 0;
  };
  std::map<std::string, Sums> sums;
  for (const auto& [setting, of] : algorithms_by_setting(times)) {
    if (of.size() < 2) continue;
    Sums& sum = sums[std::get<0>(setting)];
    ++sum.settings;
    for (const auto& slow : of)
      for (const auto& fast : of) {
        if (slow.measured_s <= clearly * fast.measured_s) continue;
        ++sum.pairs;
        sum.right += slow.time_s > fast.time_s;
      }
    const auto best = std::ranges::min_element(of, {}, &CheckedTime::measured_s);
    const auto choice = std::ranges::min_element(of, {}, &CheckedTime::time_s);
    sum.regret = std::max(sum.regret, choice->measured_s / best->measured_s - 1);
  }
  for (const auto& [collective, sum] : sums)
    table.table.rows.push_back(
        {collective, sum.settings, sum.pairs,
         sum.pairs > 0 ? Cell{static_cast<double>(sum.right) / static_cast<double>(sum.pairs)}
                       : Cell{},
         sum.regret});
  return table;
}

}  // namespace

double median_error(const std::vector<CheckedTime>& times) {
  return median_of(sizes_of_errors(times));
}

Document fit_check_document(const FitCheckReport& report) {
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.fit.check/1";
  document.about = {fmt::format(
      "Simulated times of {} beside {} measured ones: median error {:.1f} %, 90 % {:.1f} %",
      report.provenance.platform_name, report.times.size(), 100 * median_error(report.times),
      100 * quantile_of(sizes_of_errors(report.times), 0.9))};
  document.tables = {points_table(report.times), errors_table(report.times)};
  auto ranking = ranking_table(report.times);
  if (!ranking.table.rows.empty()) document.tables.push_back(std::move(ranking));
  document.plots = {{{"x", "message_bytes"},
                     {"y", "relative_error"},
                     {"series", "algorithm"},
                     {"facet", "collective,procs"},
                     {"log", "x"},
                     {"title", "error of the simulation"}}};
  return document;
}

std::vector<std::string> fit_check_document_parts() { return {"errors", "ranking", "points"}; }

}  // namespace tutti::reports
