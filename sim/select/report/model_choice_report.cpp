// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/report/model_choice_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/quantile.hpp"

namespace tutti::reports {
namespace {

using studies::ChoiceCell;
using studies::ChosenCall;

struct ShownChooser {
  std::string_view chooser;
  std::string head;
};
const std::vector<ShownChooser>& choosers() {
  static const std::vector<ShownChooser> all{{"models", "Models"},
                                             {"formulas", "Formulas"},
                                             {"ompi-3.1", "Open MPI 3.1"},
                                             {"ompi-4.1", "Open MPI 4.1"}};
  return all;
}

std::string group_of(const ChoiceCell& cell) {
  return fmt::format("{}, {} processes", cell.collective, cell.procs);
}

// A wide row for each cell: `value` of each chooser's choice.
template <class Value>
Table by_cell(const std::vector<ChoiceCell>& cells, const Value& value) {
  Table table{{"group", "collective", "procs", "ppn", "message_bytes", "best", "best_s"}, {}};
  for (const auto& each : choosers()) table.columns.emplace_back(each.chooser);
  for (const auto& cell : cells) {
    const auto choices = studies::choices_in(cell);
    std::vector<Cell> row{group_of(cell),
                          cell.collective,
                          cell.procs,
                          cell.ppn,
                          cell.message_bytes,
                          choices.front().name,
                          choices.front().time_s.value()};
    for (const auto& each : choosers()) {
      const auto found = std::ranges::find(choices, each.chooser, &ChosenCall::chooser);
      row.push_back(found == choices.end() ? Cell{} : value(*found));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

void show_choosers(DocumentTable& table, Shown as) {
  int spare = 0;
  for (const auto& each : choosers())
    table.shown.push_back({std::string(each.chooser), each.head, as, spare++ == 1 ? 1 : 0});
}

DocumentTable choices_table(const std::vector<ChoiceCell>& cells) {
  DocumentTable table{.name = "choices",
                      .title = "Who chooses what",
                      .table = by_cell(cells,
                                       [](const ChosenCall& choice) {
                                         return choice.name.empty() ? Cell{} : Cell{choice.name};
                                       }),
                      .shown = {{"message_bytes", "Size", Shown::bytes}, {"best", "Best"}},
                      .group_by = "group",
                      .notes = {}};
  show_choosers(table, Shown::plain);
  return table;
}

DocumentTable losses_table(const std::vector<ChoiceCell>& cells) {
  DocumentTable table{
      .name = "losses",
      .title = "How much longer that takes than the best, in percent",
      .table = by_cell(
          cells,
          [](const ChosenCall& choice) { return choice.loss ? Cell{*choice.loss} : Cell{}; }),
      .shown = {{"message_bytes", "Size", Shown::bytes},
                {"best", "Best"},
                {"best_s", "us", Shown::microseconds}},
      .group_by = "group",
      .notes = {"The best is that of the algorithms which the models know; a library may know a "
                "better one: then its number is below 0"}};
  show_choosers(table, Shown::percent);
  return table;
}

DocumentTable summary_table(const std::vector<ChoiceCell>& cells) {
  std::vector<double> decisions;
  for (const auto& cell : cells)
    if (cell.decision_s > 0) decisions.push_back(cell.decision_s);
  DocumentTable table{.name = "summary",
                      .title = "What the choices cost",
                      .table = studies::choice_summary(cells),
                      .shown = {{"collective", "Collective", Shown::plain, 2},
                                {"chooser", "Chooser"},
                                {"cells", "Cells", Shown::plain, 3},
                                {"best_part", "Best %", Shown::percent},
                                {"near_part", "Within 10 %", Shown::percent},
                                {"mean_loss", "Mean loss %", Shown::percent},
                                {"largest_loss", "Largest %", Shown::percent},
                                {"worst_at", "At"},
                                {"worst_choice", "Choice", Shown::plain, 1}},
                      .group_by = {},
                      .notes = {}};
  if (!decisions.empty())
    table.notes.push_back(fmt::format("A decision by the models takes {} on this computer (median)",
                                      format_seconds(median_of(decisions))));
  return table;
}

DocumentTable points_table(const std::vector<ChoiceCell>& cells) {
  return {.name = "points",
          .title = "Each choice",
          .table = studies::choice_points(cells),
          .shown = {{"procs", "Procs"},
                    {"message_bytes", "Size", Shown::bytes},
                    {"chooser", "Chooser"},
                    {"choice", "Choice"},
                    {"time_s", "us", Shown::microseconds},
                    {"loss", "Loss %", Shown::percent},
                    {"outside", "Outside of the fit", Shown::plain, 1}},
          .group_by = "collective",
          .notes = {},
          .only_on_request = true};
}

DocumentTable candidates_table(const std::vector<ChoiceCell>& cells) {
  return {.name = "candidates",
          .title = "Each algorithm, simulated and predicted",
          .table = studies::choice_candidates(cells),
          .shown = {{"procs", "Procs"},
                    {"message_bytes", "Size", Shown::bytes},
                    {"candidate", "Algorithm"},
                    {"time_s", "Simulated us", Shown::microseconds},
                    {"repetitions", "Runs", Shown::plain, 1},
                    {"predicted_s", "Model us", Shown::microseconds},
                    {"relative_error", "Error %", Shown::signed_percent},
                    {"formula_s", "Formula us", Shown::microseconds},
                    {"outside", "Outside of the fit", Shown::plain, 2}},
          .group_by = "collective",
          .notes = {},
          .only_on_request = true};
}

}  // namespace

Document model_choice_document(const ModelChoiceReport& report) {
  const auto& cells = report.cells;
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.select.models/1";
  document.about = {fmt::format("Algorithms chosen by models on {}, {} settings, engine flow",
                                report.provenance.platform_name, cells.size())};
  document.about.insert(document.about.end(), report.about.begin(), report.about.end());
  if (report.not_run > 0)
    document.failed.push_back(fmt::format(
        "INCOMPLETE: {} simulations were not run, the comparison was stopped", report.not_run));
  document.tables = {points_table(cells), choices_table(cells), losses_table(cells),
                     summary_table(cells), candidates_table(cells)};
  document.plots = {{{"x", "message_bytes"},
                     {"y", "time_s"},
                     {"series", "chooser"},
                     {"facet", "collective,procs"},
                     {"log", "xy"},
                     {"title", "times of the chosen algorithms"}}};
  return document;
}

std::vector<std::string> model_choice_warnings(const ModelChoiceReport& report) {
  std::size_t count = 0;
  std::string first;
  for (const auto& cell : report.cells)
    for (const auto& choice : studies::choices_in(cell))
      if (!choice.outside.empty() && count++ == 0)
        first = fmt::format("{}, {} processes, {}: {}", cell.collective, cell.procs,
                            format_bytes(cell.message_bytes), choice.outside);
  if (count == 0) return {};
  return {
      fmt::format("in {} of {} settings the models were not fitted to the calls and extrapolate, "
                  "first at {}",
                  count, report.cells.size(), first)};
}

std::vector<std::string> model_choice_document_parts() {
  return {"choices", "losses", "summary", "candidates", "points"};
}

}  // namespace tutti::reports
