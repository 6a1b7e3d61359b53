// SPDX-License-Identifier: BSD-3-Clause
// The times behind the rules of `sim select rules`: cells simulated in children, sizes refined.
#pragma once

#include "sim/commands/select_request.hpp"
#include "sim/reports/select/rules_report.hpp"

namespace tutti::commands {

struct SelectedTimes {
  std::vector<reports::SelectedCollective> collectives;  // with their rules; without cells: none
  std::vector<std::string> failed;
  std::size_t not_run = 0;
  int code = 0;
};

// Errors of a cell that cannot be, or not in the memory there is; before anything is simulated.
std::vector<Error> check_cells(const RulesRequest& request, const platforms::Machine& machine);

SelectedTimes simulate_cells(const RulesRequest& request, const platforms::Machine& machine,
                             const Diagnostics& diagnostics);

}  // namespace tutti::commands
