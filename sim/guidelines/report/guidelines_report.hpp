// SPDX-License-Identifier: BSD-3-Clause
// Which performance guidelines hold, for people and programs.
#pragma once

#include <string>
#include <vector>

#include "sim/guidelines/comparison.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

struct GuidelinesReport : ReportHead {
  Bytes element_bytes = 1;
  std::vector<std::string> measured = {};  // the files of measured times; none: simulated
  std::vector<std::string> left_out = {};  // of them: sentences
  std::string selection;                   // as asked for
  std::string noise;                       // empty: none
  studies::guidelines::Measuring measuring;
  studies::guidelines::Settlings settlings;  // where repetitions are estimated
  studies::guidelines::Thresholds thresholds;
  std::vector<studies::guidelines::Setting> settings;
  std::size_t not_run = 0;
};

Document guidelines_document(const GuidelinesReport& report);
// "alltoall default is skipped from 64 B on: why", for what was not run.
std::vector<std::string> skipped_in(const std::vector<studies::guidelines::Setting>& settings);
// The names of its tables.
std::vector<std::string> guidelines_document_parts();

}  // namespace tutti::reports
