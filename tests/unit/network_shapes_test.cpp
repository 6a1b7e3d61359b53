// SPDX-License-Identifier: BSD-3-Clause
// Clusters with a topology that SimGrid does not know, rails and levels of links: what the reader
// creates, and what it rejects.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "platforms/changed_machine.hpp"
#include "platforms/reader.hpp"
#include "platforms/servers.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/platform_text.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

std::string network(const std::string& topology, const std::string& parameters,
                    std::uint32_t hosts) {
  return fmt::format(
      "<platform version='4.1'>\n<cluster id='c' prefix='h' radical='0-{}' bw='1GBps' lat='1us' "
      "topology='{}'\ntopo_parameters='{}'/></platform>",
      hosts - 1, topology, parameters);
}

std::string flat_network(std::uint32_t hosts) {
  return fmt::format(
      "<platform version='4.1'>\n<cluster id='c' prefix='h' radical='0-{}' bw='1GBps' "
      "lat='1us'/></platform>",
      hosts - 1);
}

const std::string plus = "DRAGONFLY_PLUS", canonical = "DRAGONFLY_1D";

}  // namespace

TEST_CASE("the topologies that SimGrid does not know are read") {
  struct Case {
    std::string topology, parameters;
    std::uint32_t hosts;
    std::string kind;
    LinkId links;
  };
  for (const auto& c :
       std::vector<Case>{{plus, "4,6;3,3,1;2", 24, "dragonfly+", 2 * (24 + 36 + 36)},
                         {plus, "4,6;3,3,1;2x8,1x3,0x1", 19, "dragonfly+", 2 * (19 + 36 + 36)},
                         {canonical, "4,2;4,1;2", 32, "1D dragonfly", 2 * (32 + 24 + 12)},
                         {canonical, "4,2;4,3;1x12,3x4", 24, "1D dragonfly", 2 * (24 + 72 + 12)},
                         {"HYPERX", "4,3;1,2;2", 24, "HyperX", 2 * (24 + 3 * 6 + 4 * 3 * 2)},
                         {"TOFU", "2,1,3,2,3,2", 72, "Tofu", 2 * (72 + 72 + 36 + 72 + 36)}}) {
    CAPTURE(c.parameters);
    const auto machine = good(network(c.topology, c.parameters, c.hosts));
    CHECK(machine.topology->kind() == c.kind);
    CHECK(machine.topology->parameters() == c.parameters);
    CHECK(machine.topology->link_count() == c.links);
    CHECK(machine.topology->host_name(3) == "h3");
    CHECK(machine.topology->find_host("h3") == 3);
  }
}

TEST_CASE("invalid sizes of these topologies are rejected at their place, with a hint") {
  struct Rejected {
    std::string topology, parameters;
    std::uint32_t hosts;
    std::string message, hint;
  };
  for (const auto& c : std::vector<Rejected>{
           {plus, "4,6;3,3,1", 24, "2 field(s), but a dragonfly+ has 3", "CELLS,GLOBAL"},
           {plus, "4;3,3,1;2", 24, "invalid pair '4': expected COUNT,LINKS", "CELLS,GLOBAL"},
           {plus, "4,6;3,3;2", 24, "invalid cell '3,3': expected LEAVES,SPINES,LOCAL", ""},
           {plus, "4,6;3,3,1;2", 23, "4 x 3 x 2 yields 24 nodes, but the radical has 23",
            "radical=\"0-23\""},
           {plus, "4,6;3,3,1;2x8,1x4", 24, "2 x 8 + 1 x 4 yields 20 nodes, but the radical has 24",
            ""},
           {plus, "4,6;3,3,1;2x8", 16,
            "the runs '2x8' have 8 switches, but there are 12 with nodes", "NODESxSWITCHES"},
           {plus, "4,6;3,3,1;2x8,4", 16, "invalid run '4': expected NODESxSWITCHES", ""},
           {plus, "4,6;3,3,1;0x12", 16, "no switch has nodes", ""},
           {canonical, "4,2;4;2", 32, "invalid pair '4': expected COUNT,LINKS", "GROUPS,GLOBAL"},
           {canonical, "60000,60000;1,1;1", 60000, "more than 2147483648 links", "limit"},
           {"HYPERX", "4,3;1;2", 24, "2 size(s), but 1 number(s) of parallel links", "S1,S2"},
           {"TOFU", "2,2,2,2,2,2", 64, "invalid axes A,B,C 2,2,2: expected 2,3,2", "X,Y,Z"},
           {"TOFU", "2,2,2", 8, "3 size(s), but Tofu has 6 axes", ""}}) {
    CAPTURE(c.parameters);
    const auto errors = bad(network(c.topology, c.parameters, c.hosts));
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].message == "topo_parameters: " + c.message);
    CHECK(errors[0].line == 3);
    CHECK(errors[0].column == 18);
    CHECK(errors[0].hint.find(c.hint) != std::string::npos);
  }
}

