// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/report/guidelines_tune_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/counted.hpp"
#include "sim/guidelines/report/guidelines_report.hpp"
#include "sim/select/candidates.hpp"

namespace tutti::reports {
namespace {

using studies::guidelines::Setting;

Cell part_of(const std::optional<Seconds>& time_s, Seconds of_s) {
  return time_s && of_s > 0 ? Cell(*time_s / of_s) : Cell();
}

bool is_run(const Setting& setting) { return setting.sides.front().skipped.empty(); }

DocumentTable points_table(const GuidelinesTuneReport& report) {
  DocumentTable table{
      .name = "points",
      .title = "Latency by default, with the profiles, and with the best parameters",
      .table = {},
      .shown = {{"message_bytes", "Size", Shown::bytes},
                {"default_time_s", "Default us", Shown::microseconds},
                {"relative_latency", "Tuned", Shown::decimals},
                {"guideline", "By"},
                {"parameters_relative_latency", "Params", Shown::decimals},
                {"parameters", "Parameters", Shown::plain, 1}},
      .group_by = "collective",
      .notes = {"Tuned, Params: latency, default = 1; By: the guideline whose mock-up replaces "
                "the collective; Params: the fastest of Open MPI's algorithms, segments and "
                "fan-outs"}};
  table.table.columns = {"collective",
                         "procs",
                         "message_bytes",
                         "default_algorithm",
                         "default_time_s",
                         "guideline",
                         "mockup",
                         "runs_as",
                         "time_s",
                         "relative_latency",
                         "parameters",
                         "parameters_time_s",
                         "parameters_relative_latency"};
  const auto& settings = report.settings;
  const auto other_procs = [&](const Setting& each) { return each.procs != settings[0].procs; };
  if (std::ranges::any_of(settings, other_procs))
    table.shown.insert(table.shown.begin(), {"procs", "Procs"});
  for (std::size_t i = 0; i < report.tuned.size(); ++i) {
    const Setting& setting = settings[i];
    const TunedSetting& tuned = report.tuned[i];
    if (!is_run(setting)) continue;
    const bool is_replaced = tuned.mockup != nullptr;
    table.table.rows.push_back(
        {setting.collective, std::int64_t{setting.procs}, setting.message_bytes,
         std::string(setting.sides.front().point.call.algorithm->name), tuned.default_s,
         is_replaced ? Cell(std::string(tuned.mockup->guideline)) : Cell(),
         is_replaced ? Cell(std::string(tuned.mockup->algorithm.name)) : Cell(),
         is_replaced ? Cell(tuned.tuned_runs_as) : Cell(), tuned.tuned_s,
         part_of(tuned.tuned_s, tuned.default_s),
         tuned.parameters_s ? Cell(tuned.parameters) : Cell(),
         tuned.parameters_s ? Cell(*tuned.parameters_s) : Cell(),
         part_of(tuned.parameters_s, tuned.default_s)});
  }
  return table;
}

DocumentTable left_out_table(const GuidelinesTuneReport& report) {
  DocumentTable table{
      .name = "left-out",
      .title = "Mock-ups that would be worth it, and are left out",
      .table = {{"collective", "procs", "message_bytes", "mockup", "relative_latency", "why"}, {}},
      .shown = {{"message_bytes", "Size", Shown::bytes},
                {"mockup", "Mock-up"},
                {"relative_latency", "Rel.", Shown::decimals},
                {"why", "Why"}},
      .group_by = {}};
  for (const auto& each : report.left_out) {
    const Setting& setting = report.settings[each.setting];
    table.table.rows.push_back({setting.collective, std::int64_t{setting.procs},
                                setting.message_bytes, std::string(each.mockup->algorithm.name),
                                each.relative, each.why});
  }
  return table;
}

std::vector<std::string> about(const GuidelinesTuneReport& report) {
  const auto replaced =
      std::ranges::count_if(report.tuned, [](const auto& each) { return each.mockup != nullptr; });
  std::vector<std::string> lines{
      fmt::format("Performance profiles for {}: {} of {} calls are replaced by mock-ups",
                  report.provenance.platform_name, replaced,
                  std::ranges::count_if(report.settings, is_run)),
      fmt::format("algorithms by {}; replaced where a mock-up is at least {:.4g} % faster and "
                  "needs no more than {} B for vectors and {} B for count vectors",
                  report.selection, report.thresholds.replaceable * 100,
                  report.limits.message_bytes, report.limits.int_bytes)};
  lines.push_back(report.files.empty() ? "no profile is written: nothing is worth replacing"
                                       : fmt::format("written: {}", fmt::join(report.files, ", ")));
  if (report.rounds > 0)
    lines.push_back(
        report.remaining.empty()
            ? fmt::format("run {} with the profiles: nothing is left to replace",
                          counted(report.rounds, "more time"))
            : fmt::format("run {} more times with the profiles: still worth replacing: {}",
                          report.rounds, fmt::join(report.remaining, "; ")));
  if (report.runs > 1) lines.push_back(fmt::format("medians of {} runs with noise", report.runs));
  for (auto& line : skipped_in(report.settings)) lines.push_back(std::move(line));
  if (report.too_large > 0)
    lines.push_back(
        fmt::format("{} calls by other parameters are left out: each takes more than {} "
                    "million messages",
                    report.too_large, studies::select::most_messages / 1'000'000));
  return lines;
}

}  // namespace

Document guidelines_tune_document(const GuidelinesTuneReport& report) {
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.guidelines.tune/2";
  document.about = about(report);
  document.tables = {points_table(report)};
  if (!report.left_out.empty()) document.tables.push_back(left_out_table(report));
  document.plots = {{{"x", "message_bytes"},
                     {"y", "relative_latency"},
                     {"series", "collective"},
                     {"facet", "procs"},
                     {"log", "x"},
                     {"title", "Tuned by profiles, default = 1"}}};
  return document;
}

std::vector<std::string> guidelines_tune_document_parts() { return {"points", "left-out"}; }

}  // namespace tutti::reports
