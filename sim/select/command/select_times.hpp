// SPDX-License-Identifier: BSD-3-Clause
// Who times the cells of `sim select rules` and `evaluate`: simulations in children, or models.
#pragma once

#include "sim/select/command/select_request.hpp"
#include "sim/select/rule_study.hpp"

namespace tutti::commands {

struct SelectedTimes {
  std::vector<studies::select::SelectedCollective> collectives;  // with their rules
  std::vector<std::string> failed;
  std::size_t not_run = 0;
  int code = 0;
};

// Errors of a cell that cannot be, or not in the memory there is; before anything is simulated.
std::vector<Error> check_cells(const RulesRequest& request, const platforms::Machine& machine);

SelectedTimes time_cells(const RulesRequest& request, const platforms::Machine& machine,
                         const Diagnostics& diagnostics);

// A number of processes for which no placement has room.
std::optional<Error> without_room(const studies::select::CellAxes& axes,
                                  const platforms::Machine& machine);

// A call that does not fit the memory.
std::optional<Error> memory_error(const std::vector<std::optional<studies::Point>>& points,
                                  Bytes free_bytes);
// What a cell's calls need at most.
Bytes most_memory(const std::vector<std::optional<studies::Point>>& points);

}  // namespace tutti::commands
