// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/run_point.hpp"
#include "sim/select/report/reports.hpp"

namespace tutti::reports {
namespace {

using studies::select::EvaluatedCell;
using studies::select::relative_loss;

constexpr std::size_t most_worst = 10;

std::optional<double> loss_in(const EvaluatedCell& cell, Seconds time_s) {
  if (!cell.best_s) return std::nullopt;
  return relative_loss(time_s, *cell.best_s);
}

std::string map_text(const EvaluatedCell& cell) { return jobs::map_name(cell.cell.placement); }

bool several_maps(const EvaluationReport& report) {
  return std::ranges::any_of(report.cells, [&](const EvaluatedCell& cell) {
    return map_text(cell) != map_text(report.cells.front());
  });
}

bool has_best(const EvaluationReport& report) {
  return std::ranges::any_of(report.cells, [](auto& cell) { return cell.best_s.has_value(); });
}

using CellPointers = std::vector<const EvaluatedCell*>;

DocumentTable cell_table(const EvaluationReport& report, CellPointers cells, DocumentTable head) {
  TableOf table(std::move(cells), std::move(head));
  table.add("collective", {"Collective"}, [](auto& of) { return of.cell.collective; });
  table.add("procs", {"Procs"}, [](auto& of) { return of.cell.placement.procs; });
  table.add("nodes", &EvaluatedCell::nodes);
  table.add("ppn", {"PPN"}, &EvaluatedCell::ppn);
  table.add("map", shown_if(several_maps(report), {"Map"}), map_text);
  table.add("message_bytes", {"Size", Shown::bytes},
            [](auto& of) { return of.cell.message_bytes; });
  table.add("element_bytes", {"Element"}, [](auto& of) { return of.cell.element_bytes; });
  table.add("algorithm", {"Rules' choice", Shown::name},
            [](auto& of) { return of.choice.algorithm; });
  table.add("segment_bytes", [](auto& of) { return of.choice.segment_bytes; });
  table.add("fanout", [](auto& of) { return positive_cell(of.choice.fanout); });
  table.add("rules_line", [](auto& of) { return positive_cell(of.line); });
  table.add("time_s", {"Time (us)", Shown::us}, &EvaluatedCell::time_s);
  table.add("own_algorithm", [](auto& of) { return of.own.algorithm; });
  table.add("own_segment_bytes", [](auto& of) { return of.own.segment_bytes; });
  table.add("own_time_s", &EvaluatedCell::own_s);
  table.add("above_own", {"vs. own (%)", Shown::signed_percent}, &EvaluatedCell::above_own);
  table.add("best_algorithm",
            [](auto& of) { return of.best_s ? Cell(of.best.algorithm) : Cell(); });
  table.add("best_segment_bytes",
            [](auto& of) { return of.best_s ? Cell(of.best.segment_bytes) : Cell(); });
  table.add("best_fanout", [](auto& of) { return positive_cell(of.best.fanout); });
  table.add("best_time_s", &EvaluatedCell::best_s);
  table.add("loss", shown_if(has_best(report), {"vs. best (%)", Shown::percent}),
            [](auto& of) { return loss_in(of, of.time_s); });
  table.add("own_loss", [](auto& of) { return loss_in(of, of.own_s); });
  return table.take();
}

CellPointers pointers_to(const std::vector<EvaluatedCell>& cells) {
  CellPointers pointers;
  for (const auto& cell : cells) pointers.push_back(&cell);
  return pointers;
}

DocumentTable cells_table(const EvaluationReport& report) {
  return cell_table(report, pointers_to(report.cells),
                    {.title = "All cells", .only_on_request = true});
}

struct Sums {
  std::string collective;
  std::int64_t cells = 0, decided = 0, slower = 0;
  double above_own = 0, most_above_own = -1, loss = 0, most_loss = 0, own_loss = 0,
         most_own_loss = 0;
  bool has_best = false;

