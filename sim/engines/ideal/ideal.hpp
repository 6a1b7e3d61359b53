// SPDX-License-Identifier: BSD-3-Clause
// The untimed engine: delivers messages, moves contents, finds deadlocks and leftovers.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/engines/ideal/symbolic_memory.hpp"

namespace tutti::engines {

// What the ranks' buffers hold before the job, and must hold after it.
struct DataCheck {
  std::vector<Filled> initial;
  std::vector<Filled> expected;
  Order order = Order::any;  // of the operands of what is expected
};

// Runs the job without time: Outcome::end_s is empty. What does not hold of `check` is among the
// Outcome's problems. The machine's eager limits decide which sends wait for their receives.
Outcome run_ideal(const Job& job, const DataCheck& check = {});

}  // namespace tutti::engines
