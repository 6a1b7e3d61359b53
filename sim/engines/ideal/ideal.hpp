// SPDX-License-Identifier: BSD-3-Clause
// The untimed engine: delivers messages, moves contents, finds deadlocks and leftovers.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/engines/ideal/symbolic_memory.hpp"

namespace tutti::engines {

// The contents of the ranks' buffers before the job, and the expected contents after it.
struct DataCheck {
  std::vector<Filled> initial;
  std::vector<Filled> expected;
  Order order = Order::any;  // of the operands in `expected`
  // The check ends, without a result, if it would copy more pieces and contributions.
  std::int64_t most_work = std::numeric_limits<std::int64_t>::max();
};

// Runs the job without time. Deviations from `check` are among the Outcome's problems. The
// machine's eager limits determine which sends wait for their receives.
Outcome run_ideal(const Job& job, const DataCheck& check = {});

}  // namespace tutti::engines
