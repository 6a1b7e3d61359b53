// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/report/tune_report.hpp"

#include <fmt/format.h>

#include "sim/base/counted.hpp"
#include "sim/base/optional_cell.hpp"

namespace tutti::reports {
namespace {

using studies::tuning::Evaluated;
using studies::tuning::Method;

std::int64_t number(std::size_t value) { return static_cast<std::int64_t>(value); }

// Why there is no number of how much a parameter matters; empty: there is one.
std::string effect_of(const TuneReport& report, std::size_t parameter) {
  if (!report.is_by_size.empty() && report.is_by_size[parameter]) return "by size";
  const auto& sensitivity = report.sensitivities[parameter];
  if (!report.without_effect[parameter].empty()) return "not simulated";
  if (sensitivity.values.size() < 2) return "one value seen";
  if (sensitivity.compared == 0) return "not compared";
  if (!sensitivity.differs) return "none seen";
  return sensitivity.spread ? "" : "seen, sampled";
}

// Nothing where the parameter is not set: its condition does not hold.
Cell value_in(const studies::tuning::Space& space, const studies::tuning::Combination& combination,
              std::size_t parameter) {
  if (!space.applies(combination, parameter)) return {};
  return space.parameters()[parameter].values[combination[parameter]];
}

DocumentTable best_table(const TuneReport& report) {
  DocumentTable table{
      .name = "best",
      .title = "The best values",
      .table = {{"parameter", "default", "best", "changed", "spread", "effect"}, {}},
      .shown = {{"parameter", "Parameter"},
                {"default", "Default"},
                {"best", "Best"},
                {"spread", "Matters %", Shown::percent},
                {"effect", "Effect"}},
      .group_by = {},
      .notes = {"Matters: how much longer the worst value of this parameter takes "
                "than the best one, the others chosen well; only where all combinations were "
                "evaluated (brute-force); seen, sampled: it has an effect, and samples do not say "
                "how large; not compared: no two combinations differ in it alone; - as a best "
                "value: its condition does not hold"}};
  const Evaluated* best = report.best();
  const auto& parameters = report.space->parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto effect = effect_of(report, i);
    table.table.rows.push_back(
        {parameters[i].name, parameters[i].values[parameters[i].default_value],
         best != nullptr && effect != "by size" ? value_in(*report.space, best->combination, i)
                                                : Cell{},
         best != nullptr && best->combination[i] != parameters[i].default_value,
         effect.empty() ? cell_of(report.sensitivities[i].spread) : Cell{}, effect});
  }
  return table;
}

DocumentTable searches_table(const TuneReport& report) {
  DocumentTable table{
      .name = "searches",
      .title = "What the searches cost, and how good they are",
      .table = {{"search", "evaluations", "predicted", "cost", "best_s", "gain", "above_best",
                 "best_after"},
                {}},
      .shown = {{"search", "Search"},
                {"evaluations", "Evaluations"},
                {"cost", "Cost", Shown::decimals},
                {"best_s", "Best us", Shown::microseconds},
                {"gain", "Gain %", Shown::percent},
                {"above_best", "Above best %", Shown::percent}},
      .group_by = {},
      .notes = {"Cost: in evaluations of the whole problem; Gain: less time than with the default "
                "values; Above best: of brute force, where that was run"}};
  for (const auto& each : report.searches) {
    const auto value = each.best ? each.best->value : std::nullopt;
    std::size_t after = 0;
    for (std::size_t i = 0; i < each.history.size(); ++i)
      if (each.best && each.history[i].combination == each.best->combination) after = i + 1;
    table.table.rows.push_back({std::string(studies::tuning::method_name(each.method)),
                                number(each.evaluations),
                                each.predicted ? Cell{number(*each.predicted)} : Cell{}, each.cost,
                                cell_of(value), cell_of(gain_of(report.default_value, value)),
                                cell_of(above(value, report.true_best())), number(after)});
    for (const auto& remark : each.outcome.remarks)
      table.notes.push_back(
          fmt::format("{}: {}", studies::tuning::method_name(each.method), remark));
  }
  return table;
}

DocumentTable gains_table(const TuneReport& report) {
  DocumentTable table{
      .name = "gains",
      .title = "Each time, with the default values and with the best",
      .table = {{"point", "message_bytes", "weight", "default_s", "tuned_s", "gain", "alone_s",
                 "alone_gain", "loss", "choice"},
                {}},
      .shown = {{"point", "Of"},
                {"weight", "Weight", Shown::significant, 1},
                {"default_s", "Default us", Shown::microseconds},
                {"tuned_s", "Tuned us", Shown::microseconds},
                {"gain", "Gain %", Shown::signed_percent},
                {"alone_gain", "Alone %", Shown::signed_percent},
                {"loss", "Loses %", Shown::percent}},
      .group_by = {},
      .notes = {"Alone: the gain of the values that are best for this time alone, among what was "
                "evaluated; Loses: how much longer it takes than with those"}};
  if (!report.is_by_size.empty())
    table.shown.push_back({"choice", "Chosen by size", Shown::name, 1});
  for (const auto& each : report.points)
    table.table.rows.push_back(
        {each.name, each.message_bytes ? Cell{*each.message_bytes} : Cell{}, each.weight,
         cell_of(each.default_s), cell_of(each.best_s),
         cell_of(gain_of(each.default_s, each.best_s)), cell_of(each.least_s),
         cell_of(gain_of(each.default_s, each.least_s)), cell_of(above(each.best_s, each.least_s)),
         each.choice.empty() ? Cell{} : Cell{each.choice}});
  return table;
}

DocumentTable mca_table(const TuneMca& mca) {
  DocumentTable table{.name = "open_mpi",
                      .title = fmt::format("What Open MPI {} is told", mca.version),
                      .table = {{"name", "value"}, {}},
                      .shown = {{"name", "Name"}, {"value", "Value"}},
                      .group_by = {},
                      .notes = mca.remarks};
  for (const auto& [name, value] : mca.settings) table.table.rows.push_back({name, value});
  return table;
}

DocumentTable effects_table(const TuneReport& report) {
  DocumentTable table{.name = "effects",
                      .title = "Main effects of the 2^k factorial",
                      .table = {{"parameter", "effect_s", "part", "frozen_at"}, {}},
                      .shown = {{"parameter", "Parameter"},
                                {"effect_s", "Effect us", Shown::microseconds},
                                {"part", "Of the largest %", Shown::percent},
                                {"frozen_at", "Frozen at"}},
                      .group_by = {},
                      .notes = {"Effect: half of the mean change from the first value to the last; "
                                "its square over the largest one's"}};
  for (const auto& search : report.searches)
    for (const auto& each : search.outcome.effects) {
      const auto& parameter = report.space->parameters()[each.parameter];
      table.table.rows.push_back(
          {parameter.name, each.effect, each.part,
           each.is_frozen ? Cell{parameter.values[each.frozen_at]} : Cell{}});
    }
  return table;
}

DocumentTable values_table(const TuneReport& report) {
  DocumentTable table{.name = "values",
                      .title = "Each value of each parameter",
                      .table = {{"parameter", "value", "evaluations", "best_s", "mean_s"}, {}},
                      .shown = {{"value", "Value"},
                                {"evaluations", "Evaluations"},
                                {"best_s", "Best us", Shown::microseconds},
                                {"mean_s", "Mean us", Shown::microseconds}},
                      .group_by = "parameter",
                      .notes = {},
                      .only_on_request = true};
  for (const auto& each : report.sensitivities) {
    const auto& parameter = report.space->parameters()[each.parameter];
    for (const auto& value : each.values)
      table.table.rows.push_back({parameter.name, parameter.values[value.value],
                                  number(value.evaluations), value.best, value.mean});
  }
  return table;
}

DocumentTable evaluations_table(const TuneReport& report) {
  DocumentTable table{.name = "evaluations",
                      .title = "Each combination that was evaluated on the whole problem",
                      .table = {{"search", "evaluation"}, {}},
                      .shown = {},
                      .group_by = {},
                      .notes = {},
                      .only_on_request = true};
  for (const auto& each : report.space->parameters()) table.table.columns.push_back(each.name);
  table.table.columns.emplace_back("time_s");
  table.table.columns.emplace_back("best_so_far_s");
  for (const auto& search : report.searches) {
    std::optional<double> best;
    for (std::size_t i = 0; i < search.history.size(); ++i) {
      const auto& each = search.history[i];
      std::vector<Cell> row{std::string(studies::tuning::method_name(search.method)),
                            number(i + 1)};
      for (std::size_t p = 0; p < each.combination.size(); ++p)
        row.push_back(value_in(*report.space, each.combination, p));
      if (each.value && (!best || *each.value < *best)) best = each.value;
      row.push_back(cell_of(each.value));
      row.push_back(cell_of(best));
      table.table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace

std::optional<double> above(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b || *b <= 0) return std::nullopt;
  return *a / *b - 1;
}

std::optional<double> gain_of(const std::optional<double>& default_s,
                              const std::optional<double>& value_s) {
  if (!default_s || !value_s || *default_s <= 0) return std::nullopt;
  return (*default_s - *value_s) / *default_s;
}

const TuneSearch* TuneReport::best_search() const {
  const TuneSearch* found = nullptr;
  for (const auto& each : searches)
    if (each.best && (found == nullptr || *each.best->value < *found->best->value)) found = &each;
  return found;
}

const Evaluated* TuneReport::best() const {
  const auto* search = best_search();
  return search == nullptr ? nullptr : &*search->best;
}

std::optional<double> TuneReport::true_best() const {
  for (const auto& each : searches)
    if (each.method == Method::brute_force && each.best) return each.best->value;
  return std::nullopt;
}

Document tune_document(const TuneReport& report) {
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.tune/2";
  document.about = {fmt::format("{}: {} of {}", report.name,
                                counted(report.space->size(), "combination"),
                                counted(report.space->dimensions(), "parameter"))};
  if (!report.description.empty()) document.about.push_back(report.description);
  document.about.push_back(fmt::format("{} combinations evaluated by {} simulations",
                                       report.evaluated, report.simulations));
  for (const auto& remark : report.remarks) document.about.push_back(remark);
  document.tables = {evaluations_table(report), best_table(report), searches_table(report),
                     gains_table(report)};
  for (const auto& each : report.searches)
    if (!each.outcome.effects.empty()) {
      document.tables.push_back(effects_table(report));
      break;
    }
  if (report.mca) document.tables.push_back(mca_table(*report.mca));
  document.tables.push_back(values_table(report));
  document.plots = {{{"x", "evaluation"},
                     {"y", "best_so_far_s"},
                     {"series", "search"},
                     {"log", "x"},
                     {"title", "the best so far"}}};
  return document;
}

std::vector<std::string> tune_document_parts() {
  return {"best", "searches", "gains", "effects", "open_mpi", "values", "evaluations"};
}

}  // namespace tutti::reports
