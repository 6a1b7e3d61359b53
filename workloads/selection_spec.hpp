// SPDX-License-Identifier: BSD-3-Clause
// Which MPI library, and with which settings, decides the algorithms of calls: --selection.
#pragma once

#include "algorithms/selection/selection.hpp"
#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::workloads {

// A list: first "auto", "auto:ompi-3.1" or "auto:rules=FILE", which may be left out (auto); then
// "hardware" (what the machine's network does by itself) and COLLECTIVE=ALGORITHM. The file of
// rules is read here; what Open MPI makes of it silently is added to `warnings`.
// Errors name --selection, or the file.
struct SelectionSpec {
  std::string text;  // as it was asked for
  std::shared_ptr<const algorithms::selection::Selection> selection;
  std::vector<std::string> warnings;
};
Result<SelectionSpec> parse_selection(std::string_view text, const platforms::Machine& machine);

}  // namespace tutti::workloads
