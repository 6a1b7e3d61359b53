// SPDX-License-Identifier: BSD-3-Clause
// A collective on the ideal engine, which proves where the data arrive.
#pragma once

#include <string>
#include <vector>

#include "algorithms/collective.hpp"
#include "sim/engines/ideal/ideal.hpp"
#include "tests/support/test_machine.hpp"

namespace tutti::tests {

// All messages wait for their receives: whatever can deadlock does.
inline platforms::Machine rendezvous_machine(platforms::HostId hosts) {
  platforms::Machine machine = test_machine(hosts);
  machine.inter.eager_max = machine.inter.detached_max = -1;
  return machine;
}

inline std::vector<std::string> problems_of(const algorithms::Algorithm& algorithm,
                                            const platforms::Machine& machine, int procs,
                                            const algorithms::CollectiveArgs& args,
                                            const engines::DataCheck& check) {
  const auto placement = test_placement(procs);
  return engines::run_ideal(
             {.machine = machine,
              .placement = placement,
              .program = [&](runtime::Rank& me) { return algorithm.program(me, args); }},
             check)
      .problems;
}

}  // namespace tutti::tests
