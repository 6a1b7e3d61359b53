// SPDX-License-Identifier: BSD-3-Clause
// Messages inside nodes with two sockets, and to a NIC of the other socket, calculated by hand, on
// both timed engines: a bus of 2 GB/s and 0.5 us per socket, links between sockets of 1 GB/s and
// 0.2 us, NICs of 1 GB/s and 1 us.
#include <doctest/doctest.h>

#include "tests/support/agreement.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/sent_messages.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

constexpr double bus = 2e9;
constexpr double between = 1e9;
constexpr double nic = 1e9;
constexpr double near = 0.5e-6;              // latency inside a socket
constexpr double far = 2 * 0.5e-6 + 0.2e-6;  // between two sockets
constexpr Bytes MB = 1'000'000;

platforms::Machine machine_with_sockets() {
  platforms::Machine machine = test_machine(2);
  machine.sockets = {
      .count = 2, .bus_Bps = bus, .link_Bps = between, .link_latency_s = 0.2e-6, .of_rail = {}};
  return machine;
}

std::vector<Seconds> ends(const platforms::Machine& machine, const platforms::Placement& placement,
                          const std::vector<Sent>& messages) {
  const engines::Job job{machine, placement, all_at_once(messages)};
  const auto reference = run_simgrid_in_child(job);
  REQUIRE(reference.problems == "");
  CHECK(largest_difference(flow_ends(job), reference.end_s) <= 1e-9);
  return reference.end_s;
}

// Four ranks on each node: 0 and 1 on the first socket, 2 and 3 on the second one.
std::vector<Seconds> ends(const std::vector<Sent>& messages) {
  return ends(machine_with_sockets(), test_placement(8, 4), messages);
}

}  // namespace

TEST_CASE("a message inside a socket uses its bus only") {
  CHECK(ends({{0, 1, MB}})[1] == exactly(3 * near + MB / bus));
  const auto end_s = ends({{0, 1, MB}, {2, 3, MB}});
  CHECK(end_s[1] == exactly(3 * near + MB / bus));
  CHECK(end_s[3] == exactly(3 * near + MB / bus));
}

TEST_CASE("a message to the other socket uses both buses and the link between them") {
  CHECK(ends({{0, 2, MB}})[2] == exactly(3 * far + MB / between));
  CHECK(ends({{0, 2, MB}, {1, 3, MB}})[3] == exactly(3 * far + 2 * MB / between));
}

TEST_CASE("a rank reaches the NIC of the other socket over the link between the sockets") {
  // The NIC is at socket 0.
  CHECK(ends({{0, 4, MB}})[4] == exactly(3 * 2e-6 + MB / nic));
  CHECK(ends({{2, 4, MB}})[4] == exactly(3 * 2.2e-6 + MB / nic));
  CHECK(ends({{2, 6, MB}})[6] == exactly(3 * 2.4e-6 + MB / nic));
}

TEST_CASE("cores that the placement gives determine the socket") {
  auto placement = test_placement(2, 2);
  placement.core_of = {0, 3};
  CHECK(ends(machine_with_sockets(), placement, {{0, 1, MB}})[1] ==
        exactly(3 * far + MB / between));
  placement.core_of = {2, 3};
  CHECK(ends(machine_with_sockets(), placement, {{0, 1, MB}})[1] == exactly(3 * near + MB / bus));
}
