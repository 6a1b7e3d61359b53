// SPDX-License-Identifier: BSD-3-Clause
// The memory bus of a node as a limit of copies, calculated by hand, on both timed engines: NICs of
// 1 GB/s and 1 us, a bus of 1.5 GB/s.
#include <doctest/doctest.h>

#include "platforms/changed_machine.hpp"
#include "platforms/reader.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/sent_messages.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

constexpr Bytes MB = 1'000'000;
constexpr double bus = 1.5e9;
constexpr double nic = 1e9;
constexpr Seconds L = 2e-6;

platforms::Machine machine_that_copies(Bytes bus_max = MB) {
  platforms::Machine machine = test_machine(3);
  machine.bus.bandwidth_Bps = bus;
  machine.bus_max = bus_max;
  machine.inter.eager_max = machine.inter.detached_max = MB;
  return machine;
}

// Two ranks on each of three nodes.
std::vector<Seconds> ends(const platforms::Machine& machine, const std::vector<Sent>& messages) {
  const auto placement = test_placement(6, 2);
  const engines::Job job{machine, placement, all_at_once(messages)};
  const auto reference = run_simgrid_in_child(job);
  REQUIRE(reference.problems == "");
  CHECK(largest_difference(flow_ends(job), reference.end_s) <= 1e-9);
  return reference.end_s;
}

}  // namespace

TEST_CASE("a message between nodes that is copied crosses the buses of both") {
  const auto machine = machine_that_copies();
  CHECK(ends(machine, {{0, 2, MB}})[2] == exactly(L + MB / nic));
  // Node 1 receives one message and sends another: its bus moves both.
  const auto end_s = ends(machine, {{0, 2, MB}, {3, 4, MB}});
  CHECK(end_s[2] == exactly(L + 2 * MB / bus));
  CHECK(end_s[4] == exactly(L + 2 * MB / bus));
}

TEST_CASE("larger messages between nodes cross no bus") {
  const auto end_s = ends(machine_that_copies(MB - 1), {{0, 2, MB}, {3, 4, MB}});
  CHECK(end_s[2] == exactly(L + MB / nic));
  CHECK(end_s[4] == exactly(L + MB / nic));
}

TEST_CASE("the limit applies to messages of any protocol") {
  auto machine = machine_that_copies();
  machine.inter.eager_max = machine.inter.detached_max = 0;
  CHECK(ends(machine, {{0, 2, MB}, {3, 4, MB}})[4] == exactly(3 * L + 2 * MB / bus));
}

TEST_CASE("sockets have buses of their own") {
  auto machine = machine_that_copies();
  machine.sockets = {
      .count = 2, .bus_Bps = bus, .link_Bps = {}, .link_latency_s = 0, .of_rail = {}};
  const auto placement = test_placement(12, 4);  // two ranks per socket
  const auto end_of_first = [&](const Sent& second) {
    const engines::Job job{machine, placement, all_at_once({{0, 4, MB}, second})};
    const auto reference = run_simgrid_in_child(job);
    REQUIRE(reference.problems == "");
    CHECK(largest_difference(flow_ends(job), reference.end_s) <= 1e-9);
    return reference.end_s[4];
  };
  CHECK(end_of_first({5, 8, MB}) == exactly(L + 2 * MB / bus));
  CHECK(end_of_first({6, 8, MB}) == exactly(L + MB / nic));
}

TEST_CASE("the bus has the bandwidth for the bytes that a call reads and writes on a node") {
  auto machine = machine_that_copies();
  CHECK(platforms::for_call_on_nodes(machine, {MB, 1}) == nullptr);
  machine.bus_Bps = platforms::Piecewise({0, bus, 0}, {{MB, bus / 3, 0}});
  CHECK(platforms::for_call_on_nodes(machine, {MB, 1}) == nullptr);
  const auto slow = platforms::for_call_on_nodes(machine, {MB + 1, 1});
  REQUIRE(slow != nullptr);
  CHECK(slow->bus.bandwidth_Bps == exactly(bus / 3));
}

TEST_CASE("busy ranks of a node share the bandwidth of memory beyond the caches") {
  auto machine = machine_that_copies();
  const double core = 6e9;
  machine.combine_Bps = machine.local_copy_Bps = platforms::Piecewise(core);
  machine.allocation_Bps =
      platforms::Piecewise({0, std::numeric_limits<double>::infinity(), 0}, {{MB, core, 0}});
  machine.memory_Bps =
      platforms::Piecewise({0, std::numeric_limits<double>::infinity(), 0}, {{MB, 24e9, 0}});
  CHECK(platforms::for_call_on_nodes(machine, {MB, 8}) == nullptr);
  const auto busy = platforms::for_call_on_nodes(machine, {8 * MB, 8});
  REQUIRE(busy != nullptr);
  CHECK((*busy->combine_Bps)(MB) == exactly(1 / (1 / core + 7 * 3 / 24e9)));
  CHECK((*busy->local_copy_Bps)(MB) == exactly(1 / (1 / core + 7 * 2 / 24e9)));
  CHECK((*busy->allocation_Bps)(MB + 1) == exactly(1 / (1 / core + 7 / 24e9)));
  CHECK(std::isinf((*busy->allocation_Bps)(MB)));  // no new pages
  const auto alone = platforms::for_call_on_nodes(machine, {8 * MB, 1});
  CHECK((*alone->combine_Bps)(MB) == exactly(core));
}
