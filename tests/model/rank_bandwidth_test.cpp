// SPDX-License-Identifier: BSD-3-Clause
// The rate of a process between nodes (mpi/rank_bandwidth), calculated by hand, on both timed
// engines: R = 0.5 GB/s for each rank and direction, links of 1 GB/s with 1 us each (L = 2 us), no
// overheads, eager up to 1000 B, a bus of 4 GB/s and 0.5 us.
#include <doctest/doctest.h>

#include "tests/support/agreement.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/sent_messages.hpp"
#include "tests/support/share_audit.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

constexpr double R = 0.5e9;
constexpr double L = 2e-6;
constexpr double handshake = 3 * L;

platforms::Machine machine_with_rate(platforms::HostId hosts) {
  platforms::Machine machine = test_machine(hosts);
  machine.rank_send_Bps = machine.rank_receive_Bps = R;
  return machine;
}

// The end of each rank; requires that both engines agree on it.
std::vector<Seconds> ends(const platforms::Machine& machine, int procs, int ppn,
                          std::vector<Sent> messages) {
  const auto placement = test_placement(procs, ppn);
  const engines::Job job{machine, placement, all_at_once(std::move(messages))};
  const auto reference = run_simgrid_in_child(job);
  REQUIRE(reference.problems == "");
  CHECK(largest_difference(flow_ends(job), reference.end_s) <= 1e-9);
  return reference.end_s;
}

constexpr Bytes MB = 1'000'000;

}  // namespace

TEST_CASE("three messages into one rank share one rate") {
  const auto end_s = ends(machine_with_rate(4), 4, 1, {{1, 0, MB}, {2, 0, MB}, {3, 0, MB}});
  CHECK(end_s[0] == exactly(handshake + 3 * MB / R));
}

TEST_CASE("three messages out of one rank share its rate") {
  const auto end_s = ends(machine_with_rate(4), 4, 1, {{0, 1, MB}, {0, 2, MB}, {0, 3, MB}});
  CHECK(end_s[0] == exactly(handshake + 3 * MB / R));
}

TEST_CASE("a rank sends and receives at its full rate at the same time") {
  const auto end_s = ends(machine_with_rate(2), 2, 1, {{0, 1, MB}, {1, 0, MB}});
  CHECK(end_s[0] == exactly(handshake + MB / R));
  CHECK(end_s[1] == exactly(handshake + MB / R));
}

TEST_CASE("ranks of a node have one rate each, and share its link") {
  platforms::Machine machine = machine_with_rate(3);
  const auto half = ends(machine, 6, 2, {{0, 2, MB}, {1, 4, MB}});
  CHECK(half[0] == exactly(handshake + MB / R));  // 2 R equal the link's 1 GB/s
  machine.rank_send_Bps = machine.rank_receive_Bps = 0.75e9;
  const auto narrow = ends(machine, 6, 2, {{0, 2, MB}, {1, 4, MB}});
  CHECK(narrow[0] == exactly(handshake + MB / 0.5e9));  // half of the link
  const auto alone = ends(machine, 6, 2, {{0, 2, MB}});
  CHECK(alone[0] == exactly(handshake + MB / 0.75e9));
}

TEST_CASE("a rank may be limited only in receiving or only in sending") {
  platforms::Machine machine = machine_with_rate(4);
  machine.rank_send_Bps.reset();
  const std::vector<Sent> in{{1, 0, MB}, {2, 0, MB}}, out{{0, 1, MB}, {0, 2, MB}};
  CHECK(ends(machine, 4, 1, in)[0] == exactly(handshake + 2 * MB / R));
  CHECK(ends(machine, 4, 1, out)[0] == exactly(handshake + 2 * MB / 1e9));  // its link
  std::swap(machine.rank_send_Bps, machine.rank_receive_Bps);
  CHECK(ends(machine, 4, 1, in)[0] == exactly(handshake + 2 * MB / 1e9));
  CHECK(ends(machine, 4, 1, out)[0] == exactly(handshake + 2 * MB / R));
}

