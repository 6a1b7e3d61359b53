// SPDX-License-Identifier: BSD-3-Clause
// The resources that messages share under each --contention, calculated by hand: two nodes with
// links of 1 GB/s, 2 us of latency between them, two ranks on each, messages of 8,000 bytes (8 us
// without sharing), no overheads.
#include <doctest/doctest.h>

#include <algorithm>

#include "algorithms/collective.hpp"
#include "platforms/reader.hpp"
#include "sim/engines/engine.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using engines::Contention;
using runtime::Rank;
using runtime::Task;
using tests::exactly;

namespace {

constexpr double us = 1e-6;
constexpr Bytes bytes = 8000;

double end_of(const runtime::Program& program, Contention contention, Bytes eager_max) {
  platforms::Machine machine = tests::test_machine(2);
  machine.inter.eager_max = machine.inter.detached_max = eager_max;
  const auto placement = tests::test_placement(4, 2);
  const auto outcome = engines::run(
      engines::EngineKind::flow,
      {.machine = machine, .placement = placement, .program = program, .contention = contention});
  REQUIRE(outcome.problems.empty());
  return *std::max_element(outcome.end_s.begin(), outcome.end_s.end());
}

// Each of ranks 0 and 1 sends to one rank of the other node, eagerly.
Task pairs(Rank& me) {
  if (me.id() < 2) co_await me.send({.to = me.id() + 2, .data = {.bytes = bytes}});
  if (me.id() >= 2) co_await me.recv({.from = me.id() - 2, .data = {.bytes = bytes}});
}

// Rank 0 sends to both ranks of the other node at once, by rendezvous.
Task one_to_two(Rank& me) {
  if (me.id() >= 2) co_await me.recv({.from = 0, .data = {.bytes = bytes}});
  if (me.id() != 0) co_return;
  const runtime::Request requests[] = {me.isend({.to = 2, .data = {.bytes = bytes}}),
                                       me.isend({.to = 3, .data = {.bytes = bytes}})};
  co_await me.wait_all(requests);
}

}  // namespace

TEST_CASE("two ranks share the NIC of their node unless each has its own") {
  CHECK(end_of(pairs, Contention::on, bytes) == exactly(18 * us));
  CHECK(end_of(pairs, Contention::off, bytes) == exactly(18 * us));
  CHECK(end_of(pairs, Contention::private_nics, bytes) == exactly(10 * us));
  CHECK(end_of(pairs, Contention::pooled_nics, bytes) == exactly(10 * us));
}

TEST_CASE("messages of one rank share its NIC, and use one NIC of a pool each") {
  const double handshake_s = 6 * us;
  CHECK(end_of(one_to_two, Contention::on, 0) == exactly(handshake_s + 16 * us));
  CHECK(end_of(one_to_two, Contention::private_nics, 0) == exactly(handshake_s + 16 * us));
  CHECK(end_of(one_to_two, Contention::pooled_nics, 0) == exactly(handshake_s + 8 * us));
}

TEST_CASE("a job may end later without contention: an unimpeded flow takes more of a NIC") {
  // A ring of 8 nodes, 2 ranks each. Rank 0 sends 80,000 B to node 1, where 1 ms of work follows.
  // From 3 us on, rank 1's message to node 3 shares the first link with it. On the link after node
  // 1, rank 1's message shares with two others: it gets a third there, so that rank 0's gets two
  // thirds, and needs 117 us for its last 78,000 B. Without contention inside the network each gets
  // a half.
  const auto machine = platforms::read_machine(
      R"(<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-7" speed="1Gf"
         core="2" bw="1GBps" lat="1us" topology="TORUS" topo_parameters="8">
         <prop id="mpi/eager_limit" value="1MiB"/></cluster></platform>)",
      "ring.xml");
  REQUIRE(machine);
  struct Message {
    int from, to;
    Bytes bytes;
  };
  constexpr Message messages[] = {
      {0, 2, 80'000}, {1, 6, 240'000}, {2, 4, 240'000}, {3, 5, 240'000}};
  const auto program = [&](Rank& me) -> Task {
    for (const Message& each : messages)
      if (me.id() == each.from) co_await me.send({.to = each.to, .data = {.bytes = each.bytes}});
    for (const Message& each : messages)
      if (me.id() == each.to) co_await me.recv({.from = each.from, .data = {.bytes = each.bytes}});
    if (me.id() == 2) me.compute(1e-3);
  };
  const auto end = [&](Contention contention) {
    const auto placement = tests::test_placement(8, 2);
    const auto outcome = engines::run(engines::EngineKind::flow, {.machine = *machine,
                                                                  .placement = placement,
                                                                  .program = program,
                                                                  .contention = contention});
    REQUIRE(outcome.problems.empty());
    return std::ranges::max(outcome.end_s);
  };
  CHECK(end(Contention::on) == exactly(1120 * us));
  CHECK(end(Contention::off) == exactly(1159 * us));
}

TEST_CASE("with one process per node, NICs per rank equal NICs per node for any NIC structure") {
  const std::string limiter =
      R"(<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-7" speed="1Gf"
         bw="2GBps" lat="1us" limiter_link="1GBps"/></platform>)";
  const std::string half_duplex =
      R"(<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-7" speed="1Gf"
         bw="2GBps" lat="1us" sharing_policy="SHARED"/></platform>)";
  for (const std::string& xml : {limiter, half_duplex}) {
    const auto machine = platforms::read_machine(xml, "c.xml");
    REQUIRE(machine);
    const auto placement = tests::test_placement(8);
    for (const char* name : {"linear", "pairwise", "modified_bruck"}) {
      const auto* algorithm = algorithms::find_algorithm("alltoall", name);
      std::vector<double> ends;
      for (const auto contention :
           {Contention::off, Contention::private_nics, Contention::pooled_nics}) {
        const auto outcome = engines::run(
            engines::EngineKind::flow,
            {.machine = *machine,
             .placement = placement,
             .program = [&](Rank& me) { return algorithm->program(me, {.message_bytes = 65536}); },
             .contention = contention});
        ends.push_back(*std::max_element(outcome.end_s.begin(), outcome.end_s.end()));
      }
      CAPTURE(name);
      CHECK(ends[1] == exactly(ends[0]));
      CHECK(ends[2] == exactly(ends[0]));
    }
  }
}

TEST_CASE("a neighbour on a torus receives at the rate of its NIC, over any number of links") {
  const auto machine = platforms::read_machine(
      R"(<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-2" speed="1Gf"
         bw="1GBps" lat="1us" topology="TORUS" topo_parameters="3"/></platform>)",
      "ring.xml");
  REQUIRE(machine);
  const auto placement = tests::test_placement(3);
  const auto* gather = algorithms::find_algorithm("gather", "basic_linear");
  const auto end = [&](Contention contention) {
    const auto outcome = engines::run(
        engines::EngineKind::flow,
        {.machine = *machine,
         .placement = placement,
         .program = [&](Rank& me) { return gather->program(me, {.message_bytes = 65536}); },
         .contention = contention});
    return *std::max_element(outcome.end_s.begin(), outcome.end_s.end());
  };
  CHECK(end(Contention::private_nics) == exactly(end(Contention::off)));
}

TEST_CASE("printed names of contention modes can be read back") {
  for (const auto each :
       {Contention::on, Contention::off, Contention::private_nics, Contention::pooled_nics})
    CHECK(engines::contention_of(engines::contention_name(each)) == each);
  CHECK_FALSE(engines::contention_of("none"));
}