TEST_CASE("levels of links are set by keys") {
  const auto fly = good(network(plus, "4,6;3,3,1;2", 24),
                        {{"link/global/bandwidth", "4GBps"}, {"link/node/latency", "3us"}});
  CHECK(fly.link(0).bandwidth_Bps == 1e9);
  CHECK(fly.link(0).latency_s == 3e-6);
  CHECK(fly.link(2 * 24).latency_s == 1e-6);
  CHECK(fly.link(2 * (24 + 36)).bandwidth_Bps == 4e9);
  const auto tree = good(network("FAT_TREE", "2;4,4;1,2;1,2", 16),
                         {{"link/level2/bandwidth", "2GBps"}, {"link/bandwidth", "3GBps"}});
  CHECK(tree.link(0).bandwidth_Bps == 3e9);
  CHECK(tree.link(32).bandwidth_Bps == 2e9);
  CHECK(
      bad(network("FAT_TREE", "2;4,4;1,2;1,2", 16), {{"link/level3/latency", "1us"}})[0].message ==
      "link/level3/latency: a fat tree has no links of level 'level3'");
  const auto no_level = bad(network("TORUS", "4,4", 16), {{"link/node/latency", "1us"}})[0];
  CHECK(no_level.message == "link/node/latency: a torus has no links of level 'node'");
  CHECK(no_level.hint == "levels: dimension1, dimension2");
  CHECK(bad(network("TORUS", "4,4", 16), {{"link/dimension3/latency", "1us"}})[0].message ==
        "link/dimension3/latency: a torus has no links of level 'dimension3'");
  CHECK(bad(network("TOFU", "2,1,3,2,3,2", 72), {{"link/dimension7/latency", "1us"}})[0].hint ==
        "levels: dimension1, dimension2, dimension3, dimension4, dimension5, dimension6");
  CHECK(bad(network("DRAGONFLY", "2,1;2,1;2,1;2", 16), {{"link/level1/latency", "1us"}})[0].hint ==
        "levels: node, local, global");
  CHECK(bad(flat_network(4), {{"link/node/latency", "1us"}})[0].hint ==
        "link/bandwidth and link/latency apply to all links");
  CHECK(bad(flat_network(4), {{"link/nodes/latency", "1us"}})[0].message.find("unknown key") !=
        std::string::npos);
}

namespace {

// The links of a route whose bandwidths and latencies (in GB/s and us) are numbers of their level.
std::vector<double> levels_on_route(const Machine& machine, HostId from, HostId to) {
  std::vector<LinkId> links;
  machine.topology->route(from, to, links);
  std::vector<double> levels;
  for (const LinkId id : links) {
    const Link link = machine.link(id);
    CHECK(link.latency_s == tests::exactly(link.bandwidth_Bps / 1e15));
    levels.push_back(link.bandwidth_Bps / 1e9);
  }
  return levels;
}

// Sets each level to its number.
std::vector<Override> numbered_levels(const std::vector<std::string>& names) {
  std::vector<Override> settings;
  for (std::size_t i = 0; i < names.size(); ++i) {
    settings.push_back({fmt::format("link/{}/bandwidth", names[i]), fmt::format("{}GBps", i + 1)});
    settings.push_back({fmt::format("link/{}/latency", names[i]), fmt::format("{}us", i + 1)});
  }
  return settings;
}

std::vector<std::string> dimensions(int count) {
  std::vector<std::string> names;
  for (int d = 1; d <= count; ++d) names.push_back(fmt::format("dimension{}", d));
  return names;
}

// Links in ranges that are reported as equal must be equal.
void check_equal_ranges(const Machine& machine) {
  LinkId ranges = 0;
  for (LinkId first = 0; first < machine.topology->link_count(); ++ranges) {
    const LinkId end = machine.topology->end_of_equal_links(first);
    REQUIRE(end > first);
    REQUIRE(end <= machine.topology->link_count());
    for (LinkId id = first; id < end; ++id) {
      CHECK(machine.link(id).bandwidth_Bps == machine.link(first).bandwidth_Bps);
      CHECK(machine.link(id).latency_s == machine.link(first).latency_s);
    }
    first = end;
  }
  CHECK(ranges > 1);
}

}  // namespace

