// SPDX-License-Identifier: BSD-3-Clause
// What would be worth changing in a traced program: `sim replay suggest`.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/suggest.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

struct ReplaySuggestReport : ReportHead {
  std::string trace;               // its path
  std::string model;               // "recorded", "loggp", "platform NAME, ..."
  bool has_times = true;           // of the trace itself
  std::vector<std::string> notes;  // of the trace
  std::string written;             // the file of all steps as a hypothesis; empty: none
};

Document replay_suggest_document(const ReplaySuggestReport& report,
                                 const workloads::traces::TraceDefinitions& definitions,
                                 const studies::replay::Suggestions& suggestions);
std::vector<std::string> replay_suggest_document_parts();

}  // namespace tutti::reports
