// SPDX-License-Identifier: BSD-3-Clause
// Saved outputs of benchmarks: any text is a table or errors, and labels of a launcher in front of
// the lines do not change the reading.
#include <cmath>

#include "sim/fit/collective_table.hpp"
#include "sim/reports/tables/readers.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace tutti;
using fuzz::explained;
using fuzz::must;

namespace {

void interpret(const Table& table) {
  for (const auto& row : table.rows)
    for (const Cell& cell : row)
      if (const double* number = std::get_if<double>(&cell))
        must(std::isfinite(*number), "numbers are finite");
  if (const auto pairs = studies::pair_measurements(table); explained(pairs))
    for (const auto& each : pairs->found) must(each.time_s > 0, "times are positive");
  const auto measured = studies::measured_collectives(table, studies::UnknownAlgorithms::are_kept,
                                                      {.procs = 16, .ppn = 4, .algorithm = "auto"});
  if (explained(measured))
    for (const auto& each : measured->found)
      must(each.time_s > 0 && each.procs > 0 && each.ppn > 0 && each.message_bytes >= 0,
           "what is measured is real");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const auto file = reports::read_benchmarks(text, "saved");
  if (explained(file)) {
    interpret(file->table);
    must(file->table.lines.size() == file->table.rows.size(), "rows have lines");
  }
  if (const auto any = reports::read_result_text(text, "saved"); explained(any))
    must(!any->table.rows.empty(), "a file that is read has rows");
  return 0;
}
