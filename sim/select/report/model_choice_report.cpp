// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/quantile.hpp"
#include "sim/select/report/reports.hpp"

namespace tutti::reports {
namespace {

using studies::select::ChoiceCandidate;
using studies::select::ChoiceCell;
using studies::select::ChosenCall;

struct ShownChooser {
  std::string_view chooser;
  const char* head;
  int spare = 0;
};
constexpr ShownChooser choosers[] = {{"models", "Models"},
                                     {"formulas", "Formulas", 1},
                                     {"ompi-3.1", "Open MPI 3.1"},
                                     {"ompi-4.1", "Open MPI 4.1"}};

// A cell with the choices in it.
struct ChosenCell : ChoiceCell {
  std::vector<ChosenCall> choices;

  std::string group() const { return fmt::format("{}, {} processes", collective, procs); }
  const ChosenCall* of(std::string_view chooser) const {
    const auto choice = std::ranges::find(choices, chooser, &ChosenCall::chooser);
    return choice == choices.end() ? nullptr : &*choice;
  }
};

std::vector<ChosenCell> chosen_cells(const ModelChoiceReport& report) {
  std::vector<ChosenCell> cells;
  for (const auto& cell : report.cells) cells.push_back({cell, studies::select::choices_in(cell)});
  return cells;
}

// A table with a row for each cell and a column, `value`, for each chooser's choice.
template <class Value>
DocumentTable by_cell(const ModelChoiceReport& report, DocumentTable head, Shown as,
                      std::optional<ShownAs> best_s, const Value& value) {
  TableOf table(chosen_cells(report), std::move(head));
  table.group("group", &ChosenCell::group);
  table.add("collective", &ChosenCell::collective);
  table.add("procs", &ChosenCell::procs);
  table.add("ppn", &ChosenCell::ppn);
  table.add("message_bytes", {"Size", Shown::bytes}, &ChosenCell::message_bytes);
  table.add("best", {"Best", Shown::name}, [](auto& of) { return of.choices.front().name; });
  table.add("best_s", best_s, [](auto& of) { return of.choices.front().time_s; });
  for (const auto& shown : choosers)
    table.add(std::string(shown.chooser), {shown.head, as, shown.spare}, [&](auto& of) {
      const ChosenCall* choice = of.of(shown.chooser);
      return choice == nullptr ? Cell{} : value(*choice);
    });
  return table.take();
}

DocumentTable choices_table(const ModelChoiceReport& report) {
  return by_cell(report, {.title = "Choices"}, Shown::name, std::nullopt,
                 [](const ChosenCall& choice) { return text_cell(choice.name); });
}

DocumentTable losses_table(const ModelChoiceReport& report) {
  return by_cell(report,
                 {.title = "Loss of the choices compared with the best, in percent",
                  .notes = {"Best: of the algorithms with a model; a library may choose a faster "
                            "one, and its loss is then negative"}},
                 Shown::percent, ShownAs{"Best (us)", Shown::us},
                 [](const ChosenCall& choice) { return cell_of(choice.loss); });
}

std::vector<std::string> decision_note(const std::vector<ChoiceCell>& cells) {
  std::vector<double> decisions;
  for (const auto& cell : cells)
    if (cell.decision_s > 0) decisions.push_back(cell.decision_s);
  if (decisions.empty()) return {};
  return {fmt::format("A decision by the models takes {} on this computer (median)",
                      format_seconds(median_of(decisions)))};
}

DocumentTable choice_summary_table(const ModelChoiceReport& report) {
  using Losses = studies::select::ChoiceLosses;
  TableOf table(studies::select::choice_losses(report.cells),
                {.title = "Losses of the choices", .notes = decision_note(report.cells)});
  table.add("collective", {"Collective", Shown::plain, 2}, &Losses::collective);
  table.add("chooser", {"Chooser"}, &Losses::chooser);
  table.add("cells", {"Cells", Shown::plain, 3}, &Losses::cells);
  table.add("best_fraction", {"Best (%)", Shown::percent},
            [](auto& of) { return of.part(static_cast<double>(of.best)); });
  table.add("near_fraction", {"Within 10 %", Shown::percent},
            [](auto& of) { return of.part(static_cast<double>(of.close)); });
  table.add("mean_loss", {"Mean loss (%)", Shown::percent},
            [](auto& of) { return of.part(of.sum); });
  table.add("largest_loss", {"Max (%)", Shown::percent}, &Losses::largest);
  table.add("worst_at", {"Worst at"}, &Losses::worst_at);
  table.add("worst_choice", {"Worst choice", Shown::plain, 1}, &Losses::worst_choice);
  return table.take();
}

// A call of a cell: a chooser's choice, or a candidate.
template <class Call>
struct CellCall {
  const ChoiceCell& cell;
  Call call;
};

template <class Rows>
void add_cell_columns(TableOf<Rows>& table) {
  table.group("collective", [](auto& of) { return of.cell.collective; });
  table.add("procs", {"Procs"}, [](auto& of) { return of.cell.procs; });
  table.add("ppn", [](auto& of) { return of.cell.ppn; });
  table.add("message_bytes", {"Size", Shown::bytes},
            [](auto& of) { return of.cell.message_bytes; });
}

DocumentTable choice_points_table(const ModelChoiceReport& report) {
  std::vector<CellCall<ChosenCall>> rows;
  for (const auto& cell : report.cells)
    for (const auto& choice : studies::select::choices_in(cell)) rows.push_back({cell, choice});
  TableOf table(rows, {.title = "All choices", .only_on_request = true});
  add_cell_columns(table);
  table.add("chooser", {"Chooser"}, [](auto& of) { return of.call.chooser; });
  table.add("choice", {"Choice"}, [](auto& of) { return of.call.name; });
  table.add("time_s", {"Time (us)", Shown::us}, [](auto& of) { return of.call.time_s; });
  table.add("loss", {"Loss (%)", Shown::percent}, [](auto& of) { return of.call.loss; });
  table.add("outside", {"Outside the fit", Shown::plain, 1},
            [](auto& of) { return text_cell(of.call.outside); });
  return table.take();
}

std::optional<double> prediction_error(const ChoiceCandidate& candidate) {
  if (!candidate.predicted_s || candidate.simulated->mean_s <= 0) return std::nullopt;
  return *candidate.predicted_s / candidate.simulated->mean_s - 1;
}

DocumentTable candidates_table(const ModelChoiceReport& report) {
  std::vector<CellCall<ChoiceCandidate>> rows;
  for (const auto& cell : report.cells)
    for (const auto& candidate : cell.candidates)
      if (candidate.simulated) rows.push_back({cell, candidate});
  TableOf table(rows,
                {.title = "All algorithms, simulated and predicted", .only_on_request = true});
  add_cell_columns(table);
  table.add("candidate", {"Algorithm"}, [](auto& of) { return of.call.name; });
  table.add("time_s", {"Simulated (us)", Shown::us},
            [](auto& of) { return of.call.simulated->mean_s; });
  table.add("repetitions", {"Runs", Shown::plain, 1},
            [](auto& of) { return of.call.simulated->repetitions; });
  table.add("half_width", [](auto& of) { return of.call.simulated->half_width; });
  table.add("predicted_s", {"Model (us)", Shown::us}, [](auto& of) { return of.call.predicted_s; });
  table.add("relative_error", {"Error (%)", Shown::signed_percent},
            [](auto& of) { return prediction_error(of.call); });
  table.add("formula_s", {"Formula (us)", Shown::us}, [](auto& of) { return of.call.formula_s; });
  table.add("outside", {"Outside the fit", Shown::plain, 2},
            [](auto& of) { return text_cell(of.call.outside); });
  return table.take();
}

constexpr Part<ModelChoiceReport> model_choice_parts[] = {
    {"choices", choices_table},
    {"losses", losses_table},
    {"summary", choice_summary_table},
    {"candidates", candidates_table},
    {.name = "points", .table = choice_points_table, .is_first = true}};

}  // namespace

Document model_choice_document(const ModelChoiceReport& report) {
  Document document{report, "sim.select.models/1"};
  document.about = {fmt::format("Algorithms chosen by models on {}, {} settings, engine flow",
                                report.provenance.platform_name(), report.cells.size())};
  document.about.insert(document.about.end(), report.about.begin(), report.about.end());
  add_not_run(document, report.run.not_run, "simulations", "comparison");
  document.tables = tables_of(model_choice_parts, report);
  document.plots = {{{"x", "message_bytes"},
                     {"y", "time_s"},
                     {"series", "chooser"},
                     {"facet", "collective,procs"},
                     {"log", "xy"},
                     {"title", "Times of the chosen algorithms"}}};
  return document;
}

std::vector<std::string> model_choice_warnings(const ModelChoiceReport& report) {
  std::size_t count = 0;
  std::string first;
  for (const auto& cell : report.cells)
    for (const auto& choice : studies::select::choices_in(cell))
      if (!choice.outside.empty() && count++ == 0)
        first = fmt::format("{}, {} processes, {}: {}", cell.collective, cell.procs,
                            format_bytes(cell.message_bytes), choice.outside);
  if (count == 0) return {};
  return {fmt::format(
      "in {} of {} settings the models were not fitted to the calls and extrapolate, first at {}",
      count, report.cells.size(), first)};
}

std::vector<std::string> model_choice_document_parts() { return names_of(model_choice_parts); }

}  // namespace tutti::reports