TEST_CASE("bandwidth that one end cannot use is available to other messages of the rank") {
  // All have R / 2 until 1 MB of each is through (4 ms); then 0 -> 1 and 3 -> 2 have R.
  const auto end_s = ends(machine_with_rate(4), 4, 1, {{0, 1, 3 * MB}, {0, 2, MB}, {3, 2, 2 * MB}});
  CHECK(end_s[0] == exactly(handshake + MB / (R / 2) + 2 * MB / R));
  CHECK(end_s[2] == exactly(handshake + MB / (R / 2) + MB / R));
}

TEST_CASE("eager messages out of one rank and into one share its rate as well") {
  const auto out = ends(machine_with_rate(3), 3, 1, {{0, 1, 1000}, {0, 2, 1000}});
  CHECK(out[2] == exactly(L + 2 * 1000 / R));
  const auto in = ends(machine_with_rate(3), 3, 1, {{1, 0, 1000}, {2, 0, 1000}});
  CHECK(in[0] == exactly(L + 2 * 1000 / R));
}

TEST_CASE("messages inside a node do not count, unless they use the NIC") {
  platforms::Machine machine = machine_with_rate(2);
  const auto inside = ends(machine, 4, 2, {{0, 1, MB}, {0, 2, MB}});
  CHECK(inside[1] == exactly(3 * 0.5e-6 + MB / 4e9));
  CHECK(inside[2] == exactly(handshake + MB / R));
  machine.intra_node = platforms::IntraNode::network;
  const auto outside = ends(machine, 4, 2, {{0, 1, MB}, {0, 2, MB}});
  CHECK(outside[1] == exactly(handshake + 2 * MB / R));
}

TEST_CASE("without contention in the network ranks still share their own rate") {
  const platforms::Machine machine = machine_with_rate(4);
  const auto placement = test_placement(4);
  for (const auto contention : {engines::Contention::off, engines::Contention::private_nics}) {
    const auto end_s = flow_ends({.machine = machine,
                                  .placement = placement,
                                  .program = all_at_once({{1, 0, MB}, {2, 0, MB}, {3, 0, MB}}),
                                  .contention = contention});
    CHECK(end_s[0] == exactly(handshake + 3 * MB / R));
  }
}

TEST_CASE("pooled NICs have the combined bandwidth of their ranks") {
  const platforms::Machine machine = machine_with_rate(3);
  const auto placement = test_placement(6, 2);
  const auto end_s = flow_ends({.machine = machine,
                                .placement = placement,
                                .program = all_at_once({{2, 0, MB}, {3, 0, MB}, {4, 1, MB}}),
                                .contention = engines::Contention::pooled_nics});
  CHECK(end_s[0] == exactly(handshake + 3 * MB / (2 * R)));
}

TEST_CASE("both engines agree on every machine with a process rate") {
  struct Setting {
    int procs;
    int ppn;
    PatternArgs args;
  };
  const Setting settings[] = {{5, 1, {.bytes = 3000}},
                              {24, 2, {.bytes = 5000, .skew_s = 3e-6, .seed = 3}},
                              {33, 4, {.bytes = 100'000, .skew_s = 3e-6, .seed = 4}},
                              {32, 1, {.bytes = 70'000}}};
  const auto shapes = shapes_of_64();
  for_each_case<3>({shapes.size(), std::size(settings), programs({}).size()}, {.seed = 5},
                   [&](const auto& levels) {
                     const auto [shape, setting, program] = levels;
                     const Setting& of = settings[setting];
                     platforms::Machine machine = machine_of(shapes[shape]);
                     machine.rank_send_Bps = machine.rank_receive_Bps = 0.4e9;
                     const auto placement = test_placement(of.procs, of.ppn);
                     const auto each = programs(of.args)[program];
                     CAPTURE(shapes[shape].name);
                     CAPTURE(each.name);
                     CAPTURE(of.procs);
                     CHECK(disagreement({.machine = machine,
                                         .placement = placement,
                                         .program = each.program,
                                         .audit = engines::audit_shares}) <= 1e-9);
                   });
}
