// SPDX-License-Identifier: BSD-3-Clause
// Gains of messages and of collectives, for people and programs.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/validate/improvement_plan.hpp"

namespace tutti::reports {

struct ImprovementReport : ReportHead {
  studies::MessageTuning tuning;
  std::vector<studies::ImprovedCall> calls;
  std::optional<studies::PublishedCalls> published;
  std::vector<std::string> tried;  // "mpi/eager_limit = 1536B, 3KiB, ..."
  std::vector<std::string> notes;  // sentences of the head: what was set, what changes nothing
  std::size_t not_run = 0;
};

Document improvement_document(const ImprovementReport& report);
// The names of all tables that there may be.
std::vector<std::string> improvement_document_parts();

}  // namespace tutti::reports