TEST_CASE("each dimension of a torus is a level of links") {
  const auto torus = good(network("TORUS", "4,3,2", 24), numbered_levels(dimensions(3)));
  CHECK(levels_on_route(torus, 0, 1) == std::vector<double>{1});
  CHECK(levels_on_route(torus, 0, 4 * 2) == std::vector<double>{2});  // backward
  CHECK(levels_on_route(torus, 23, 0) == std::vector<double>{1, 2, 3});
  CHECK(levels_on_route(torus, 0, 2 + 4 * 1 + 12) == std::vector<double>{1, 1, 2, 3});
  check_equal_ranges(torus);
  const auto job = good(network("TORUS", "4,3,2", 24), {{"torus/dimensions", "4x4"},
                                                        {"link/dimension2/bandwidth", "2GBps"},
                                                        {"link/dimension2/latency", "2us"}});
  CHECK(levels_on_route(job, 0, 5) == std::vector<double>{1, 2});
}

TEST_CASE("the axes of a folded torus have the links of their dimension") {
  auto settings = numbered_levels(dimensions(2));
  settings.push_back({"torus/network_axes", "4"});
  // 4 x 8 on the axes 2 (of dimension 2), 2 (of 1), 4 (of 2), 2 (of 1).
  const auto folded = good(network("TORUS", "4,8", 32), settings);
  CHECK(folded.topology->parameters() == "4,8 on 2,2,4,2");
  CHECK(levels_on_route(folded, 0, 1) == std::vector<double>{1});
  CHECK(levels_on_route(folded, 1, 2) == std::vector<double>{1});
  CHECK(levels_on_route(folded, 0, 4) == std::vector<double>{2});
  CHECK(levels_on_route(folded, 4, 8) == std::vector<double>{2});
  check_equal_ranges(folded);
}

TEST_CASE("each axis of Tofu is a level of links") {
  const auto tofu = good(network("TOFU", "4,1,3,2,3,2", 144), numbered_levels(dimensions(6)));
  const HostId x = 1, z = 4, a = 12, b = 24, c = 72;
  CHECK(levels_on_route(tofu, 0, 2 * x) == std::vector<double>{1, 1});
  CHECK(levels_on_route(tofu, 0, z) == std::vector<double>{3});
  CHECK(levels_on_route(tofu, 0, a) == std::vector<double>{4});
  CHECK(levels_on_route(tofu, 0, 2 * b) == std::vector<double>{5});
  CHECK(levels_on_route(tofu, c, 0) == std::vector<double>{6});
  CHECK(levels_on_route(tofu, 0, x + z + a + b + c) == std::vector<double>{5, 6, 4, 3, 1});
  check_equal_ranges(tofu);
}

TEST_CASE("a dragonfly has links of nodes, local and global ones") {
  // 2 groups of 2 chassis of 3 routers of 2 nodes; 2 wires per blue, 3 per black, 1 per green link.
  const auto machine =
      good(network("DRAGONFLY", "2,2;2,3;3,1;2", 24), numbered_levels({"node", "local", "global"}));
  const auto bandwidths = [&](HostId from, HostId to) {
    std::vector<LinkId> links;
    machine.topology->route(from, to, links);
    std::vector<double> found;
    for (const LinkId id : links) found.push_back(machine.link(id).bandwidth_Bps / 1e9);
    return found;
  };
  CHECK(bandwidths(0, 1) == std::vector<double>{1, 1});
  CHECK(bandwidths(0, 2) == std::vector<double>{1, 2, 1});      // green
  CHECK(bandwidths(0, 6) == std::vector<double>{1, 3 * 2, 1});  // black
  // Router 0 of chassis 0 to that of group 1: green to router 1, blue, to router 0.
  CHECK(bandwidths(0, 12) == std::vector<double>{1, 2, 2 * 3, 1});
  check_equal_ranges(machine);
}

