// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/report/guidelines_tune_report.help.hpp"
#include "sim/guidelines/report/reports.hpp"

namespace tutti::reports {
namespace {

using studies::guidelines::Setting;
using studies::guidelines::TunedSetting;

bool is_run(const Setting& setting) { return setting.sides.front().skipped.empty(); }

// A setting, and its result of tuning.
struct TunedRow {
  const Setting& setting;
  const TunedSetting& tuned;

  Cell guideline() const { return tuned.mockup ? cell_of(tuned.mockup->guideline) : Cell(); }
  Cell mockup() const { return tuned.mockup ? cell_of(tuned.mockup->algorithm.name) : Cell(); }
  Cell runs_as() const { return tuned.mockup ? Cell(tuned.tuned_runs_as) : Cell(); }
  Cell parameters_fraction() const {
    return tuned.parameters_s ? ratio_cell(*tuned.parameters_s, tuned.default_s) : Cell();
  }
  Cell parameters() const { return tuned.parameters_s ? Cell(tuned.parameters) : Cell(); }
};

std::vector<TunedRow> tuned_rows(const GuidelinesTuneReport& report) {
  std::vector<TunedRow> rows;
  for (std::size_t i = 0; i < report.tuned.size(); ++i)
    if (is_run(report.settings[i])) rows.push_back({report.settings[i], report.tuned[i]});
  return rows;
}

// The column is shown if there are several numbers of processes.
std::optional<ShownAs> shown_procs(const std::vector<Setting>& settings) {
  const auto other = [&](const Setting& setting) { return setting.procs != settings[0].procs; };
  return shown_if(std::ranges::any_of(settings, other), {"Procs"});
}

DocumentTable tuned_points_table(const GuidelinesTuneReport& report) {
  TableOf table(tuned_rows(report),
                {.title = "Latency by default, with the profiles, and with the best parameters",
                 .notes = {std::string(texts::guidelines_tune_report["points"])}});
  table.group("collective", [](auto& row) { return row.setting.collective; });
  table.add("procs", shown_procs(report.settings), [](auto& row) { return row.setting.procs; });
  table.add("message_bytes", {"Size", Shown::bytes},
            [](auto& row) { return row.setting.message_bytes; });
  table.add("default_algorithm",
            [](auto& row) { return row.setting.sides.front().point.call.algorithm->name; });
  table.add("default_time_s", {"Default (us)", Shown::us},
            [](auto& row) { return row.tuned.default_s; });
  table.add("guideline", {.head = "GL", .place = 1}, &TunedRow::guideline);
  table.add("mockup", &TunedRow::mockup);
  table.add("runs_as", &TunedRow::runs_as);
  table.add("time_s", [](auto& row) { return row.tuned.tuned_s; });
  table.add("relative_latency", {"Tuned", Shown::decimals},
            [](auto& row) { return ratio_cell(row.tuned.tuned_s, row.tuned.default_s); });
  table.add("parameters", {"Parameters", Shown::plain, 1, 2}, &TunedRow::parameters);
  table.add("parameters_time_s", [](auto& row) { return row.tuned.parameters_s; });
  table.add("parameters_relative_latency", {"Params", Shown::decimals, 0, 1},
            &TunedRow::parameters_fraction);
  return table.take();
}

DocumentTable omitted_table(const GuidelinesTuneReport& report) {
  using studies::guidelines::Omitted;
  const auto setting = [&](const Omitted& row) -> const Setting& {
    return report.settings[row.setting];
  };
  TableOf table(report.omitted, {.title = "Omitted mock-ups that would be faster"});
  table.add("collective", [&](auto& row) { return setting(row).collective; });
  table.add("procs", [&](auto& row) { return setting(row).procs; });
  table.add("message_bytes", {"Size", Shown::bytes},
            [&](auto& row) { return setting(row).message_bytes; });
  table.add("mockup", {"Mock-up"}, [](auto& row) { return row.mockup->algorithm.name; });
  table.add("relative_latency", {"Relative", Shown::decimals}, &Omitted::relative);
  table.add("why", {"Reason"}, &Omitted::why);
  return table.take();
}

constexpr Part<GuidelinesTuneReport> guidelines_tune_parts[] = {
    {"points", tuned_points_table},
    {"omitted", omitted_table, [](auto& report) { return !report.omitted.empty(); }}};

std::vector<std::string> about(const GuidelinesTuneReport& report) {
  const auto replaced = std::ranges::count_if(
      report.tuned, [](const auto& tuned) { return tuned.mockup != nullptr; });
  std::vector<std::string> lines{
      fmt::format("Performance profiles for {}: {} of {} calls are replaced by mock-ups",
                  report.provenance.platform_name(), replaced,
                  std::ranges::count_if(report.settings, is_run)),
      fmt::format(
          "algorithm selection {}; replaced where a mock-up is at least {:.4g} % faster and "
          "needs at most {} B for vectors and {} B for count vectors",
          report.selection, report.thresholds.replaceable * 100,
          report.profiles.limits.message_bytes, report.profiles.limits.int_bytes)};
  lines.push_back(report.files.empty() ? "no profile is written: nothing is worth replacing"
                                       : fmt::format("written: {}", fmt::join(report.files, ", ")));
  if (report.rounds > 0)
    lines.push_back(
        report.remaining.empty()
            ? fmt::format("simulated {} with the profiles: nothing is left to replace",
                          counted(report.rounds, "more time"))
            : fmt::format("simulated {} more times with the profiles; still worth replacing: {}",
                          report.rounds, fmt::join(report.remaining, "; ")));
  if (report.runs > 1) lines.push_back(fmt::format("medians of {} runs with noise", report.runs));
  for (auto& line : skipped_in(report.settings)) lines.push_back(std::move(line));
  if (report.too_large > 0)
    lines.push_back(
        fmt::format("{} calls with other parameters are omitted: each needs more than {} million "
                    "messages",
                    report.too_large, studies::select::most_messages / 1'000'000));
  return lines;
}

}  // namespace

Document guidelines_tune_document(const GuidelinesTuneReport& report) {
  Document document{report, "sim.guidelines.tune/2", about(report)};
  document.tables = tables_of(guidelines_tune_parts, report);
  document.plots = {{{"x", "message_bytes"},
                     {"y", "relative_latency"},
                     {"series", "collective"},
                     {"facet", "procs"},
                     {"log", "x"},
                     {"title", "Tuned by profiles, relative to the default"}}};
  return document;
}

std::vector<std::string> guidelines_tune_document_parts() {
  return names_of(guidelines_tune_parts);
}

}  // namespace tutti::reports
