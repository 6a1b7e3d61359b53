// SPDX-License-Identifier: BSD-3-Clause
// What `sim guidelines tune` chose, and what it brings: default, tuned by profiles, and tuned by
// parameters side by side (PGMPITuneLib's paper, Figures 4 to 6).
#pragma once

#include "sim/base/common.hpp"
#include "sim/guidelines/tuning.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

struct GuidelinesTuneReport : ReportHead, studies::guidelines::TuningFound {
  std::string selection;  // as asked for
  int runs = 1;
  studies::guidelines::Thresholds thresholds;
  std::vector<std::string> files;  // of the profiles
};

Document guidelines_tune_document(const GuidelinesTuneReport& report);
std::vector<std::string> guidelines_tune_document_parts();

}  // namespace tutti::reports
