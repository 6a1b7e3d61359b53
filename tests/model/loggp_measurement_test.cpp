// SPDX-License-Identifier: BSD-3-Clause
// The measurement recovers the given parameters of a machine.
#include "sim/fit/loggp_measurement.hpp"

#include <doctest/doctest.h>

#include "tests/support/close_to.hpp"
#include "tests/support/measured_machines.hpp"

using namespace tutti;
using studies::IntervalOf;
using studies::LogGPMeasurement;
using studies::ProtocolSeen;
using tests::close_to;
using tests::KnownParameters;
using tests::MeasuredShape;

namespace {

constexpr double us = 1e-6;
constexpr double ns = 1e-9;

LogGPMeasurement measured(const platforms::Machine& machine, const jobs::PairJob& job,
                          const std::vector<Bytes>& sizes = jobs::pair_sizes()) {
  auto result = studies::measure_loggp(machine, job, sizes);
  REQUIRE(result);
  return *std::move(result);
}

jobs::PairJob job_on(const MeasuredShape& shape) { return {.nodes = {shape.from, shape.to}}; }

const std::vector<KnownParameters> all_known{
    {},
    {.o_send_us = 0.2, .o_recv_us = 0.7, .gap_us = 1.5, .link_us = 1.3, .link_GBps = 0.7},
    {.o_send_us = 4,
     .o_recv_us = 1,
     .gap_us = 6.25,
     .link_us = 20,
     .link_GBps = 0.1,
     .eager_limit = 65536},
    {.o_send_us = 0.11,
     .o_recv_us = 0.05,
     .gap_us = 0.2,
     .link_us = 0.03,
     .link_GBps = 12.5,
     .eager_limit = 1000},
};

}  // namespace

TEST_CASE("L, o_s, o_r, g and G are recovered for every shape of network") {
  for (const MeasuredShape& shape : tests::shapes())
    for (const KnownParameters& known : all_known) {
      CAPTURE(shape.name);
      CAPTURE(known.o_send_us);
      const auto machine = tests::known_machine(shape, known);
      const auto set = measured(machine, job_on(shape)).set;
      REQUIRE(set.L_s);
      REQUIRE(set.G_s_per_B);
      CHECK(*set.L_s == close_to(shape.links * known.link_us * us, 0.01));
      CHECK(set.o_send_s == close_to(known.o_send_us * us, 0.01));
      CHECK(set.o_recv_s == close_to(known.o_recv_us * us, 0.01));
      CHECK(set.g_is == IntervalOf::network);
      CHECK(set.g.front().a == close_to(known.gap_us * us, 0.01));
      CHECK(*set.G_s_per_B == close_to(1 / (known.link_GBps * 1e9), 0.01));
    }
}

TEST_CASE("the parameter sets of the formulas are those of the measurement") {
  const MeasuredShape& shape = tests::shapes().back();
  const KnownParameters known;
  const auto machine = tests::known_machine(shape, known);
  const auto measurement = measured(machine, job_on(shape));
  const auto loggp = studies::loggp_of(measurement);
  REQUIRE(loggp);
  CHECK(loggp->set == "measured: n0 to n7");
  CHECK(loggp->L_s == close_to(3 * known.link_us * us, 0.01));
  CHECK(loggp->o_s == close_to(known.o_send_us * us, 0.01));
  CHECK(loggp->g_s(1) == close_to(known.gap_us * us, 0.01));
  const auto hockney = studies::hockney_of(measurement);
  REQUIRE(hockney);
  CHECK(hockney->l_s ==
        close_to((known.o_send_us + known.o_recv_us + 3 * known.link_us) * us, 1e-6));
  CHECK(hockney->b_Bps == close_to(known.link_GBps * 1e9, 1e-6));
}

TEST_CASE("protocol changes are found to the byte, also between distant sizes") {
  for (const MeasuredShape& shape : tests::shapes())
    for (const Bytes limit : {1, 1000, 4096, 12289, 524287}) {
      CAPTURE(shape.name);
      CAPTURE(limit);
      const auto machine = tests::known_machine(shape, {.eager_limit = limit});
      const auto ranges = measured(machine, job_on(shape), {1, 1 << 20}).ranges;
      REQUIRE(ranges.size() == 2);
      CHECK(ranges[0].protocol == ProtocolSeen::eager);
      CHECK(ranges[0].last == limit);
      CHECK(ranges[1].protocol == ProtocolSeen::rendezvous);
      CHECK(ranges[1].first == limit + 1);
    }
}

