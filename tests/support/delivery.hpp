// SPDX-License-Identifier: BSD-3-Clause
// Runs a collective on the ideal engine, to verify its contract (workloads/delivery_contract.hpp)
// without a deadlock or leftover messages.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/delivery_calls.hpp"
#include "tests/support/plain_algorithms.hpp"
#include "tests/support/test_machine.hpp"
#include "workloads/delivery_contract.hpp"

namespace tutti::tests {

// All messages wait for their receives, so every possible deadlock occurs.
inline platforms::Machine rendezvous_machine(platforms::HostId hosts) {
  platforms::Machine machine = test_machine(hosts);
  machine.inter.eager_max = machine.inter.detached_max = -1;
  return machine;
}

inline std::vector<std::string> problems_of(const algorithms::Algorithm& algorithm,
                                            std::string_view collective,
                                            const platforms::Machine& machine, int procs,
                                            const algorithms::CollectiveArgs& args) {
  const auto placement = test_placement(procs);
  return engines::run_ideal(
             {.machine = machine,
              .placement = placement,
              .program = [&](runtime::Rank& me) { return algorithm.program(me, args); }},
             workloads::delivery_contract(collective, procs, args))
      .problems;
}

// The machines of these tests: every message waits for its receive, or short messages are eager.
struct DeliveryMachines {
  platforms::Machine rendezvous = rendezvous_machine(most_procs);
  platforms::Machine eager = test_machine(most_procs);

  static constexpr int most_procs = 129;
};

inline void check_delivery(const algorithms::Algorithm& algorithm, const DeliveryMachines& machines,
                           const DeliveryCall& call) {
  const platforms::Machine& machine = call.eager ? machines.eager : machines.rendezvous;
  const auto problems = call.with_args([&](const algorithms::CollectiveArgs& args) {
    return problems_of(algorithm, algorithm.collective, machine, call.procs, args);
  });
  if (problems.empty()) return;
  CAPTURE(algorithm.collective);
  CAPTURE(algorithm.name);
  CAPTURE(call.procs);
  CAPTURE(call.root);
  CAPTURE(call.elements);
  CAPTURE(call.element_bytes());
  CAPTURE(call.counts);
  CAPTURE(call.in_segments);
  CAPTURE(call.fanout);
  CAPTURE(call.max_requests);
  CAPTURE(call.commutative);
  CAPTURE(call.eager);
  CHECK(problems == std::vector<std::string>{});
}

// Verifies every algorithm of a collective, for equal blocks and for uneven counts.
inline void prove_delivery(std::string_view collective) {
  const DeliveryMachines machines;
  const bool has_counts = algorithms::find_collective(collective)->has_counts;
  for (const auto* algorithm : plain_algorithms_of(collective))
    for (const bool with_counts : has_counts ? std::vector{false, true} : std::vector{false})
      for (const DeliveryCall& call : delivery_calls(*algorithm, with_counts))
        check_delivery(*algorithm, machines, call);
}

}  // namespace tutti::tests
