// SPDX-License-Identifier: BSD-3-Clause
// Table 4.2 of the dissertation: the improvement of a collective over that of a message, in closed
// form, with its misprints set right; and the signs, as printed and as they are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/validate/formula.hpp"
#include "sim/validate/improvement.hpp"

namespace tutti::studies {

struct TableRatio {
  std::string collective;
  std::string algorithm;   // Open MPI's name
  std::string printed_as;  // "chain"
  Affected affected = Affected::l;
  std::string printed_sign;  // "=", "<"; empty: blank, which means: any
  std::string true_sign;     // "=", "<", ">"; "<>": it depends
  std::string note;          // what is wrong in print, or what it depends on
  std::shared_ptr<const papers::Formula> formula;

  // The table knows one g: that of the message.
  double ratio(int procs, Bytes message_bytes, const ModelParameters& parameters) const;
  // Recursive doubling is counted on a power of two, neighbour exchange on an even number.
  bool holds_for(int procs) const;
};

// All 36, in the order of the table.
const std::vector<TableRatio>& table_4_2();
// Null: the table does not have the algorithm.
const TableRatio* table_4_2_row(std::string_view collective, std::string_view algorithm,
                                Affected affected);

}  // namespace tutti::studies