TEST_CASE("messages for which only the receiver waits are a separate range") {
  const MeasuredShape& shape = tests::shapes().front();
  const auto machine = tests::known_machine(shape, {.eager_limit = 4000, .detached_limit = 50'000});
  const auto ranges = measured(machine, job_on(shape)).ranges;
  REQUIRE(ranges.size() == 3);
  CHECK(ranges[0].last == 4000);
  CHECK(ranges[1].protocol == ProtocolSeen::detached);
  CHECK(ranges[1].first == 4001);
  CHECK(ranges[1].last == 50'000);
  CHECK(ranges[2].protocol == ProtocolSeen::rendezvous);
}

TEST_CASE("a NIC slower than its link determines the G of eager messages") {
  for (const MeasuredShape& shape : tests::shapes()) {
    CAPTURE(shape.name);
    const KnownParameters known{.gap_ns_per_B = 0.8, .eager_limit = 100'000};
    const auto machine = tests::known_machine(shape, known);
    const auto ranges = measured(machine, job_on(shape)).ranges;
    REQUIRE(ranges.size() == 2);
    CHECK(ranges[0].G_s_per_B == close_to(0.8 * ns, 0.01));
    CHECK(ranges[1].G_s_per_B == close_to(0.5 * ns, 0.01));
    const auto eager = measured(machine, job_on(shape), {1, 100, 10'000, 20'000, 50'000}).set;
    CHECK(eager.G_s_per_B == close_to(0.8 * ns, 0.01));
    CHECK(eager.L_s == close_to(shape.links * 0.5 * us, 0.01));
  }
}

TEST_CASE("a gap that an overhead hides is not reported") {
  const MeasuredShape& shape = tests::shapes().front();
  const auto hidden = [&](double o_send_us, double o_recv_us) {
    return measured(tests::known_machine(
                        shape, {.o_send_us = o_send_us, .o_recv_us = o_recv_us, .gap_us = 0.2}),
                    job_on(shape));
  };
  const auto by_sender = hidden(0.5, 0.3);
  CHECK(by_sender.set.g_is == IntervalOf::send_overhead);
  CHECK_FALSE(by_sender.rows.front().g_s);
  CHECK(by_sender.set.g.front().a == close_to(0.5 * us, 0.01));
  CHECK(hidden(0.3, 0.5).set.g_is == IntervalOf::recv_overhead);
}

TEST_CASE("the measured set reproduces every interval") {
  for (const MeasuredShape& shape : tests::shapes())
    for (const KnownParameters& known : all_known) {
      const auto measurement = measured(tests::known_machine(shape, known), job_on(shape));
      const auto loggp = studies::loggp_of(measurement);
      REQUIRE(loggp);
      for (const auto& row : measurement.rows) {
        CAPTURE(row.message.bytes);
        CHECK(loggp->g_s(row.message.bytes) +
                  static_cast<double>(row.message.bytes - 1) * loggp->G_s_per_B ==
              close_to(row.message.interval_s, 0.021));
      }
    }
}

TEST_CASE("parameters that the sizes do not determine are errors that name them") {
  const MeasuredShape& shape = tests::shapes().front();
  const auto small = measured(tests::known_machine(shape, {}), job_on(shape), {1, 2, 4, 8});
  CHECK_FALSE(small.set.G_s_per_B);
  const auto no_G = studies::loggp_of(small);
  REQUIRE_FALSE(no_G);
  CHECK(no_G.error().message == "G is not determined by these sizes");

  const auto large = measured(tests::known_machine(shape, {}), job_on(shape), {1 << 20, 1 << 21});
  CHECK_FALSE(large.set.L_s);
  const auto no_L = studies::loggp_of(large);
  REQUIRE_FALSE(no_L);
  CHECK(no_L.error().message == "L is not determined by these sizes");
}

TEST_CASE("a network without latency has L = 0") {
  const MeasuredShape& shape = tests::shapes().front();
  const auto set = measured(tests::known_machine(shape, {.link_us = 0}), job_on(shape)).set;
  CHECK(set.L_s == 0.0);
}

TEST_CASE("both engines measure the same") {
  const MeasuredShape& shape = tests::shapes().back();
  const auto machine = tests::known_machine(shape, all_known[1]);
  const std::vector<Bytes> sizes{0, 1, 64, 8192, 8193, 100'000};
  const auto flow = measured(machine, job_on(shape), sizes);
  const auto simgrid = measured(
      machine, {.nodes = {shape.from, shape.to}, .engine = engines::EngineKind::simgrid}, sizes);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto& a = flow.rows[i].message;
    const auto& b = simgrid.rows[i].message;
    CHECK(a.round_trip_s == close_to(b.round_trip_s, 1e-9));
    CHECK(a.interval_s == close_to(b.interval_s, 1e-9));
    CHECK(a.o_send_s == close_to(b.o_send_s, 1e-9));
    CHECK(a.o_recv_s == close_to(b.o_recv_s, 1e-9));
  }
}
