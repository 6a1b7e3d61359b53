// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/report/guidelines_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "sim/base/counted.hpp"
#include "sim/guidelines/measured.hpp"
#include "sim/guidelines/rank_sum.hpp"
#include "sim/reports/formats.hpp"

namespace tutti::reports {
namespace {

using algorithms::guidelines::Mockup;
using studies::guidelines::Comparison;
using studies::guidelines::Setting;
using studies::guidelines::Side;
using studies::guidelines::SizePair;

using Comparisons = std::vector<Comparison>;

// Empty: measured times do not show it.
std::string name_of_default(const Setting& setting) {
  const auto* algorithm = setting.sides.front().point.call.algorithm;
  return algorithm == nullptr ? "" : std::string(algorithm->name);
}
// Of a measured mock-up the collectives that it calls, by its name.
std::string made_of(const Comparison& of) {
  const auto& call = of.side->point.call;
  return call.algorithm == nullptr ? std::string(of.side->mockup->algorithm.name)
                                   : workloads::runs_as(call, of.setting->procs);
}

// In each run.
std::int64_t repetitions_of(const Side& side) { return std::ssize(side.latencies_s.front()); }

std::vector<Cell> points_row(const Comparison& each) {
  const Setting& setting = *each.setting;
  const Mockup& mockup = *each.side->mockup;
  return {setting.collective,
          std::string(mockup.guideline),
          std::string(mockup.algorithm.name),
          std::int64_t{setting.procs},
          setting.message_bytes,
          name_of_default(setting),
          each.default_s,
          repetitions_of(setting.sides.front()),
          made_of(each),
          each.mockup_s,
          repetitions_of(*each.side),
          each.relative,
          each.relative_min,
          each.relative_max,
          each.p ? Cell(*each.p) : Cell(),
          each.violated,
          each.replaceable,
          each.extra.message_bytes,
          each.extra.int_bytes};
}

DocumentTable points_table(const Comparisons& all) {
  DocumentTable table{.name = "points",
                      .title = "Each collective beside each of its mock-ups",
                      .table = {},
                      .shown = {{"guideline", "GL"},
                                {"procs", "Procs", Shown::plain, 2},
                                {"message_bytes", "Size", Shown::bytes},
                                {"default_algorithm", "Default"},
                                {"default_time_s", "us", Shown::microseconds},
                                {"runs_as", "Mock-up"},
                                {"time_s", "us ", Shown::microseconds},
                                {"repetitions", "Rep."},
                                {"relative_latency", "Rel.", Shown::decimals}},
                      .group_by = "collective",
                      .notes = {"Rep.: calls of the mock-up in each run"},
                      .only_on_request = true};
  table.table.columns = {"collective",
                         "guideline",
                         "mockup",
                         "procs",
                         "message_bytes",
                         "default_algorithm",
                         "default_time_s",
                         "default_repetitions",
                         "runs_as",
                         "time_s",
                         "repetitions",
                         "relative_latency",
                         "relative_latency_min",
                         "relative_latency_max",
                         "p",
                         "violated",
                         "replaceable",
                         "extra_message_bytes",
                         "extra_int_bytes"};
  for (const auto& each : all) table.table.rows.push_back(points_row(each));
  return table;
}

struct OfGuideline {
  const Mockup* mockup = nullptr;
  std::int64_t sizes = 0;
  std::int64_t violated = 0;
  std::int64_t replaceable = 0;
  const Comparison* worst = nullptr;  // the mock-up is the fastest
};

std::vector<OfGuideline> by_guideline(const Comparisons& all) {
  std::vector<OfGuideline> found;
  for (const auto& each : all) {
    auto of = std::ranges::find(found, each.side->mockup, &OfGuideline::mockup);
    if (of == found.end()) of = found.insert(of, OfGuideline{.mockup = each.side->mockup});
    ++of->sizes;
    of->violated += each.violated;
    of->replaceable += each.replaceable;
    if (of->worst == nullptr || each.relative < of->worst->relative) of->worst = &each;
  }
  std::ranges::sort(found, {}, [](const OfGuideline& each) {
    return std::ranges::find(algorithms::guidelines::all_mockups(), each.mockup);
  });
  return found;
}

DocumentTable summary_table(const Comparisons& all) {
  DocumentTable table{.name = "guidelines",
                      .title = "Which guidelines hold",
                      .table = {},
                      .shown = {{"guideline", "GL"},
                                {"mockup", "Mock-up"},
                                {"sizes", "Of"},
                                {"violated", "Viol."},
                                {"replaceable", "Repl."},
                                {"least_relative_latency", "Least", Shown::decimals},
                                {"at_message_bytes", "At", Shown::bytes}},
                      .group_by = {}};
  table.table.columns = {"collective",
                         "guideline",
                         "mockup",
                         "sizes",
                         "violated",
                         "replaceable",
                         "least_relative_latency",
                         "at_procs",
                         "at_message_bytes"};
  for (const auto& each : by_guideline(all))
    table.table.rows.push_back(
        {std::string(each.mockup->algorithm.collective), std::string(each.mockup->guideline),
         std::string(each.mockup->algorithm.name), each.sizes, each.violated, each.replaceable,
         each.worst->relative, std::int64_t{each.worst->setting->procs},
         each.worst->setting->message_bytes});
  table.notes = {
      "Viol.: sizes, of so many, at which the mock-up is faster; Repl.: at which it is faster by "
      "enough to replace the collective; Least: its latency at best, default = 1"};
  return table;
}

// "0.85" and the stars of the test.
std::string relative_text(const Comparison& of) {
  std::string text = fmt::format("{:.2f}", of.relative);
  if (of.p && of.relative < 1) text += studies::guidelines::stars_of(*of.p);
  return text;
}

bool several_procs(const Comparisons& all) {
  return std::ranges::any_of(all, [&](const Comparison& each) {
    return each.setting->procs != all.front().setting->procs;
  });
}

// As Figure 4: a line of each size, a column of each mock-up.
DocumentTable relative_table(const std::string& collective, const Comparisons& all) {
  DocumentTable table{
      .name = collective,
      .title = fmt::format("{}: latency of its mock-ups, default = 1", mpi_name(collective)),
      .table = {{"procs", "message_bytes", "default_algorithm", "default_time_s"}, {}},
      .shown = {{"message_bytes", "Size", Shown::bytes},
                {"default_algorithm", "Default", Shown::plain, 1},
                {"default_time_s", "us", Shown::microseconds}},
      .group_by = {}};
  if (several_procs(all)) table.group_by = "procs";
  std::vector<const Mockup*> mockups;
  for (const auto& each : all)
    if (each.setting->collective == collective &&
        std::ranges::find(mockups, each.side->mockup) == mockups.end())
      mockups.push_back(each.side->mockup);
  std::string legend;
  for (const Mockup* mockup : mockups) {
    const std::string name(mockup->guideline);
    table.table.columns.push_back(name);
    table.shown.push_back({name, name});
    legend += fmt::format("{}{}: {}", legend.empty() ? "" : "; ", name, mockup->algorithm.name);
  }
  table.table.columns.emplace_back("replace_by");
  table.shown.push_back({"replace_by", "Replace by"});
  std::map<const Setting*, std::vector<const Comparison*>> of_setting;
  for (const auto& each : all) of_setting[each.setting].push_back(&each);
  for (const auto& [setting, sides] : of_setting) {
    if (setting->collective != collective) continue;
    std::vector<Cell> row{std::int64_t{setting->procs}, setting->message_bytes,
                          name_of_default(*setting), sides.front()->default_s};
    const Comparison* best = nullptr;
    for (const Mockup* mockup : mockups) {
      const auto found = std::ranges::find_if(
          sides, [&](const Comparison* side) { return side->side->mockup == mockup; });
      row.push_back(found == sides.end() ? Cell() : Cell(relative_text(**found)));
      if (found == sides.end() || !(*found)->replaceable) continue;
      if (best == nullptr || (*found)->relative < best->relative) best = *found;
    }
    row.push_back(best == nullptr ? Cell() : Cell(std::string(best->side->mockup->guideline)));
    table.table.rows.push_back(std::move(row));
  }
  table.notes = {legend};
  return table;
}

DocumentTable pairs_table(const std::vector<SizePair>& pairs, const std::string& name,
                          const std::string& title, const std::string& note) {
  DocumentTable table{.name = name,
                      .title = title,
                      .table = {{"collective", "procs", "message_bytes", "other_bytes", "parts",
                                 "time_s", "other_time_s", "relative_latency", "violated"},
                                {}},
                      .shown = {{"collective", "Collective"},
                                {"procs", "Procs"},
                                {"message_bytes", "Size", Shown::bytes},
                                {"time_s", "us", Shown::microseconds},
                                {"parts", "Parts"},
                                {"other_bytes", "of", Shown::bytes},
                                {"other_time_s", "us ", Shown::microseconds}},
                      .group_by = {}};
  for (const auto& pair : pairs) {
    if (!pair.violated) continue;
    table.table.rows.push_back({pair.large->collective, std::int64_t{pair.large->procs},
                                pair.large->message_bytes, pair.small->message_bytes, pair.parts,
                                pair.large_s, pair.small_s, pair.small_s / pair.large_s, true});
  }
  table.notes = {fmt::format("{} of {} pairs of sizes violate it; {}", table.table.rows.size(),
                             pairs.size(), note)};
  return table;
}

// Also those of which nothing was simulated.
std::vector<std::string> collectives_in(const std::vector<Setting>& settings) {
  std::vector<std::string> names;
  for (const auto& each : settings)
    if (std::ranges::find(names, each.collective) == names.end()) names.push_back(each.collective);
  return names;
}

// "5 to 31 calls".
std::string calls_in(const std::vector<Setting>& settings) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = 0;
  for (const auto& setting : settings)
    for (const auto& side : setting.sides) {
      if (side.latencies_s.empty()) continue;
      least = std::min(least, repetitions_of(side));
      most = std::max(most, repetitions_of(side));
    }
  return least >= most ? counted(most, "call") : fmt::format("{} to {} calls", least, most);
}

void add_measuring(const GuidelinesReport& report, std::vector<std::string>& lines) {
  const auto& measuring = report.measuring;
  if (report.noise.empty()) {
    lines.emplace_back("one run of one call of each: without noise all would be equal");
    return;
  }
  const bool is_window = measuring.sync == studies::guidelines::Measuring::Sync::window;
  lines.push_back(fmt::format(
      "medians of {} with noise {}, of {} each; {}{}", counted(measuring.runs, "run"), report.noise,
      calls_in(report.settings),
      is_window ? "all ranks begin a call together" : "a dissemination barrier before each call",
      measuring.runs == 1 ? "" : "; stars: rank-sum test below 0.05, 0.01, 0.001"));
  if (measuring.repetitions) return;
  lines.push_back(
      fmt::format("NREP: as many calls as take the time in which calls of 1 B settle to a relative "
                  "standard error of {:.4g} %, but at least {}",
                  measuring.nrep.rse * 100, measuring.nrep.least));
  const auto restless = std::ranges::count_if(
      report.settlings, [](const auto& each) { return !each.second.settled; });
  if (restless > 0)
    lines.push_back(fmt::format("{} of {} did not in {} calls (--nrep-max)", restless,
                                report.settlings.size(), measuring.nrep.most));
}

std::string violation_text(const GuidelinesReport& report) {
  const double above = report.thresholds.violated;
  return fmt::format("violated: the mock-up is faster{}; replaceable: by at least {:.4g} %",
                     above > 0 ? fmt::format(" by more than {:.4g} %", above * 100) : "",
                     report.thresholds.replaceable * 100);
}

// What measured times are, and how they are tested.
std::vector<std::string> about_measured(const GuidelinesReport& report, const Comparisons& all) {
  const auto violated = std::ranges::count_if(all, &Comparison::violated);
  const auto replaceable = std::ranges::count_if(all, &Comparison::replaceable);
  std::vector<std::string> lines{
      fmt::format("Performance guidelines in measured times: {} of {} comparisons violate one, at "
                  "{} the collective is worth replacing",
                  violated, all.size(), replaceable),
      fmt::format("times of {}; {}", fmt::join(report.measured, ", "), violation_text(report)),
      fmt::format("Wilcoxon's rank-sum test, one-sided, below {:.4g}: of the medians of the runs "
                  "where each side has {} at least, else of all repetitions",
                  report.thresholds.p, studies::guidelines::least_runs)};
  if (!report.left_out.empty())
    lines.push_back(fmt::format("{} left out, the first: {}",
                                counted(std::ssize(report.left_out), "setting"),
                                report.left_out.front()));
  return lines;
}

std::vector<std::string> about(const GuidelinesReport& report, const Comparisons& all) {
  if (!report.measured.empty()) return about_measured(report, all);
  const auto violated = std::ranges::count_if(all, &Comparison::violated);
  const auto replaceable = std::ranges::count_if(all, &Comparison::replaceable);
  std::vector<std::string> lines{
      fmt::format("Performance guidelines on {}: {} of {} comparisons violate one, at {} the "
                  "collective is worth replacing",
                  report.provenance.platform_name, violated, all.size(), replaceable),
      fmt::format("algorithms by {}; elements of {} B; {}", report.selection, report.element_bytes,
                  violation_text(report))};
  add_measuring(report, lines);
  return lines;
}

}  // namespace

