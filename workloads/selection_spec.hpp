// SPDX-License-Identifier: BSD-3-Clause
// Which MPI library, with which settings, chooses the algorithms of calls: --selection.
#pragma once

#include "algorithms/selection/selection.hpp"
#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::workloads {

// A list: first "auto", "auto:ompi-3.1" or "auto:rules=FILE" (optional, default: auto), then
// "hardware" (the collectives that the machine's network supports) and COLLECTIVE=ALGORITHM.
// parse_selection reads the rules file; `warnings` reports where Open MPI silently deviates from
// it. Errors name --selection or the file.
struct SelectionSpec {
  std::string text;  // as given on the command line
  std::shared_ptr<const algorithms::selection::Selection> selection;
  std::vector<std::string> warnings;
};
Result<SelectionSpec> parse_selection(std::string_view text, const platforms::Machine& machine);

}  // namespace tutti::workloads
