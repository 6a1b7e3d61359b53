// SPDX-License-Identifier: BSD-3-Clause
// Features of the engine flow that the engine simgrid lacks.
#include "sim/engines/flow/flow_engine.hpp"

#include <doctest/doctest.h>

#include "algorithms/collective.hpp"
#include "platforms/placement.hpp"
#include "platforms/reader.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using runtime::Rank;
using runtime::Task;
using tests::exactly;

namespace {

constexpr double us = 1e-6;

// Ranks 1 and 2 send 8,000 and 8,010 bytes to rank 0 at once, over its link of 1 GB/s. (No
// overheads; eager, so both start after the route's 2 us.)
std::vector<Seconds> ends_of_two_senders(double merge_window) {
  platforms::Machine machine = tests::test_machine(3);
  machine.inter.eager_max = machine.inter.detached_max = 10'000;
  const platforms::Placement placement = tests::test_placement(3);
  const runtime::Program program = [](Rank& me) -> Task {
    const Bytes bytes = 7990 + 10 * me.id();
    if (me.id() > 0) co_await me.send({.to = 0, .data = {.bytes = bytes}});
    if (me.id() > 0) co_return;
    const runtime::Request first = me.irecv({.from = 1, .data = {.bytes = 8000}});
    const runtime::Request second = me.irecv({.from = 2, .data = {.bytes = 8010}});
    co_await me.wait(first);
    const Seconds first_s = me.now();
    co_await me.wait(second);
    CHECK(first_s == exactly(18 * us));
  };
  return engines::run_flow({.machine = machine,
                            .placement = placement,
                            .program = program,
                            .merge_window = merge_window})
      .end_s;
}

}  // namespace

TEST_CASE("a flow with few remaining bytes at a rate change ends at once, within the window") {
  CHECK(ends_of_two_senders(0)[0] == exactly(18.01 * us));
  CHECK(ends_of_two_senders(1e-3)[0] == exactly(18.01 * us));  // 10 bytes are more than that
  CHECK(ends_of_two_senders(2e-3)[0] == exactly(18 * us));
}

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
  const auto outcome = engines::run_flow(
      {.machine = *machine, .placement = placement, .program = program, .audit = true});
  CHECK(outcome.problems == std::vector<std::string>{});
  CHECK(outcome.end_s[1024] == exactly(3 * 1024 * us + 1000 * us));
}
