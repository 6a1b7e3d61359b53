// SPDX-License-Identifier: BSD-3-Clause
// Calls of thousands of processes, extrapolated from some of their steps, against simulations of
// all steps.
#include <doctest/doctest.h>

#include <cmath>

#include "sim/jobs/extrapolation/extrapolation.hpp"
#include "tests/support/extrapolated.hpp"

namespace {

using namespace tutti;
using namespace tutti::jobs::extrapolation;
using tests::WholeCall;

}  // namespace

TEST_CASE("extrapolation of rings and neighbour exchange of 4,096 processes") {
  CHECK(tests::reported_exactly(4096) >= 20);
}

TEST_CASE("extrapolation of pairwise exchange of 5,120 processes") {
  constexpr int procs = 5120;
  for (const char* machine : tests::extrapolated_machines)
    for (const int ppn : {1, 16})
      for (const Bytes bytes : {64, 65536}) {
        const WholeCall call(
            tests::of_equal_blocks(machine, "alltoall", "pairwise", procs, ppn, bytes));
        CAPTURE(call.name());
        const auto reported = of_sampled_steps(call.job(), 12'000'000);
        REQUIRE(reported);
        const double off = tests::error_of(*reported, call.simulated());
        MESSAGE(call.name(), ": ", reported->simulated_steps, " steps, estimate ", reported->error,
                ", error ", off);
        CHECK(off <= reported->error);
      }
}

// Congestion builds up over hundreds of steps.
TEST_CASE("pairwise exchange that cannot be extrapolated is simulated in full, or rejected") {
  const auto answer = [](int procs) {
    const WholeCall call(tests::of_equal_blocks("vsc3", "alltoall", "pairwise", procs, 16, 4096));
    const auto job = call.job();
    auto point = call.point();
    point.extrapolates = true;
    CHECK(obstacle(point).empty());
    return extrapolate(point, job.machine, job.placement, nullptr);
  };
  const auto affordable = answer(5120);
  REQUIRE(affordable);
  CHECK_FALSE(*affordable);
  const auto too_long = answer(20480);
  REQUIRE_FALSE(too_long);
  CHECK(too_long.error().message.find("% off") != std::string::npos);
  CHECK(too_long.error().hint == "--extrapolate off simulates all of them");
}
