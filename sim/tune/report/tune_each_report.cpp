// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/report/tune_each_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/optional_cell.hpp"

namespace tutti::reports {
namespace {

using studies::tuning::Method;

constexpr double near_the_best = 0.02;

const TuneSearch* find(const TuneReport& report, Method method) {
  const auto found = std::ranges::find(report.searches, method, &TuneSearch::method);
  return found == report.searches.end() ? nullptr : &*found;
}

std::optional<double> value_of(const TuneSearch& search) {
  return search.best ? search.best->value : std::nullopt;
}

DocumentTable objectives_table(const TuneEachReport& report) {
  DocumentTable table{
      .name = "objectives",
      .title = "Each objective alone: what a search costs, and how good it is",
      .table = {{"objective", "search", "combinations", "evaluations", "predicted", "cost",
                 "default_s", "best_s", "gain", "above_best"},
                {}},
      .shown = {{"search", "Search"},
                {"evaluations", "Evaluations"},
                {"predicted", "Predicted"},
                {"cost", "Cost", Shown::decimals},
                {"best_s", "Best us", Shown::microseconds},
                {"gain", "Gain %", Shown::percent},
                {"above_best", "Above best %", Shown::percent}},
      .group_by = "objective",
      .notes = {"Predicted: by the rule of the 2^k factorial; Cost: in evaluations of the whole "
                "problem; Gain: less time than with the default values; Above best: of brute "
                "force, where that was run"}};
  for (const auto& [name, each] : report.objectives)
    for (const auto& search : each.searches) {
      table.table.rows.push_back(
          {name, std::string(studies::tuning::method_name(search.method)),
           static_cast<std::int64_t>(each.space->size()),
           static_cast<std::int64_t>(search.evaluations),
           search.predicted ? Cell{static_cast<std::int64_t>(*search.predicted)} : Cell{},
           search.cost, cell_of(each.default_value), cell_of(value_of(search)),
           cell_of(gain_of(each.default_value, value_of(search))),
           cell_of(above(value_of(search), each.true_best()))});
    }
  return table;
}

// How a search does over all objectives.
struct Sum {
  std::size_t objectives = 0;
  std::size_t near = 0;  // within near_the_best of brute force
  std::optional<double> worst;
  double dearest = 0;  // cost beside brute force's
  double cost = 0;
};

Sum sum_of(const TuneEachReport& report, Method method) {
  Sum sum;
  for (const auto& [name, each] : report.objectives) {
    const auto* search = find(each, method);
    const auto* brute_force = find(each, Method::brute_force);
    if (search == nullptr) continue;
    ++sum.objectives;
    sum.cost += search->cost;
    if (brute_force == nullptr) continue;
    sum.dearest = std::max(sum.dearest, search->cost / brute_force->cost);
    const auto distance = above(value_of(*search), each.true_best());
    if (!distance) continue;
    sum.near += *distance <= near_the_best ? 1 : 0;
    sum.worst = std::max(sum.worst.value_or(0), *distance);
  }
  return sum;
}

DocumentTable summary_table(const TuneEachReport& report) {
  DocumentTable table{
      .name = "summary",
      .title = fmt::format("The searches over {} objectives", report.objectives.size()),
      .table = {{"search", "objectives", "cost", "cost_part_max", "within_2_percent",
                 "above_best_max"},
                {}},
      .shown = {{"search", "Search"},
                {"cost", "Cost", Shown::decimals},
                {"cost_part_max", "Of brute force %", Shown::percent},
                {"within_2_percent", "Within 2 %"},
                {"above_best_max", "Farthest above best %", Shown::percent}},
      .group_by = {},
      .notes = {"Cost: of all objectives; Of brute force: where that is most"}};
  for (const auto& name : studies::tuning::method_names()) {
    const auto method = *studies::tuning::method_of(name);
    const auto sum = sum_of(report, method);
    if (sum.objectives == 0) continue;
    const bool is_compared = sum.dearest > 0;
    table.table.rows.push_back({name, static_cast<std::int64_t>(sum.objectives), sum.cost,
                                is_compared ? Cell{sum.dearest} : Cell{},
                                is_compared ? Cell{static_cast<std::int64_t>(sum.near)} : Cell{},
                                cell_of(sum.worst)});
  }
  return table;
}

DocumentTable best_table(const TuneEachReport& report) {
  DocumentTable table{.name = "best",
                      .title = "The best values of each objective, where not the default's",
                      .table = {{"objective", "parameter", "default", "best", "spread"}, {}},
                      .shown = {{"parameter", "Parameter"},
                                {"default", "Default"},
                                {"best", "Best"},
                                {"spread", "Matters %", Shown::percent}},
                      .group_by = "objective",
                      .notes = {},
                      .only_on_request = true};
  for (const auto& [name, each] : report.objectives) {
    const auto* best = each.best();
    if (best == nullptr) continue;
    const auto& parameters = each.space->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (best->combination[i] != parameters[i].default_value)
        table.table.rows.push_back(
            {name, parameters[i].name, parameters[i].values[parameters[i].default_value],
             parameters[i].values[best->combination[i]], cell_of(each.sensitivities[i].spread)});
  }
  return table;
}

}  // namespace

Document tune_each_document(const TuneEachReport& report) {
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.tune.each/1";
  document.about = {
      fmt::format("{}: {} objectives, each tuned alone", report.name, report.objectives.size())};
  if (!report.description.empty()) document.about.push_back(report.description);
  for (const auto& remark : report.remarks) document.about.push_back(remark);
  document.tables = {objectives_table(report), summary_table(report), best_table(report)};
  return document;
}

std::vector<std::string> tune_each_document_parts() { return {"objectives", "summary", "best"}; }

}  // namespace tutti::reports
