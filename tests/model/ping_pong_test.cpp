// SPDX-License-Identifier: BSD-3-Clause
// Ping-pong, exchange and stream between two nodes, on both engines, against times calculated by
// hand and published times of crill.
#include "workloads/ping_pong.hpp"

#include <doctest/doctest.h>

#include "platforms/reader.hpp"
#include "sim/jobs/point_to_point.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using platforms::Piecewise;
using tests::exactly;
using workloads::PingPongPattern;

namespace {

constexpr double us = 1e-6;
constexpr double o_s = 0.3 * us;
constexpr double o_r = 0.2 * us;
constexpr double L = 2 * us;
constexpr double bus_L = 0.5 * us;
constexpr double G = 1e-9;         // s/B of a link
constexpr double bus_G = 0.25e-9;  // of the memory bus
constexpr jobs::NodePair apart{0, 1};
constexpr jobs::NodePair together{0, 0};

platforms::Machine machine_with_overheads() {
  platforms::Machine machine = tests::test_machine(2);
  for (platforms::MessageProtocol* each : {&machine.inter, &machine.intra}) {
    each->send_overhead = each->isend_overhead = Piecewise(o_s);
    each->recv_overhead = Piecewise(o_r);
  }
  return machine;
}

// Requires that both engines agree.
Seconds time_of(const platforms::Machine& machine, const jobs::NodePair& nodes,
                const workloads::PingPong& measured) {
  const jobs::PingPongSizes wanted{
      .pattern = measured.pattern, .sizes = {measured.message_bytes}, .window = measured.window};
  const auto flow = jobs::ping_pong_times(machine, {.nodes = nodes}, wanted);
  const auto simgrid = jobs::ping_pong_times(
      machine, {.nodes = nodes, .engine = engines::EngineKind::simgrid}, wanted);
  REQUIRE(flow);
  REQUIRE(simgrid);
  CHECK(flow->front() == exactly(simgrid->front()));
  return flow->front();
}

Seconds ping_pong(const platforms::Machine& machine, Bytes bytes,
                  const jobs::NodePair& nodes = apart) {
  return time_of(machine, nodes, {.message_bytes = bytes});
}

}  // namespace

TEST_CASE("half a round trip is the time of a message") {
  const auto machine = machine_with_overheads();
  for (const Bytes bytes : {0, 1, 999, 1000}) {
    CAPTURE(bytes);
    CHECK(ping_pong(machine, bytes) == exactly(o_s + L + bytes * G + o_r));
    CHECK(ping_pong(machine, bytes, together) == exactly(o_s + bus_L + bytes * bus_G + o_r));
  }
  for (const Bytes bytes : {1001, 10'000'000}) {
    CAPTURE(bytes);
    CHECK(ping_pong(machine, bytes) == exactly(o_s + 3 * L + bytes * G + o_r));
    CHECK(ping_pong(machine, bytes, together) == exactly(o_s + 3 * bus_L + bytes * bus_G + o_r));
  }
}

TEST_CASE("a detached message to a posted receive costs the same as an eager one") {
  auto machine = machine_with_overheads();
  machine.inter.detached_max = 5000;
  CHECK(ping_pong(machine, 5000) == exactly(o_s + L + 5000 * G + o_r));
  CHECK(ping_pong(machine, 5001) == exactly(o_s + 3 * L + 5001 * G + o_r));
}

TEST_CASE("an exchange takes the time of a message if each direction has a link, otherwise more") {
  const auto machine = machine_with_overheads();
  const workloads::PingPong exchange{.pattern = PingPongPattern::bidirectional,
                                     .message_bytes = 1'000'000};
  CHECK(time_of(machine, apart, exchange) == exactly(o_s + 3 * L + 1e6 * G + o_r));
  CHECK(time_of(machine, together, exchange) == exactly(o_s + 3 * bus_L + 2e6 * bus_G + o_r));
  CHECK(workloads::bytes_moved(exchange) == 2'000'000);
}

TEST_CASE("a stream is limited by the overhead, the gap or the NIC, and pays for one reply") {
  auto machine = machine_with_overheads();
  const Seconds answer_s = o_s + L + 4 * G + o_r;
  const auto per_message = [&](Bytes bytes, int window, double interval_s) {
    const Seconds last_s = o_s + (window - 1) * interval_s + L + static_cast<double>(bytes) * G;
    return (last_s + o_r + answer_s) / window;
  };
  const auto stream = [&](Bytes bytes, int window) {
    return time_of(machine, apart,
                   {.pattern = PingPongPattern::stream, .message_bytes = bytes, .window = window});
  };
  CHECK(stream(8, 1) == exactly(per_message(8, 1, 0)));
  CHECK(stream(8, 64) == exactly(per_message(8, 64, o_s)));
  CHECK(stream(1000, 64) == exactly(per_message(1000, 64, 1000 * G)));
  machine.inter.gap = Piecewise(0.7 * us);
  CHECK(stream(8, 64) == exactly(per_message(8, 64, 0.7 * us)));
}

TEST_CASE("crill reproduces NetPIPE's times") {
  // Dissertation, section 4.1.4 and Table 4.4 (eager limit 12 KiB).
  const auto machine = platforms::load_machine("crill", {});
  REQUIRE(machine);
  CHECK(ping_pong(*machine, 0) == tests::close_to(1.6 * us, 1e-3));
  CHECK(ping_pong(*machine, 64 << 10) == tests::close_to(68.5 * us, 1e-3));
}
