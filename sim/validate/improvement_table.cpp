// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/improvement_table.hpp"

#include <bit>

#include "sim/base/check.hpp"
#include "sim/studies/papers/printed_tables.hpp"

namespace tutti::studies {
namespace {

using papers::text_in;

papers::Variables variables(int procs, Bytes message_bytes, const ModelParameters& p) {
  return {{"P", static_cast<double>(procs)},
          {"m", static_cast<double>(message_bytes)},
          {"l", p.hockney.l_s},
          {"b", p.hockney.b_Bps},
          {"L", p.loggp.L_s},
          {"o", p.loggp.o_s},
          {"g", p.loggp.g_s(message_bytes)},
          {"G", p.loggp.G_s_per_B}};
}

Affected affected_in(const std::string& letter) {
  for (const Affected affected : all_affected)
    if (name_of(affected).ends_with("(" + letter + ")")) return affected;
  TUTTI_CHECK(false, "no parameter " + letter);
  return Affected::l;
}

std::string note_on_sign(const TableRatio& row) {
  if (row.printed_sign == row.true_sign || row.true_sign == "<>") return {};
  return row.printed_sign.empty() ? "blank in print: any" : "the printed sign is wrong";
}

TableRatio row_of(const Table& table, std::size_t number) {
  const auto text = [&](const char* column) { return text_in(table, number, column); };
  const std::string formula = text("right").empty() ? text("ratio") : text("right");
  TableRatio row{.collective = text("collective"),
                 // Open MPI's chain has several lines; the printed one is its pipeline.
                 .algorithm = text("algorithm") == "chain" ? "pipeline" : text("algorithm"),
                 .printed_as = text("algorithm"),
                 .affected = affected_in(text("affected")),
                 .printed_sign = text("sign"),
                 .true_sign = text("true_sign"),
                 .note = {},
                 .formula = std::make_shared<const papers::Formula>(formula, variables(1, 1, {}))};
  row.note = note_on_sign(row);
  if (const std::string note = text("note"); !note.empty())
    row.note += (row.note.empty() ? "" : "; ") + note;
  return row;
}

std::vector<TableRatio> all_rows() {
  const Table table = papers::printed_toml("jha_table4_2", "rows");
  std::vector<TableRatio> rows;
  for (std::size_t number = 0; number < table.rows.size(); ++number)
    rows.push_back(row_of(table, number));
  return rows;
}

}  // namespace

double TableRatio::ratio(int procs, Bytes message_bytes, const ModelParameters& parameters) const {
  return (*formula)(variables(procs, message_bytes, parameters));
}

bool TableRatio::holds_for(int procs) const {
  if (algorithm == "recursive_doubling") return std::has_single_bit(unsigned(procs));
  return algorithm != "neighbor" || procs % 2 == 0;
}

const std::vector<TableRatio>& table_4_2() {
  static const std::vector<TableRatio> rows = all_rows();
  return rows;
}

const TableRatio* table_4_2_row(std::string_view collective, std::string_view algorithm,
                                Affected affected) {
  for (const auto& row : table_4_2())
    if (row.collective == collective && row.algorithm == algorithm && row.affected == affected)
      return &row;
  return nullptr;
}

}  // namespace tutti::studies
