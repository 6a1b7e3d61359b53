// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/servers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "platforms/topologies/dragonfly.hpp"
#include "platforms/topologies/fat_tree.hpp"
#include "platforms/topologies/flat_cluster.hpp"
#include "platforms/topologies/torus.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/topology_checks.hpp"

using namespace tutti;
using namespace tutti::platforms;
using tests::cluster_spec;
using tests::flat_spec;
using tests::route_names;
using tests::route_of;

namespace {

Servers behind(std::shared_ptr<const Topology> network, HostId count) {
  return Servers(std::move(network), {.count = count});
}

// A server's links are only in its own routes: the last link in, the first link out. At leaf
// switches the others are those of its neighbour's route, which has the same number.
void check_routes(const Servers& servers, const Topology& network) {
  const HostId hosts = servers.host_count();
  const auto is_own = [&](HostId host, LinkId id) {
    return host >= servers.first_server() &&
           servers.link_name(id).starts_with(servers.host_name(host) + "_");
  };
  const auto near = [&](HostId id) {
    return id < servers.first_server() ? id : servers.neighbour(id - servers.first_server());
  };
  for (HostId from = 0; from < hosts; ++from)
    for (HostId to = 0; to < hosts; ++to) {
      const auto links = route_of(servers, from, to);
      REQUIRE(!links.empty());
      if (from >= servers.first_server()) REQUIRE(is_own(from, links.front()));
      if (to >= servers.first_server() && to != from) REQUIRE(is_own(to, links.back()));
      if (network.leaf_switches() && near(from) != near(to)) {
        const auto original = route_of(network, near(from), near(to));
        REQUIRE(links.size() == original.size());
        for (std::size_t i = 0; i < links.size(); ++i)
          REQUIRE((links[i] == original[i] || is_own(from, links[i]) || is_own(to, links[i])));
      }
      for (const LinkId id : links) {
        REQUIRE(id < servers.link_count());
        if (servers.link_name(id).starts_with("storage-"))
          REQUIRE((is_own(from, id) || is_own(to, id)));
      }
    }
}

}  // namespace

TEST_CASE("a server on a flat cluster has a link to the hub like a host's") {
  const Servers servers = behind(std::make_shared<FlatCluster>(flat_spec(3)), 2);
  CHECK(servers.host_count() == 5);
  CHECK(servers.link_count() == 10);
  CHECK(servers.kind() == "flat cluster");
  CHECK(servers.host_name(2) == "n2");
  CHECK(servers.host_name(4) == "storage-1");
  for (HostId id = 0; id < 5; ++id) CHECK(servers.find_host(servers.host_name(id)) == id);
  for (const std::string name : {"storage-2", "storage-", "storage-01", "storage--1", "n3"})
    CHECK_FALSE(servers.find_host(name));
  CHECK(route_names(servers, 0, 1) == "c_link_0_UP c_link_1_DOWN");
  CHECK(route_names(servers, 2, 3) == "c_link_2_UP storage-0_link_DOWN");
  CHECK(route_names(servers, 0, 3) == "c_link_0_UP storage-0_link_DOWN");  // its neighbour
  CHECK(route_names(servers, 3, 0) == "storage-0_link_UP c_link_0_DOWN");
  CHECK(route_names(servers, 3, 4) == "storage-0_link_UP storage-1_link_DOWN");
  CHECK(route_names(servers, 4, 4) == "storage-1_link_UP storage-1_link_DOWN");
  CHECK(servers.link(9).bandwidth_Bps == 1e9);
  CHECK(servers.link(9).latency_s == 1e-6);
}

TEST_CASE("a server's link has the parameters of its spec") {
  const Servers servers(std::make_shared<FlatCluster>(flat_spec(3)),
                        {.count = 2, .bandwidth_Bps = 5e9, .latency_s = 0});
  CHECK(servers.link(5).bandwidth_Bps == 1e9);
  CHECK(servers.link(6).bandwidth_Bps == 5e9);
  CHECK(servers.link(6).latency_s == 0);
}

