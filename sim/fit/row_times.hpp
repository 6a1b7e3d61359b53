// SPDX-License-Identifier: BSD-3-Clause
// Simulated times of many measured collectives at once, in several processes.
#pragma once

#include <vector>

#include "platforms/machine.hpp"
#include "sim/fit/collective_table.hpp"

namespace tutti::studies {

struct RowSimulation {
  const MeasuredCollective* measured = nullptr;
  const platforms::Machine* machine = nullptr;
};

// In their order, in s. Few of them are simulated in this process. Errors: what cannot be
// simulated, what takes no time, an interrupt.
Result<std::vector<Seconds>> simulated_times(const std::vector<RowSimulation>& rows, int jobs);

}  // namespace tutti::studies
