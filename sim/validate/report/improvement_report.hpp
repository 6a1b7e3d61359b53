// SPDX-License-Identifier: BSD-3-Clause
// Gains of messages and of collectives, for people and programs.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/validate/improvement_summary.hpp"

namespace tutti::reports {

// Calls that the dissertation measured.
struct PublishedCalls {
  std::vector<studies::ImprovedCall> alltoall;   // Table 3.2
  std::vector<studies::ImprovedCall> broadcast;  // Table 4.4
  std::size_t change = 0;                        // Table 4.4's among those of the tuning
};

struct ImprovementReport : ReportHead {
  studies::MessageTuning tuning;
  std::vector<studies::ImprovedCall> calls;
  std::optional<PublishedCalls> published;
  std::vector<std::string> tried;  // "mpi/eager_limit = 1536B, 3KiB, ..."
  std::vector<std::string> notes;  // sentences of the head: what was set, what changes nothing
  std::size_t not_run = 0;
};

Document improvement_document(const ImprovementReport& report);
// The names of all tables that there may be.
std::vector<std::string> improvement_document_parts();

}  // namespace tutti::reports
