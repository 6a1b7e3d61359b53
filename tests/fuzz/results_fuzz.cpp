// SPDX-License-Identifier: BSD-3-Clause
// Results and measurements: any text is a table (CSV, JSON, JSONL, OSU, IMB, NetPIPE, Netgauge,
// ReproMPI), or errors. The results of `sim fit` and `sim compare` from a table are finite, or
// errors; its pictures and page are completed.
#include <cmath>

#include "sim/fit/collective_table.hpp"
#include "sim/fit/sharing.hpp"
#include "sim/fit/storage_rows.hpp"
#include "sim/params/report/reports.hpp"
#include "sim/reports/compare/comparison.hpp"
#include "sim/reports/page/report_page.hpp"
#include "sim/reports/plots/drawing.hpp"
#include "sim/reports/tables/result_file.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace tutti;
using fuzz::explained;
using fuzz::must;

namespace {

void must_be_whole(const Table& table) {
  for (const auto& row : table.rows) {
    must(row.size() <= table.columns.size(), "a row has at most one cell per column");
    for (const Cell& cell : row)
      if (const double* number = std::get_if<double>(&cell))
        must(std::isfinite(*number), "numbers are finite");
  }
}

void fit(const Table& table) {
  explained(studies::pair_measurements(table));
  if (const auto measured = studies::measured_collectives(table); explained(measured))
    for (const auto& each : measured->found)
      must(each.time_s > 0 && each.procs > 0 && each.message_bytes >= 0,
           "what is measured is real");
  explained(studies::shared_times(table));
  if (const auto rows = studies::storage_measurements(table); explained(rows))
    for (const auto& each : rows->found)
      must(each.procs > 0 && each.transfer_bytes > 0 && each.Bps > 0, "a storage has a bandwidth");
}

// Compared with itself, all rows match.
void compare(const reports::ResultFile& file) {
  const auto comparison = reports::compare(file, file, {});
  if (!explained(comparison)) return;
  reports::comparison_text(*comparison);
  reports::comparison_csv(*comparison);
  reports::comparison_json(*comparison);
}

void picture(const reports::ResultFile& file) {
  const auto grid = reports::grid_of(file, {});
  if (explained(grid)) {
    if (const auto lines = reports::lines_picture(*grid, "", std::nullopt); explained(lines))
      must(!reports::draw(*lines).specification.empty(), "a line plot has a specification");
    if (const auto winners = reports::winner_picture(*grid, ""); explained(winners))
      must(!reports::draw(*winners).specification.empty(), "a map has a specification");
  }
  explained(reports::report_page({{.file = file}}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const auto file = reports::read_result_text(text, "results");
  if (explained(file)) {
    must_be_whole(file->table);
    for (const auto& beside : file->tables) must_be_whole(beside.table);
    fit(file->table);
    compare(*file);
    picture(*file);
  }
  explained(reports::read_sets_json(text, "sets.jsonl"));
  return 0;
}
