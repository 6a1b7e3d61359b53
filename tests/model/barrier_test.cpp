// SPDX-License-Identifier: BSD-3-Clause
// A barrier moves no data; that it waits for all ranks is visible in the times. No rank leaves
// before the last one arrives, whichever rank is late.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "algorithms/collective.hpp"
#include "sim/engines/flow/flow_engine.hpp"
#include "tests/support/delivery.hpp"
#include "tests/support/plain_algorithms.hpp"

namespace {

using namespace tutti;
using runtime::RankId;

constexpr Seconds late_s = 1;  // far longer than any barrier

// The time at which each rank leaves if rank `late` arrives late.
std::vector<Seconds> leaving_times(const algorithms::Algorithm& barrier,
                                   const platforms::Machine& machine, int procs, RankId late) {
  const auto program = [&](runtime::Rank& me) -> runtime::Task {
    if (me.id() == late) me.compute(late_s);
    co_await barrier.program(me, {});
  };
  const auto placement = tests::test_placement(procs);
  const auto outcome =
      engines::run_flow({.machine = machine, .placement = placement, .program = program});
  CHECK(outcome.problems.empty());
  return outcome.end_s;
}

std::vector<int> proved_procs() {
  std::vector<int> procs(17);
  std::iota(procs.begin(), procs.end(), 1);
  procs.insert(procs.end(), {32, 33});
  return procs;
}

void check_waits(const algorithms::Algorithm& barrier, const platforms::Machine& machine) {
  for (const int procs : proved_procs()) {
    if (barrier.runs != nullptr && !barrier.runs({procs, {}})) continue;
    for (RankId late = 0; late < procs; ++late) {
      const auto left_s = leaving_times(barrier, machine, procs, late);
      CAPTURE(barrier.name);
      CAPTURE(procs);
      CAPTURE(late);
      CHECK(*std::ranges::min_element(left_s) >= late_s);
      CHECK(*std::ranges::max_element(left_s) < late_s + 0.01);
    }
  }
}

TEST_CASE("no rank leaves a barrier before the last one arrives") {
  const auto machine = tests::test_machine(33);
  for (const auto* barrier : tests::plain_algorithms_of("barrier")) check_waits(*barrier, machine);
}

TEST_CASE("no rank leaves a barrier before the last one arrives, also with rendezvous messages") {
  const auto machine = tests::rendezvous_machine(33);
  for (const auto* barrier : tests::plain_algorithms_of("barrier")) check_waits(*barrier, machine);
}

TEST_CASE("a barrier that does not wait is detected") {
  algorithms::Algorithm broken;
  broken.program = [](runtime::Rank&, algorithms::CollectiveArgs) -> runtime::Task { co_return; };
  const auto left_s = leaving_times(broken, tests::test_machine(2), 2, 0);
  CHECK(left_s[0] >= late_s);
  CHECK(left_s[1] < late_s);
}

TEST_CASE("every barrier ends on the ideal engine") { tests::prove_delivery("barrier"); }

}  // namespace
