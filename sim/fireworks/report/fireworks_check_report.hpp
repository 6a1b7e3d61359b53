// SPDX-License-Identifier: BSD-3-Clause
// Whether predictions order random node sets as the simulation does: `sim fireworks check`.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sim/fireworks/cost_model.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

struct CheckedNodeSet {
  std::vector<int> procs_of_node;
  std::array<std::optional<Seconds>, studies::fireworks::form_names.size()> expected_s = {};
  Seconds simulated_s = 0;
};

struct FireworksCheckReport : ReportHead {
  std::string form;  // that `sim fireworks predict` takes, or that alone was asked for
  bool form_is_best = true;
  double clearly = 0;
  std::vector<CheckedNodeSet> sets;
  std::size_t not_run = 0;
};

Document fireworks_check_document(const FireworksCheckReport& report);
std::vector<std::string> fireworks_check_document_parts();

}  // namespace tutti::reports
