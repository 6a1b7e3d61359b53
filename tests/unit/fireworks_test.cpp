// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>

#include "platforms/reader.hpp"
#include "sim/fireworks/surface.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies::fireworks;
using tests::close_to;
using workloads::Exchanged;
using workloads::PostingOrder;

namespace {

constexpr Bytes size = Bytes{4} << 20;

platforms::Machine machine() {
  return platforms::read_machine(R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="m" prefix="n" suffix="" radical="0-9" speed="1Gf" core="8" bw="1GBps" lat="1us">
<prop id="mpi/intra_node" value="bus"/>
<prop id="mpi/bus_bandwidth" value="100GBps"/>
<prop id="mpi/intra_bandwidth" value="2GBps"/>
</cluster>
</platform>)",
                                 "m.xml")
      .value();
}

Seconds timed(const Fireworks& requested, const platforms::Machine& on) {
  return simulate_round(requested, on, engines::EngineKind::flow).value();
}

}  // namespace

TEST_CASE("all messages of all partners arrive, whoever posts first") {
  for (const int hot_spots : {1, 2, 3})
    for (const int intra : {0, 1, 5})
      for (const int inter : {0, 1, 4, 9})
        for (const auto order : {PostingOrder::intra_first, PostingOrder::inter_first})
          for (const auto exchanged : {Exchanged::both, Exchanged::receives, Exchanged::sends}) {
            const Fireworks requested{hot_spots, intra, inter, order, exchanged, 1000};
            const auto placement = workloads::fireworks_placement(requested);
            const auto on = machine();
            const auto outcome = engines::run(engines::EngineKind::ideal,
                                              {.machine = on,
                                               .placement = placement,
                                               .program = workloads::fireworks_program(requested)});
            CHECK(outcome.problems.empty());
            CHECK(outcome.counts.messages == (intra + inter) * requested.messages_of_pair());
          }
}

TEST_CASE("partners are assigned to the hot spots in turn, each on its node") {
  const Fireworks requested{.hot_spots = 2, .intra_pairs = 3, .inter_pairs = 3, .message_bytes = 1};
  const auto placement = workloads::fireworks_placement(requested);
  CHECK(placement.host_of == std::vector<platforms::HostId>{0, 0, 0, 0, 0, 1, 2, 3});
  CHECK(placement.ppn == 5);
  std::vector<int> hot_spots;
  for (int rank = 2; rank < requested.procs(); ++rank)
    hot_spots.push_back(workloads::hot_spot_of(requested, rank));
  CHECK(hot_spots == std::vector<int>{0, 1, 0, 0, 1, 0});
}

TEST_CASE("messages in and out of a node are concurrent, those inside share a core") {
  const auto on = machine();
  const Seconds wire_s = static_cast<double>(size) / 1e9, core_s = static_cast<double>(size) / 2e9;
  for (const int pairs : {1, 3, 7}) {
    const double part = 0.01;
    CHECK(timed({.inter_pairs = pairs, .message_bytes = size}, on) ==
          close_to(pairs * wire_s, part));
    CHECK(timed({.intra_pairs = pairs, .message_bytes = size}, on) ==
          close_to(2 * pairs * core_s, part));
    const Fireworks one_way{
        .intra_pairs = pairs, .exchanged = Exchanged::receives, .message_bytes = size};
    CHECK(timed(one_way, on) == close_to(pairs * core_s, part));
  }
  // Two hot spots have two cores.
  CHECK(timed({.hot_spots = 2, .intra_pairs = 4, .message_bytes = size}, on) ==
        close_to(4 * core_s, 0.01));
}

TEST_CASE("the surface has all pairs, and those of one kind also in one direction") {
  const SurfaceSpec spec{.message_bytes = {size},
                         .orders = {PostingOrder::intra_first, PostingOrder::inter_first},
                         .hot_spots = {1},
                         .intra_pairs = {0, 1, 2},
                         .inter_pairs = {0, 1}};
  const auto points = surface_points(spec);
  CHECK(points.size() == 2 * (5 + 2 * 3));
  CHECK(std::ranges::none_of(
      points, [](const auto& each) { return each.intra_pairs + each.inter_pairs == 0; }));
  CHECK(grid_values(7, 8) == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(grid_values(7, 3) == std::vector<std::int64_t>{0, 4, 7});
  CHECK(grid_values(2, 9) == std::vector<std::int64_t>{0, 1, 2});
}

TEST_CASE("the saturated link is named") {
  const auto on = machine();
  const Fireworks inter{.inter_pairs = 5, .message_bytes = size};
  const auto nic = busiest_link(inter, on);
  CHECK(nic.name.find("n0") == std::string::npos);  // a link's name, not a host's
  CHECK(nic.name.find("_0_") != std::string::npos);
  CHECK(nic.busy_s == close_to(timed(inter, on), 0.01));
  const Fireworks intra{.intra_pairs = 5, .message_bytes = size};
  CHECK(busiest_link(intra, on).name == "core of rank 0");
}

TEST_CASE("the number of pairs is limited by the machine") {
  const auto on = machine();
  SurfaceSpec spec{.message_bytes = {size},
                   .orders = {PostingOrder::intra_first},
                   .hot_spots = {1},
                   .intra_pairs = {},
                   .inter_pairs = {}};
  CHECK(set_pairs(spec, {.most_inside = {}, .most_outside = {}, .samples = 2}, on).value().empty());
  CHECK(spec.intra_pairs == std::vector<std::int64_t>{0, 7});
  const auto too_many =
      set_pairs(spec, {.most_inside = 9, .most_outside = 9, .samples = {}}, on).error();
  CHECK(too_many.message == "room for only 7 partners inside a node and 9 on other nodes");
  CHECK(too_many.hint == "use --max-pairs 7x9, or fewer --hot-spots");
  CHECK(set_pairs(spec, {.most_inside = 2, .most_outside = 9, .samples = {}}, on).value().empty());
  CHECK(spec.intra_pairs.back() == 2);
  CHECK(spec.inter_pairs.back() == 9);
  spec.hot_spots = {8};
  CHECK(set_pairs(spec, {}, on).error().place == "--hot-spots");
  spec.hot_spots = {4};
  CHECK(set_pairs(spec, {}, on).value() ==
        "measuring with only 4 partners inside a node and 7 on other nodes");
  CHECK(spec.inter_pairs.size() == 8);
}

TEST_CASE("a study of message costs runs without a command") {
  const auto on = machine();
  const SurfaceSpec spec{.message_bytes = {size},
                         .orders = {PostingOrder::intra_first},
                         .hot_spots = {1},
                         .intra_pairs = {0, 1, 2},
                         .inter_pairs = {0, 1, 2}};
  const auto found =
      measure_costs(spec, engines::EngineKind::flow, on, studies::quiet_runner({.jobs = 2}));
  CHECK(found.is_whole());
  CHECK(found.rounds.size() == surface_points(spec).size());
  REQUIRE(found.costs.models.size() == 1);
  CHECK(found.costs.models.front().message_bytes == size);
  CHECK(found.costs.platform_hash == on.content_hash);
  CHECK(found.warnings.empty());
}
