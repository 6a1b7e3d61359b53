// SPDX-License-Identifier: BSD-3-Clause
// The report of `sim explain`.
#pragma once

#include "sim/base/common.hpp"
#include "sim/explain/explain.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

struct ExplainReport : ReportHead, studies::explain::Comparisons {
  std::string collective;
  studies::explain::Rules rules;
  bool with_path = false;  // the answers contain critical paths
  const platforms::Machine* machine = nullptr;
};

Document explain_document(const ExplainReport& report);
std::vector<std::string> explain_document_parts();

}  // namespace tutti::reports
