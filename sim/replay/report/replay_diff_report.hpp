// SPDX-License-Identifier: BSD-3-Clause
// Two traces side by side: `sim replay diff`.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/replay/trace_diff.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

struct ReplayDiffReport : ReportHead {
  struct Side {
    std::string trace;               // its path
    std::vector<std::string> notes;  // of the trace
  };
  std::array<Side, 2> sides;
};

Document replay_diff_document(const ReplayDiffReport& report, const studies::replay::DiffSide& a,
                              const studies::replay::DiffSide& b);
std::vector<std::string> replay_diff_document_parts();

}  // namespace tutti::reports
