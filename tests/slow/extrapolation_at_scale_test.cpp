// SPDX-License-Identifier: BSD-3-Clause
// Calls of thousands of processes, told from some of their steps, beside all of them.
#include <doctest/doctest.h>

#include <cmath>

#include "sim/studies/extrapolation/repeated_steps.hpp"
#include "sim/studies/extrapolation/sampled_steps.hpp"
#include "tests/support/extrapolated.hpp"

namespace {

using namespace tutti;
using namespace tutti::studies::extrapolation;
using tests::WholeCall;

const char* const machines[] = {"fat-tree-262144", "bgq-262144"};

}  // namespace

TEST_CASE("rings and neighbour exchange of 4,096 processes") {
  constexpr int procs = 4096;
  int told = 0;
  for (const char* machine : machines)
    for (const int ppn : {1, 16})
      for (const Bytes bytes : {64, 65536})
        for (const auto& [collective, algorithm] : tests::repeated_algorithms) {
          const WholeCall call(
              tests::of_equal_blocks(machine, collective, algorithm, procs, ppn, bytes));
          CAPTURE(call.name());
          told += tests::is_told_exactly(call);
        }
  CHECK(told >= 20);
}

TEST_CASE("pairwise exchange of 5,120 processes") {
  constexpr int procs = 5120;
  for (const char* machine : machines)
    for (const int ppn : {1, 16})
      for (const Bytes bytes : {64, 65536}) {
        const WholeCall call(
            tests::of_equal_blocks(machine, "alltoall", "pairwise", procs, ppn, bytes));
        CAPTURE(call.name());
        const auto told = of_sampled_steps(call.job(), 12'000'000);
        REQUIRE(told);
        const double off = tests::error_of(*told, call.simulated());
        MESSAGE(call.name(), ": ", told->simulated_steps, " steps, estimate ", told->error,
                ", error ", off);
        CHECK(off <= told->error);
      }
}