std::vector<std::string> skipped_in(const std::vector<Setting>& settings) {
  std::vector<std::string> lines;
  std::set<std::string> told;
  for (const auto& setting : settings)
    for (const auto& side : setting.sides) {
      if (side.skipped.empty()) continue;
      const std::string name(side.mockup == nullptr ? "default" : side.mockup->algorithm.name);
      if (told.insert(setting.collective + name).second)
        lines.push_back(fmt::format("{} {} is skipped from {} on: {}", setting.collective, name,
                                    format_bytes(setting.message_bytes), side.skipped));
    }
  return lines;
}

Document guidelines_document(const GuidelinesReport& report) {
  const Comparisons all = studies::guidelines::comparisons(report.settings, report.thresholds);
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.guidelines.check/2";
  document.about = about(report, all);
  for (auto& line : skipped_in(report.settings)) document.about.push_back(std::move(line));
  if (report.not_run > 0)
    document.failed.push_back(
        fmt::format("INCOMPLETE: {} calls were not run, the check was stopped", report.not_run));
  document.tables = {points_table(all), summary_table(all)};
  for (const auto& collective : collectives_in(report.settings)) {
    document.tables.push_back(relative_table(collective, all));
    document.tables.back().only_on_request = document.tables.back().table.rows.empty();
    if (document.tables.back().only_on_request) continue;
    document.plots.push_back({{"x", "message_bytes"},
                              {"y", "relative_latency"},
                              {"series", "mockup"},
                              {"facet", "procs"},
                              {"log", "xy"},
                              {"only", "collective=" + collective},
                              {"title", mpi_name(collective) + ", default = 1"}});
  }
  document.tables.push_back(
      pairs_table(studies::guidelines::monotony(report.settings, report.thresholds), "monotony",
                  "Monotony: a larger message takes no less time",
                  "us: of the larger, and of the smaller one"));
  document.tables.push_back(
      pairs_table(studies::guidelines::split_robustness(report.settings, report.thresholds),
                  "split", "Split-robustness: a message takes no longer than its parts",
                  "us: of the message, and of its parts together"));
  return document;
}

std::vector<std::string> guidelines_document_parts() {
  std::vector<std::string> names{"points", "guidelines", "monotony", "split"};
  for (const auto* mockup : algorithms::guidelines::all_mockups())
    if (std::ranges::find(names, mockup->algorithm.collective) == names.end())
      names.emplace_back(mockup->algorithm.collective);
  return names;
}

}  // namespace tutti::reports
