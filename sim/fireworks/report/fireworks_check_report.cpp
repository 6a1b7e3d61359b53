// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/report/fireworks_check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/base/optional_cell.hpp"
#include "sim/base/quantile.hpp"
#include "sim/fireworks/node_sets.hpp"
#include "sim/fireworks/report/fireworks_predict_report.hpp"

namespace tutti::reports {
namespace {

using studies::fireworks::form_names;
using studies::fireworks::Ordering;
using studies::fireworks::PredictedTime;

DocumentTable points_table(const FireworksCheckReport& report) {
  DocumentTable table{.name = "points",
                      .title = "Each node set",
                      .table = {{"nodes", "node_set"}, {}},
                      .shown = {{"node_set", "Node set"}},
                      .group_by = "nodes",
                      .notes = {},
                      .only_on_request = true};
  for (const auto name : form_names) {
    table.table.columns.push_back(fmt::format("{}_s", name));
    table.shown.push_back({table.table.columns.back(), std::string(name), Shown::milliseconds});
  }
  table.table.columns.emplace_back("time_s");
  table.shown.push_back({"time_s", "Simulated", Shown::milliseconds});
  for (const auto& set : report.sets) {
    std::vector<Cell> row{static_cast<std::int64_t>(set.procs_of_node.size()),
                          node_set_text(set.procs_of_node)};
    for (const auto& expected : set.expected_s) row.push_back(cell_of(expected));
    row.emplace_back(set.simulated_s);
    table.table.rows.push_back(std::move(row));
  }
  return table;
}

// Of all sets, or those of so many nodes; nothing where the form has no times.
std::vector<PredictedTime> times_of(const FireworksCheckReport& report, std::size_t form,
                                    std::optional<std::int64_t> nodes) {
  std::vector<PredictedTime> times;
  for (const auto& set : report.sets) {
    const auto of_set = static_cast<std::int64_t>(set.procs_of_node.size());
    if (set.expected_s[form] && nodes.value_or(of_set) == of_set)
      times.push_back({of_set, *set.expected_s[form], set.simulated_s});
  }
  return times;
}

double median_ratio(const std::vector<PredictedTime>& times) {
  std::vector<double> ratios;
  for (const auto& each : times) ratios.push_back(each.predicted_s / each.simulated_s);
  return median_of(ratios);
}

DocumentTable ordering_table(const FireworksCheckReport& report) {
  DocumentTable table{
      .name = "ordering",
      .title = "How many pairs of node sets are ordered as simulated",
      .table = {{"form", "nodes", "sets", "pairs", "right_part", "median_expected_ratio"}, {}},
      .shown = {{"nodes", "Nodes"},
                {"sets", "Sets"},
                {"pairs", "Pairs"},
                {"right_part", "Right %", Shown::percent},
                {"median_expected_ratio", "Expected / simulated", Shown::fine}},
      .group_by = "form",
      .notes = {fmt::format("pairs of one number of nodes whose expected times differ by more than "
                            "{:g} %; the ratio is a median",
                            100 * report.clearly)}};
  std::set<std::int64_t> nodes;
  for (const auto& set : report.sets)
    nodes.insert(static_cast<std::int64_t>(set.procs_of_node.size()));
  for (std::size_t i = 0; i < form_names.size(); ++i) {
    const auto add = [&](Cell label, std::optional<std::int64_t> of) {
      const auto times = times_of(report, i, of);
      if (times.empty()) return;
      const auto ordering = studies::fireworks::ordering_of(times, report.clearly);
      table.table.rows.push_back({std::string(form_names[i]), std::move(label),
                                  static_cast<std::int64_t>(times.size()), ordering.pairs,
                                  ordering.pairs > 0 ? Cell{ordering.right_part()} : Cell{},
                                  median_ratio(times)});
    };
    for (const auto each : nodes) add(each, each);
    add(std::string("all"), std::nullopt);
  }
  return table;
}

}  // namespace

Document fireworks_check_document(const FireworksCheckReport& report) {
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.fireworks.check/1";
  document.about = {
      fmt::format("Expected and simulated exchanges of {} random node sets on {}",
                  report.sets.size(), report.provenance.platform_name),
      report.form_is_best
          ? fmt::format("The form of cost that fits best is {}: it is what `sim fireworks predict` "
                        "takes",
                        report.form)
          : fmt::format("Expected by the form {} alone", report.form)};
  if (report.not_run > 0)
    document.about.push_back(fmt::format("Interrupted: {} node sets were not run", report.not_run));
  document.tables = {points_table(report), ordering_table(report)};
  return document;
}

std::vector<std::string> fireworks_check_document_parts() { return {"points", "ordering"}; }

}  // namespace tutti::reports