TEST_CASE("servers have the same backbone, shared links and limiters as the hosts") {
  auto spec = flat_spec(2);
  spec.backbone = Link{.bandwidth_Bps = 5e8, .latency_s = 5e-6};
  spec.sharing = NicSharing::shared;
  spec.limiter_Bps = 3e9;
  const auto network = std::make_shared<FlatCluster>(spec);
  const Servers servers = behind(network, 3);  // at n0, n1, n0
  CHECK(route_names(servers, 0, 3) ==
        "c_link_0_limiter c_link_0 c_backbone storage-1_link storage-1_limiter");
  CHECK(route_names(servers, 2, 0) ==
        "storage-0_limiter storage-0_link c_backbone c_link_0 c_link_0_limiter");
  CHECK(route_names(servers, 2, 4) ==
        "storage-0_limiter storage-0_link c_backbone storage-2_link storage-2_limiter");
  CHECK(route_names(servers, 2, 2) == "storage-0_limiter storage-0_link c_backbone");
  CHECK(servers.link(servers.link_count() - 1).bandwidth_Bps == 3e9);
  CHECK(servers.nic_links() == 2);
  check_routes(servers, *network);
}

TEST_CASE("servers are attached to the leaf switches of a fat tree in turn") {
  const FatTreeShape shape{.down = {4, 4}, .up = {1, 2}, .ports = {1, 2}};
  const Servers servers = behind(std::make_shared<FatTree>(cluster_spec(16), shape), 6);
  const std::vector<HostId> neighbours{0, 5, 10, 15, 0, 5};
  for (HostId server = 0; server < 6; ++server)
    CHECK(servers.neighbour(server) == neighbours[server]);
  CHECK(route_names(servers, 4, 17) == "link_from_4_30_4_UP storage-1_link_DOWN");
  CHECK(route_of(servers, 0, 17).size() == route_of(servers, 0, 5).size());
}

TEST_CASE("routes with servers are walks along the links") {
  const auto check = [](std::shared_ptr<const Topology> network, std::vector<HostId> counts) {
    for (const HostId count : counts) {
      const Servers servers = behind(network, count);
      tests::check_routes_are_walks(servers);
      check_routes(servers, *network);
    }
  };
  check(std::make_shared<FlatCluster>(flat_spec(1)), {1, 3});
  check(std::make_shared<FlatCluster>(flat_spec(7)), {1, 5, 20});
  for (const FatTreeShape& shape :
       {FatTreeShape{{4, 4}, {1, 2}, {1, 1}}, FatTreeShape{{4, 4}, {1, 2}, {1, 2}},
        FatTreeShape{{4, 4}, {1, 2}, {2, 1}}, FatTreeShape{{4, 4}, {2, 2}, {1, 1}},
        FatTreeShape{{1, 16}, {1, 3}, {1, 1}}})
    check(std::make_shared<FatTree>(cluster_spec(16), shape), {1, 4, 5, 33});
  check(std::make_shared<Dragonfly>(cluster_spec(24), DragonflyShape{3, 1, 1, 1, 4, 1, 2}),
        {1, 7, 30});
  check(std::make_shared<Torus>(cluster_spec(60), TorusShape{{5, 4, 3}}), {1, 4, 7, 61});
}

TEST_CASE("a server of a torus is attached to its node by one link per direction") {
  auto spec = cluster_spec(12);
  spec.sharing = NicSharing::shared;
  const auto network = std::make_shared<Torus>(spec, TorusShape{{4, 3}});
  const Servers servers = behind(network, 3);
  const HostId node = servers.neighbour(1);
  CHECK(route_names(servers, node, 13) == "storage-1_link_DOWN");
  CHECK(route_names(servers, 13, node) == "storage-1_link_UP");
  CHECK(route_names(servers, 0, 13) == route_names(servers, 0, node) + " storage-1_link_DOWN");
  check_routes(servers, *network);
}

TEST_CASE("a machine of one node has servers") {
  const auto torus = std::make_shared<Torus>(cluster_spec(1), TorusShape{{1}});
  check_routes(behind(torus, 2), *torus);
  CHECK(behind(torus, 2).link(3).bandwidth_Bps == 1e9);
}

TEST_CASE("servers of a torus are spread over all of its coordinates") {
  const Servers servers =
      behind(std::make_shared<Torus>(cluster_spec(4096), TorusShape{{8, 8, 8, 8}}), 64);
  for (const std::uint32_t stride : {1U, 8U, 64U, 512U}) {
    std::map<std::uint32_t, int> at;
    for (HostId server = 0; server < 64; ++server) ++at[servers.neighbour(server) / stride % 8];
    CAPTURE(stride);
    CHECK(at.size() == 8);
    for (const auto& [coordinate, count] : at) CHECK(count <= 16);
  }
  for (HostId server = 0; server < 64; ++server)  // one in every 64th of the nodes
    CHECK(servers.neighbour(server) / 64 == server);
}

