// SPDX-License-Identifier: BSD-3-Clause
// What `sim tune --each` tells: objectives tuned one by one, and how the searches do on all of
// them.
#pragma once

#include "sim/base/common.hpp"
#include "sim/tune/report/tune_report.hpp"

namespace tutti::reports {

struct TuneEachReport : ReportHead {
  std::string name;
  std::string description;
  std::vector<std::string> remarks;
  std::vector<studies::tuning::TunedObjective> objectives;
};

Document tune_each_document(const TuneEachReport& report);
std::vector<std::string> tune_each_document_parts();

}  // namespace tutti::reports