TEST_CASE("nodes have as many NICs as topology/rails") {
  const std::string tree = network("FAT_TREE", "2;4,4;1,2;1,1", 16);
  const auto planes = good(tree, {{"topology/rails", "3"}});
  CHECK(planes.topology->rails() == 3);
  CHECK(planes.host_count() == 16);
  CHECK(planes.topology->link_count() == 3 * 2 * (16 + 8));
  const std::string half = network("FAT_TREE", "2;4,4;1,2;1,1", 8);
  for (const char* order : {"leaves", "node"}) {
    const auto shared = good(half, {{"topology/rails", "2"}, {"topology/rail_order", order}});
    CHECK(shared.host_count() == 8);
    CHECK(shared.topology->link_count() == 2 * (16 + 8));
    CHECK(shared.topology->kind() == fmt::format("fat tree with 2 rails ({})", order));
  }
  const auto flat =
      good(flat_network(5), {{"topology/rails", "2"}, {"topology/rail_order", "node"}});
  std::vector<LinkId> links;
  flat.topology->rail_route({1, 4, 1, 1}, links);
  CHECK(links == std::vector<LinkId>{2 * 3, 2 * 9 + 1});
}

TEST_CASE("invalid rails are rejected with a hint") {
  const std::string tree = network("FAT_TREE", "2;4,4;1,2;1,1", 16);
  CHECK(bad(tree, {{"topology/rails", "2"}, {"topology/rail_order", "node"}})[0].message ==
        "topo_parameters: 4 x 4 yields 16 NICs, but 16 nodes have 2 NICs each");
  CHECK(bad(tree, {{"topology/rail_order", "node"}})[0].hint == "also set topology/rails");
  CHECK(bad(tree, {{"topology/rails", "2"}, {"topology/rail_order", "leafs"}})[0].message ==
        "topology/rail_order: invalid value 'leafs': expected planes, leaves or node");
  CHECK(bad(network("FAT_TREE", "2;4,3;1,2;1,1", 6),
            {{"topology/rails", "2"}, {"topology/rail_order", "leaves"}})[0]
            .message.find("needs a multiple of 4 nodes") != std::string::npos);
  CHECK(bad(network("TORUS", "4,4", 16), {{"topology/rails", "2"}})[0].message ==
        "topology/rails: only flat clusters and fat trees have rails");
}

TEST_CASE("a logical torus on Tofu is set by torus/dimensions") {
  const std::string tofu = network("TOFU", "2,1,3,2,3,2", 72);
  const auto machine = good(tofu, {{"torus/dimensions", "4x3x6"}});
  CHECK(machine.topology->parameters() == "2,1,3,2,3,2 as 4x3x6");
  CHECK(bad(tofu, {{"torus/dimensions", "5x3x6"}})[0].message ==
        "torus/dimensions: '5x3x6' does not fit: each size must be a product of some of the axes "
        "2,1,3,2,3,2");
  CHECK(bad(tofu, {{"torus/dimensions", "5x3x6"}})[0].hint == "for example 4x3x6");
  CHECK(bad(tofu, {{"torus/dimensions", "2x2x2x9"}})[0].message.find("at most 3") !=
        std::string::npos);
  CHECK(bad(tofu, {{"torus/network_axes", "6"}})[0].message ==
        "torus/network_axes: the cluster is not a torus");
}

TEST_CASE("servers and scaled machines keep the paths and rails of the network") {
  const auto plain = good(network(plus, "4,6;3,3,1;2", 24));
  const auto with = with_servers(plain, {.count = 2});
  const RouteEnds ends{.source = 0, .destination = 23};
  const auto quicker = with_scaled_bytes(plain, 2);
  for (const Topology* topology : {with.topology.get(), quicker.topology.get()}) {
    CHECK(topology->shortest_paths(ends) == plain.topology->shortest_paths(ends));
    CHECK(topology->detours(ends) == plain.topology->detours(ends));
  }
  CHECK(with.topology->shortest_paths({0, 24}) == 1);
  CHECK(with.topology->detours({0, 24}) == 0);
  const auto rails = good(flat_network(4), {{"topology/rails", "2"}});
  CHECK(with_servers(rails, {.count = 1}).topology->rails() == 2);
}
