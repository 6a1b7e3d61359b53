// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/analysis/distances.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "platforms/reader.hpp"
#include "platforms/topologies/dragonfly.hpp"
#include "platforms/topologies/fat_tree.hpp"
#include "platforms/topologies/flat_cluster.hpp"
#include "platforms/topologies/torus.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/topology_checks.hpp"

using namespace tutti;
using namespace tutti::platforms;
using tests::cluster_spec;

namespace {

struct Longest {
  std::size_t links = 0;
  Seconds latency_s = 0;
};

Longest longest_of_all(const Topology& topology) {
  Longest longest;
  for (HostId from = 0; from < topology.host_count(); ++from)
    for (HostId to = 0; to < topology.host_count(); ++to) {
      if (from == to) continue;
      const auto links = tests::route_of(topology, from, to);
      Seconds latency_s = 0;
      for (const auto id : links) latency_s += topology.link(id).latency_s;
      longest.links = std::max(longest.links, links.size());
      longest.latency_s = std::max(longest.latency_s, latency_s);
    }
  return longest;
}

void check_all(const Topology& topology) {
  CAPTURE(topology.kind());
  const Longest longest = longest_of_all(topology);
  const Diameter found = diameter(topology);
  const std::uint64_t hosts = topology.host_count();
  CHECK(found.links == longest.links);
  CHECK(found.latency_s == tests::exactly(longest.latency_s));
  CHECK(found.all_pairs);
  CHECK(found.pairs == hosts * (hosts - 1));
  for (LinkId id = 0, end = 0; id < topology.link_count(); id = end) {
    end = topology.end_of_equal_links(id);
    REQUIRE(end > id);
    REQUIRE(end <= topology.link_count());
    for (LinkId other = id; other < end; ++other) {
      CHECK(topology.link(other).bandwidth_Bps == topology.link(id).bandwidth_Bps);
      CHECK(topology.link(other).latency_s == topology.link(id).latency_s);
    }
  }
}

// Clusters of every kind: both sharing policies, with and without limiters.
std::vector<ClusterSpec> specs_of(std::uint32_t hosts) {
  std::vector<ClusterSpec> specs(4, cluster_spec(hosts));
  specs[1].sharing = NicSharing::shared;
  specs[2].limiter_Bps = 5e9;
  specs[3].limiter_Bps = 5e9;
  specs[3].sharing = NicSharing::shared;
  return specs;
}

std::string chain_of_hosts(int hosts) {
  std::string xml = "<platform version=\"4.1\"><zone id=\"z\" routing=\"Dijkstra\">";
  for (int i = 0; i < hosts; ++i) xml += "<host id=\"h" + std::to_string(i) + "\" speed=\"1Gf\"/>";
  xml += "<link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\"/>";
  for (int i = 1; i < hosts; ++i)
    xml += "<route src=\"h" + std::to_string(i - 1) + "\" dst=\"h" + std::to_string(i) +
           "\"><link_ctn id=\"l\"/></route>";
  return xml + "</zone></platform>";
}

}  // namespace

TEST_CASE("the longest route by rule is that of all routes, and rows of equal links are equal") {
  for (const auto& dimensions : std::vector<std::vector<std::uint32_t>>{
           {2}, {7}, {8}, {4, 3}, {5, 4, 3}, {2, 2, 2, 2, 2}, {1, 6, 2}, {1, 1, 3, 1}}) {
    std::uint32_t hosts = 1;
    for (const auto size : dimensions) hosts *= size;
    for (const auto& spec : specs_of(hosts)) check_all(Torus(spec, {.dimensions = dimensions}));
  }
  for (const auto& spec : specs_of(16)) {
    check_all(FatTree(spec, {.down = {4, 4}, .up = {1, 2}, .ports = {1, 2}}));
    check_all(FatTree(spec, {.down = {16, 1}, .up = {1, 3}, .ports = {1, 1}}));
    check_all(FatTree(spec, {.down = {1, 8, 2}, .up = {2, 2, 1}, .ports = {1, 1, 3}}));
    check_all(FlatCluster({spec, std::nullopt, ""}));
    check_all(FlatCluster({spec, Link{.bandwidth_Bps = 1e10, .latency_s = 3e-6}, ""}));
    check_all(Dragonfly(spec, {.groups = 2,
                               .group_links = 3,
                               .chassis = 2,
                               .chassis_links = 2,
                               .routers = 2,
                               .router_links = 4,
                               .nodes = 2}));
  }
}

TEST_CASE("in zones, rows of equal links end at the end of a cluster or of a zone's loopbacks") {
  const auto chain = read_machine(chain_of_hosts(9), "chain.xml");
  REQUIRE(chain);
  check_all(*chain->topology);
  const auto zones = read_machine(R"(<platform version="4.1"><zone id="site" routing="Full">
    <cluster id="old" prefix="o" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="5us"
             bb_bw="9GBps" bb_lat="1us" limiter_link="2GBps"/>
    <cluster id="new" prefix="n" suffix="" radical="0-2" speed="1Gf" bw="2GBps" lat="3us"/>
    <link id="between" bandwidth="5GBps" latency="20us"/>
    <zoneRoute src="old" dst="new" gw_src="oold_router" gw_dst="nnew_router">
      <link_ctn id="between"/></zoneRoute></zone></platform>)",
                                  "zones.xml");
  REQUIRE(zones);
  check_all(*zones->topology);
}

TEST_CASE("a ring of 16 million hosts gets its diameter from one route") {
  const Torus ring(cluster_spec(1 << 24), {.dimensions = {1 << 24}});
  const Diameter found = diameter(ring);
  CHECK(found.links == 1 << 23);
  CHECK(found.latency_s == tests::close_to(8.388608, 1e-9));
  CHECK(found.all_pairs);
  CHECK(ring.end_of_equal_links(0) == ring.link_count());
}

TEST_CASE("without a rule, an affordable number of routes is followed") {
  const auto small = read_machine(chain_of_hosts(100), "chain.xml");
  REQUIRE(small);
  CHECK(diameter(*small->topology).all_pairs);
  CHECK(diameter(*small->topology).links == 99);
  const auto large = read_machine(chain_of_hosts(2000), "chain.xml");
  REQUIRE(large);
  const Diameter found = diameter(*large->topology);
  CHECK(found.links == 1999);  // from the first host, which is always included
  CHECK(!found.all_pairs);
  CHECK(found.pairs >= 1999);
  CHECK(found.pairs < 200'000);  // of about 700 links each
}

TEST_CASE("a large dragonfly is sampled at hosts across all of it") {
  const Dragonfly fly(cluster_spec(16 * 16 * 16 * 16), {.groups = 16,
                                                        .group_links = 1,
                                                        .chassis = 16,
                                                        .chassis_links = 1,
                                                        .routers = 16,
                                                        .router_links = 1,
                                                        .nodes = 16});
  const Diameter found = diameter(fly);
  CHECK(found.links == 7);
  CHECK(!found.all_pairs);
  CHECK(found.pairs > 1'000'000);
}
