// SPDX-License-Identifier: BSD-3-Clause
// The placements that `sim place` compares, and its search.
#include <doctest/doctest.h>

#include <string>

#include "platforms/reader.hpp"
#include "sim/place/place.hpp"

using namespace tutti;
using namespace tutti::studies::place;
using platforms::HostId;

namespace {

// Leaf switches of two nodes, with one link up: 2:1 oversubscribed.
platforms::Machine pairs_of_nodes() {
  constexpr const char* xml = R"(<platform version="4.1">
<cluster id="c" prefix="n" radical="0-7" core="1" bw="1GBps" lat="1us" topology="FAT_TREE"
         topo_parameters="2;2,4;1,1;1,1"/>
</platform>)";
  return platforms::read_machine(xml, "pairs.xml").value();
}

PlaceSpec neighbors_spec(const std::string& map) {
  PlaceSpec spec;
  studies::Sweep sweep;
  sweep.collective = "allgather";
  sweep.algorithms = {"ring"};
  sweep.procs = {8};
  sweep.message_bytes = {1 << 20};
  spec.sweeps = {sweep};
  spec.usual = {.procs = 8,
                .policy = platforms::MapPolicy::file,
                .file = "m",
                .map_text = std::make_shared<const std::string>(map)};
  return spec;
}

Placements found_by(const PlaceSpec& spec, int jobs = 2) {
  return compare_placements(spec, pairs_of_nodes(), studies::quiet_runner({.jobs = jobs})).value();
}

const Placed& named(const Placements& placements, const std::string& name) {
  const auto found = std::ranges::find(placements.all, name, &Placed::name);
  REQUIRE(found != placements.all.end());
  return *found;
}

// Consecutive ranks are never on one leaf switch.
const std::string scattered = "rank,node\n0,0\n1,2\n2,4\n3,6\n4,1\n5,3\n6,5\n7,7\n";

}  // namespace

TEST_CASE("nodes by distance: those of a leaf switch follow each other") {
  const auto machine = pairs_of_nodes();
  CHECK(by_distance({7, 0, 4, 1, 6}, machine) == std::vector<HostId>{0, 1, 4, 6, 7});
  CHECK(by_distance({5, 2, 4}, machine) == std::vector<HostId>{2, 4, 5});
  CHECK(by_distance({3}, machine) == std::vector<HostId>{3});
  CHECK(by_distance({}, machine).empty());
}

TEST_CASE("equally fast placements are ties, the default mapping first") {
  // Every placement of one rank per node gives these calls the same time.
  auto spec = neighbors_spec(scattered);
  spec.sweeps[0].collective = "barrier";
  spec.sweeps[0].algorithms = {"linear"};
  spec.sweeps[0].message_bytes = {0};
  spec.budget = 0;
  const auto found = compare_placements(
      spec, pairs_of_nodes(), [](const auto& points) { return studies::quiet_runner({})(points); });
  REQUIRE(found);
  std::vector<double> ratios;
  for (const auto& each : found->all) {
    const auto faster = std::ranges::count_if(
        found->all, [&](const Placed& other) { return other.ratio < each.ratio * (1 - 1e-9); });
    CHECK(each.rank == 1 + faster);
  }
  CHECK(found->all.front().rank == 1);
}

TEST_CASE("placements are not ranked if the default mapping failed, and failed ones are named") {
  auto spec = neighbors_spec(scattered);
  spec.budget = 8;
  for (const std::size_t failing : {0, 1}) {
    const auto found = compare_placements(spec, pairs_of_nodes(), [=](const auto& points) {
      auto run = studies::quiet_runner({})(points);
      if (points.size() > 2) {
        run.answers[failing].reset();
        run.failed.push_back("killed");
        run.code = 1;
      }
      return run;
    });
    REQUIRE(found);
    CHECK(found->usual_calls.empty() == (failing == 0));
    // Placements of the same nodes share a simulation.
    const auto is_omitted = [&](const char* name) {
      return std::ranges::count(found->omitted, name) > 0;
    };
    CHECK(is_omitted("file:m") == (failing == 0));
    CHECK(is_omitted("block on these nodes") == (failing == 1));
    CHECK(found->run.code == 1);
    CHECK((found->rounds > 0) == (failing == 1));
  }
}

TEST_CASE("a ring is faster if the ranks of a leaf switch follow each other") {
  auto spec = neighbors_spec(scattered);
  spec.budget = 0;
  const auto found = found_by(spec);
  CHECK(found.usual == "file:m");
  CHECK(found.rounds == 0);
  const auto& by_topology = named(found, "by topology");
  CHECK(by_topology.placement.host_of == std::vector<HostId>{0, 1, 2, 3, 4, 5, 6, 7});
  // Two flows share each uplink in one placement, one in the other.
  CHECK(by_topology.ratio < 0.6);
  CHECK(named(found, "file:m").ratio == 1);
  CHECK(found.all.front().ratio <= by_topology.ratio);
  CHECK(std::ranges::is_sorted(found.all, {}, &Placed::ratio));
  // `block on these nodes` is the same placement, and simulated once.
  CHECK(named(found, "block on these nodes").ratio == by_topology.ratio);
  CHECK(found.simulated < found.all.size());
}

TEST_CASE("the search improves the fastest placement, by its seed, whatever the number of jobs") {
  auto spec = neighbors_spec("rank,node\n0,0\n1,1\n2,2\n3,3\n4,4\n5,5\n6,6\n7,7\n");
  spec.sweeps[0].algorithms = {"recursive_doubling"};
  spec.budget = 80;
  const auto one = found_by(spec, 1), two = found_by(spec, 2);
  CHECK(one.rounds == 10);
  CHECK(one.all.front().ratio == two.all.front().ratio);
  CHECK(one.all.front().placement.host_of == two.all.front().placement.host_of);
  CHECK(one.simulated == two.simulated);
  // The last step of recursive doubling has the most data: ranks r and r + 4 on a leaf switch are
  // faster than any of the placements by rules.
  CHECK(one.all.front().name.starts_with("search from "));
  CHECK(one.all.front().ratio < 0.9 * one.all[1].ratio);
}

TEST_CASE("a mapping that does not fit is an error") {
  auto spec = neighbors_spec("rank,node\n0,0\n");
  const auto found = compare_placements(spec, pairs_of_nodes(), studies::quiet_runner({.jobs = 1}));
  REQUIRE_FALSE(found);
  CHECK(found.error().place == "m");
}
