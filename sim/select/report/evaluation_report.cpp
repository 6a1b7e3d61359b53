// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/report/evaluation_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/base/counted.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::reports {
namespace {

using studies::select::EvaluatedCell;
using studies::select::loss_of;

constexpr std::size_t most_worst = 10;

std::optional<double> loss_in(const EvaluatedCell& cell, Seconds time_s) {
  if (!cell.best_s) return std::nullopt;
  return loss_of(time_s, *cell.best_s);
}

Cell if_any_number(int value) { return value > 0 ? Cell(std::int64_t{value}) : Cell(); }
Cell if_any(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }

std::vector<Cell> row_of(const EvaluatedCell& each) {
  const auto& cell = each.cell;
  return {cell.collective,
          std::int64_t{cell.placement.procs},
          std::int64_t{each.nodes},
          std::int64_t{each.ppn},
          studies::map_name(cell.placement),
          cell.message_bytes,
          cell.element_bytes,
          each.choice.algorithm,
          each.choice.segment_bytes,
          if_any_number(each.choice.fanout),
          if_any_number(each.line),
          each.time_s,
          each.own.algorithm,
          each.own.segment_bytes,
          each.own_s,
          each.above_own(),
          each.best_s ? Cell(each.best.algorithm) : Cell(),
          each.best_s ? Cell(each.best.segment_bytes) : Cell(),
          if_any_number(each.best.fanout),
          if_any(each.best_s),
          if_any(loss_in(each, each.time_s)),
          if_any(loss_in(each, each.own_s))};
}

Table table_of(const std::vector<const EvaluatedCell*>& cells) {
  Table table{{"collective",
               "procs",
               "nodes",
               "ppn",
               "map",
               "message_bytes",
               "element_bytes",
               "algorithm",
               "segment_bytes",
               "fanout",
               "rules_line",
               "time_s",
               "own_algorithm",
               "own_segment_bytes",
               "own_time_s",
               "above_own",
               "best_algorithm",
               "best_segment_bytes",
               "best_fanout",
               "best_time_s",
               "loss",
               "own_loss"},
              {}};
  for (const auto* each : cells) table.rows.push_back(row_of(*each));
  return table;
}

std::vector<ShownColumn> shown_cells(const std::vector<EvaluatedCell>& cells, bool has_best) {
  std::vector<ShownColumn> shown{{"collective", "Collective"},
                                 {"procs", "Procs"},
                                 {"ppn", "PPN"},
                                 {"message_bytes", "Size", Shown::bytes},
                                 {"element_bytes", "Element"},
                                 {"algorithm", "By the rules", Shown::name},
                                 {"time_s", "us", Shown::microseconds},
                                 {"above_own", "To own %", Shown::signed_percent}};
  const auto map_of = [](const EvaluatedCell& cell) {
    return studies::map_name(cell.cell.placement);
  };
  if (std::ranges::any_of(cells,
                          [&](const auto& each) { return map_of(each) != map_of(cells[0]); }))
    shown.insert(shown.begin() + 3, {"map", "Map"});
  if (has_best) shown.push_back({"loss", "To best %", Shown::percent});
  return shown;
}

struct Sums {
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
    loss += loss_of(cell.time_s, *cell.best_s);
    most_loss = std::max(most_loss, loss_of(cell.time_s, *cell.best_s));
    own_loss += loss_of(cell.own_s, *cell.best_s);
    most_own_loss = std::max(most_own_loss, loss_of(cell.own_s, *cell.best_s));
  }
};

Table summary_of(const EvaluationReport& report) {
  std::map<std::string, Sums> of_collective;
  for (const auto& cell : report.cells)
    of_collective[cell.cell.collective].add(cell, report.tolerance);
  Table table{{"collective", "cells", "decided", "slower", "mean_above_own", "max_above_own",
               "mean_loss", "max_loss", "own_mean_loss", "own_max_loss"},
              {}};
  for (const auto& [name, sums] : of_collective) {
    const auto count = static_cast<double>(sums.cells);
    const auto against_best = [&](double value) { return sums.has_best ? Cell(value) : Cell(); };
    table.rows.push_back({name, sums.cells, sums.decided, sums.slower, sums.above_own / count,
                          sums.most_above_own, against_best(sums.loss / count),
                          against_best(sums.most_loss), against_best(sums.own_loss / count),
                          against_best(sums.most_own_loss)});
  }
  return table;
}

DocumentTable summary_table(const EvaluationReport& report, bool has_best) {
  DocumentTable shown{.name = "summary",
                      .title = "What the file makes of the collectives",
                      .table = summary_of(report),
                      .shown = {{"collective", "Collective"},
                                {"cells", "Cells"},
                                {"decided", "By rules"},
                                {"slower", "Slower"},
                                {"mean_above_own", "To own: mean %", Shown::signed_percent},
                                {"max_above_own", "Max %", Shown::signed_percent}},
                      .group_by = {},
                      .notes = {fmt::format(
                          "Own: Open MPI 4.1's fixed rules. Slower: than own by more than {:.4g} %",
                          report.tolerance * 100)}};
  if (!has_best) return shown;
  shown.shown.insert(shown.shown.end(), {{"mean_loss", "To best: mean %", Shown::percent, 1},
                                         {"max_loss", "Max %", Shown::percent, 2},
                                         {"own_mean_loss", "Own mean %", Shown::percent, 3},
                                         {"own_max_loss", "Own max %", Shown::percent, 4}});
  return shown;
}

// Against the library's own choice first.
std::vector<const EvaluatedCell*> worst_of(const std::vector<const EvaluatedCell*>& cells) {
  auto worst = cells;
  std::ranges::stable_sort(worst, std::ranges::greater(),
                           [](const EvaluatedCell* cell) { return cell->above_own(); });
  worst.resize(std::min(worst.size(), most_worst));
  return worst;
}

}  // namespace

Document evaluation_document(const EvaluationReport& report) {
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.select.evaluate/1";
  document.about = {fmt::format("Rules of {} on {}, against Open MPI 4.1's own choice{}",
                                report.file, report.provenance.platform_name,
                                report.noise.empty() ? "" : ", with noise " + report.noise)};
  if (report.too_large > 0)
    document.about.push_back(fmt::format("{} cells of more than {} million messages are skipped",
                                         report.too_large,
                                         studies::select::most_messages / 1'000'000));
  if (report.without_room > 0)
    document.about.push_back(
        fmt::format("skipped, the machine has no room: {} of processes and placement",
                    counted(report.without_room, "combination")));
  std::vector<const EvaluatedCell*> cells;
  for (const auto& each : report.cells) cells.push_back(&each);
  const bool has_best = std::ranges::any_of(
      report.cells, [](const EvaluatedCell& cell) { return cell.best_s.has_value(); });
  document.tables = {{.name = "cells",
                      .title = "All cells",
                      .table = table_of(cells),
                      .shown = shown_cells(report.cells, has_best),
                      .only_on_request = true},
                     summary_table(report, has_best),
                     {.name = "worst",
                      .title = "The cells that are worst against Open MPI's own choice",
                      .table = table_of(worst_of(cells)),
                      .shown = shown_cells(report.cells, has_best)}};
  return document;
}

std::vector<std::string> evaluation_document_parts() { return {"cells", "summary", "worst"}; }

}  // namespace tutti::reports
