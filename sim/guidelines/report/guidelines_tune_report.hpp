// SPDX-License-Identifier: BSD-3-Clause
// What `sim guidelines tune` chose, and what it brings: default, tuned by profiles, and tuned by
// parameters side by side (PGMPITuneLib's paper, Figures 4 to 6).
#pragma once

#include "sim/base/common.hpp"
#include "sim/guidelines/tuning.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

struct TunedSetting {
  Seconds default_s = 0;  // medians over the runs
  Seconds tuned_s = 0;
  const algorithms::guidelines::Mockup* mockup = nullptr;  // null: not replaced
  std::string tuned_runs_as;
  std::optional<Seconds> parameters_s;  // the fastest of Open MPI's algorithms
  std::string parameters;               // "chain, fan-out 4, segments 8 KiB"
};

struct GuidelinesTuneReport : ReportHead {
  std::string selection;  // as asked for
  int runs = 1;
  int rounds = 0;  // of simulations with profiles
  studies::guidelines::Thresholds thresholds;
  studies::guidelines::BufferLimits limits;
  std::vector<studies::guidelines::Setting> settings;  // without profiles
  std::vector<TunedSetting> tuned;                     // of each setting
  std::vector<studies::guidelines::LeftOut> left_out;
  int too_large = 0;                   // parameters that would take too many messages
  std::vector<std::string> files;      // of the profiles
  std::vector<std::string> remaining;  // violations after tuning
};

Document guidelines_tune_document(const GuidelinesTuneReport& report);
std::vector<std::string> guidelines_tune_document_parts();

}  // namespace tutti::reports