TEST_CASE("servers have limiters in every kind of network") {
  auto spec = cluster_spec(16);
  spec.limiter_Bps = 3e9;
  const FatTreeShape tree{.down = {4, 4}, .up = {1, 2}, .ports = {2, 1}};
  const DragonflyShape fly{2, 1, 2, 1, 2, 1, 2};
  for (const auto sharing : {NicSharing::split_duplex, NicSharing::shared}) {
    spec.sharing = sharing;
    for (const std::shared_ptr<const Topology>& network :
         {std::shared_ptr<const Topology>(std::make_shared<FatTree>(spec, tree)),
          std::shared_ptr<const Topology>(std::make_shared<Dragonfly>(spec, fly)),
          std::shared_ptr<const Topology>(std::make_shared<Torus>(spec, TorusShape{{4, 4}}))})
      for (const HostId count : {1, 5, 20}) check_routes(behind(network, count), *network);
  }
  const Servers servers = behind(std::make_shared<FatTree>(spec, tree), 1);
  const std::string leaf = route_names(servers, 0, 16);  // its neighbour
  CHECK(leaf.starts_with("c_link_0_limiter link_from_0_"));
  CHECK(leaf.ends_with("_limiter storage-0_limiter"));
  CHECK(leaf.find("storage-0_link ") != std::string::npos);
}

TEST_CASE("servers are supported on machines of every shape") {
  for (const auto& shape : tests::shapes_of_64()) {
    CAPTURE(shape.name);
    const Machine machine = tests::machine_of(shape);
    const Machine with = with_servers(machine, {.count = 5});
    const HostId hosts = machine.host_count();
    CHECK(hosts >= 64);
    CHECK(with.host_count() == hosts + 5);
    const auto& servers = dynamic_cast<const Servers&>(*with.topology);
    check_routes(servers, *machine.topology);
    for (HostId host = 0; host < hosts; ++host)
      CHECK(route_of(servers, host, 63) == route_of(*machine.topology, host, 63));
    const double shared = with.path(0, hosts + 2).bandwidth_Bps;
    CHECK(shared == 1e9);
    CHECK(servers.graph().hosts == hosts + 5);
  }
}

TEST_CASE("the links of servers have no background traffic") {
  Machine machine = tests::machine_of(tests::shapes_of_64().front());
  const LinkId network = machine.topology->link_count();
  machine.background_Bps = std::make_shared<const std::vector<double>>(network, 4e8);
  const Machine with = with_servers(machine, {.count = 3});
  CHECK(with.topology->link_count() > network);
  for (LinkId id = 0; id < with.topology->link_count(); ++id)
    CHECK(with.link(id).bandwidth_Bps ==
          with.topology->link(id).bandwidth_Bps - (id < network ? 4e8 : 0));
}

TEST_CASE("a job has a rank on each server, after its own") {
  Machine machine = tests::machine_of(tests::shapes_of_64().front());
  machine.host_cores.assign(64, 4);
  const Machine with = with_servers(machine, {.count = 3});
  CHECK(with.cores_of(66) == 1);
  const auto placement =
      with_server_ranks({.host_of = {0, 0, 1}, .nodes = 2, .ppn = 2}, with, {0, 1, 2});
  CHECK(placement.host_of == std::vector<HostId>{0, 0, 1, 64, 65, 66});
  CHECK(placement.nodes == 5);
  CHECK(placement.ppn == 2);
}

TEST_CASE("12,500 nodes of 20 cores have servers on 16 switches, with separate routes to them") {
  const auto machine = load_machine(TUTTI_SOURCE_DIR "/platforms/catalog/opuntia-250k.xml");
  REQUIRE(machine);
  const Machine with = with_servers(*machine, {.count = 16});
  const auto& servers = dynamic_cast<const Servers&>(*with.topology);
  std::map<LinkId, int> down;  // the routes from one far node, by the link down from the top
  for (HostId server = 0; server < 16; ++server) {
    CHECK(servers.neighbour(server) / 20 == server);
    const auto links = route_of(servers, 12'499, servers.first_server() + server);
    REQUIRE(links.size() == 6);
    CHECK(with.link_name(links.back()) == fmt::format("storage-{}_link_DOWN", server));
    ++down[links[3]];
  }
  for (const auto& [link, routes] : down) CHECK(routes <= 2);
}
