// SPDX-License-Identifier: BSD-3-Clause
// What `sim select evaluate` reports of a rules file.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/select/evaluation.hpp"

namespace tutti::reports {

struct EvaluationReport : ReportHead {
  std::string file;
  std::vector<studies::select::EvaluatedCell> cells;  // each collective's together
  double tolerance = 0.05;                            // slower by more counts as slower
  std::size_t too_large = 0;                          // cells of too many messages
  std::size_t without_room = 0;                       // placements of a number of processes
  std::string noise;                                  // empty: none
};

Document evaluation_document(const EvaluationReport& report);
std::vector<std::string> evaluation_document_parts();

}  // namespace tutti::reports
