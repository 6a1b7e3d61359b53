// SPDX-License-Identifier: BSD-3-Clause
// Features of the engine flow that the engine simgrid lacks.
#include "sim/engines/flow/flow_engine.hpp"

#include <doctest/doctest.h>

#include "algorithms/collective.hpp"
#include "platforms/placement.hpp"
#include "platforms/reader.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/share_audit.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using runtime::Rank;
using runtime::Task;
using tests::exactly;

constexpr double us = 1e-6;

TEST_CASE("a window merges events, and hardly changes the time") {
  constexpr int procs = 256;
  // A torus, and nodes around one backbone, which could be the link of a bundle.
  constexpr const char* backbone =
      R"(<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-255" speed="1Gf"
         bw="1GBps" lat="1us" bb_bw="20GBps" bb_lat="1us"/></platform>)";
  const auto machines = {platforms::load_machine("bgq-262144"),
                         platforms::read_machine(backbone, "backbone.xml")};
  const auto* pairwise = algorithms::find_algorithm("alltoall", "pairwise");
  const algorithms::CollectiveArgs call{.message_bytes = 65536};
  for (const auto& machine : machines) {
    REQUIRE(machine);
    const auto placement = platforms::place(*machine, {.procs = procs, .ppn = 1, .file = {}});
    REQUIRE(placement);
    const auto simulated = [&](Seconds window_s) {
      return engines::run_flow({.machine = *machine,
                                .placement = *placement,
                                .program = [&](Rank& me) { return pairwise->program(me, call); },
                                .event_window_s = window_s,
                                .bundles = {.least = 16, .most_wait = 1}});
    };
    const auto exact = simulated(0);
    const Seconds end_s = std::ranges::max(exact.end_s);
    const auto merged = simulated(0.01 * end_s / procs);
    CHECK(std::ranges::max(merged.end_s) == tests::close_to(end_s, 0.02));
    CHECK(std::ranges::max(merged.end_s) != exactly(end_s));
    CHECK(merged.counts.wire_bytes == exact.counts.wire_bytes);
    CHECK(merged.solves < exact.solves);
    const auto unmerged = simulated(1e-9 * end_s / procs);
    CHECK(std::ranges::max(unmerged.end_s) == tests::close_to(end_s, 1e-4));
  }
}

TEST_CASE("a route may have a thousand links") {
  auto machine = platforms::read_machine(
      R"(<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-2047" speed="1Gf"
         bw="1GBps" lat="1us" topology="TORUS" topo_parameters="2048"/></platform>)",
      "ring.xml");
  REQUIRE(machine);
  const platforms::Placement placement = tests::test_placement(1025);
  const runtime::Program program = [](Rank& me) -> Task {
    const Bytes bytes = 1'000'000;
    if (me.id() == 0) co_await me.send({.to = 1024, .data = {.bytes = bytes}});
    if (me.id() == 1024) co_await me.recv({.from = 0, .data = {.bytes = bytes}});
  };
  const auto outcome = engines::run_flow({.machine = *machine,
                                          .placement = placement,
                                          .program = program,
                                          .audit = engines::audit_shares});
  CHECK(outcome.problems == std::vector<std::string>{});
  CHECK(outcome.end_s[1024] == exactly(3 * 1024 * us + 1000 * us));
}
