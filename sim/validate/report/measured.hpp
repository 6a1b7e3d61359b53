// SPDX-License-Identifier: BSD-3-Clause
// The scoreboard of `sim validate measured`: predictions beside measured collectives.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/validate/scoreboard.hpp"

namespace tutti::reports {

struct MeasuredReport : ReportHead {
  std::vector<studies::ScoredTime> times;
  std::vector<studies::MeasuredCollective> others;  // of algorithms that Tutti does not have
  std::string benchmark;                            // empty: the bare call
};

// Errors are (predicted - measured) / measured.
Document measured_document(const MeasuredReport& report);
// The names of its tables.
std::vector<std::string> measured_document_parts();

}  // namespace tutti::reports