  void add(const EvaluatedCell& cell, double tolerance) {
    ++cells;
    decided += cell.line > 0;
    slower += cell.above_own() > tolerance;
    above_own += cell.above_own();
    most_above_own = std::max(most_above_own, cell.above_own());
    if (!cell.best_s) return;
    has_best = true;
    loss += relative_loss(cell.time_s, *cell.best_s);
    most_loss = std::max(most_loss, relative_loss(cell.time_s, *cell.best_s));
    own_loss += relative_loss(cell.own_s, *cell.best_s);
    most_own_loss = std::max(most_own_loss, relative_loss(cell.own_s, *cell.best_s));
  }

  double mean(double sum) const { return sum / static_cast<double>(cells); }
  Cell against_best(double value) const { return has_best ? Cell(value) : Cell(); }
};

std::vector<Sums> sum_cells(const EvaluationReport& report) {
  std::map<std::string, Sums> of_collective;
  for (const auto& cell : report.cells)
    of_collective[cell.cell.collective].add(cell, report.tolerance);
  std::vector<Sums> all;
  for (auto& [name, sums] : of_collective) all.emplace_back(std::move(sums)).collective = name;
  return all;
}

DocumentTable summary_table(const EvaluationReport& report) {
  TableOf table(sum_cells(report),
                {.title = "Summary by collective, differences in percent",
                 .notes = {fmt::format(
                     "own: {}'s own choice; Slower: cells slower than own by more than {:.4g} %",
                     library_title(report.library), report.tolerance * 100)}});
  const bool known = has_best(report);
  table.add("collective", {"Collective"}, &Sums::collective);
  table.add("cells", {"Cells"}, &Sums::cells);
  table.add("decided", {"By rules"}, &Sums::decided);
  table.add("slower", {"Slower"}, &Sums::slower);
  table.add("mean_above_own", {"vs. own: mean", Shown::signed_percent},
            [](auto& of) { return of.mean(of.above_own); });
  table.add("max_above_own", {"max", Shown::signed_percent}, &Sums::most_above_own);
  table.add("mean_loss", shown_if(known, {"vs. best: mean", Shown::percent, 1}),
            [](auto& of) { return of.against_best(of.mean(of.loss)); });
  table.add("max_loss", shown_if(known, {"max", Shown::percent, 2}),
            [](auto& of) { return of.against_best(of.most_loss); });
  table.add("own_mean_loss", shown_if(known, {"own: mean", Shown::percent, 3}),
            [](auto& of) { return of.against_best(of.mean(of.own_loss)); });
  table.add("own_max_loss", shown_if(known, {"own: max", Shown::percent, 4}),
            [](auto& of) { return of.against_best(of.most_own_loss); });
  return table.take();
}

// Sorted by the loss against the library's own choice.
DocumentTable worst_table(const EvaluationReport& report) {
  auto worst = pointers_to(report.cells);
  std::ranges::stable_sort(worst, std::ranges::greater(),
                           [](const EvaluatedCell* cell) { return cell->above_own(); });
  worst.resize(std::min(worst.size(), most_worst));
  return cell_table(report, std::move(worst),
                    {.title = "Worst cells compared with Open MPI's own choice"});
}

constexpr Part<EvaluationReport> evaluation_parts[] = {
    {"cells", cells_table}, {"summary", summary_table}, {"worst", worst_table}};

}  // namespace

Document evaluation_document(const EvaluationReport& report) {
  Document document{report, "sim.select.evaluate/1"};
  document.about = {fmt::format("Rules of {} on {}, compared with {}'s own choice{}", report.file,
                                report.provenance.platform_name(), library_title(report.library),
                                report.noise.empty() ? "" : ", with noise " + report.noise)};
  if (report.too_large > 0)
    document.about.push_back(fmt::format("{} cells of more than {} million messages are skipped",
                                         report.too_large,
                                         studies::select::most_messages / 1'000'000));
  if (report.unplaceable > 0)
    document.about.push_back(
        fmt::format("skipped, too large for the machine: {} of processes and placement",
                    counted(report.unplaceable, "combination")));
  document.tables = tables_of(evaluation_parts, report);
  return document;
}

std::vector<std::string> evaluation_document_parts() { return names_of(evaluation_parts); }

}  // namespace tutti::reports
