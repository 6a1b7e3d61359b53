// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/machine.hpp"

#include <doctest/doctest.h>

#include "platforms/job_links.hpp"
#include "platforms/servers.hpp"
#include "platforms/topologies/flat_cluster.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

FlatClusterSpec spec(NicSharing sharing) {
  FlatClusterSpec made;
  made.id = "cl";
  made.prefix = "n-";
  made.suffix = ".x";
  made.radical = {{3, 2}, {20, 1}};
  made.bandwidth_Bps = 1e9;
  made.latency_s = 1e-6;
  made.sharing = sharing;
  return made;
}

Machine machine_of(FlatClusterSpec made, IntraNode intra) {
  Machine machine;
  machine.name = "m";
  machine.topology = std::make_unique<FlatCluster>(std::move(made));
  machine.intra_node = intra;
  machine.bus = {.bandwidth_Bps = 5e9, .latency_s = 2e-7, .sharing = LinkSharing::shared};
  return machine;
}

std::string route_names(const Machine& machine, HostId source, HostId destination) {
  std::vector<LinkId> links = {99};  // existing elements are replaced
  machine.message_links(source, destination, links);
  std::string names;
  for (const auto id : links) names += (names.empty() ? "" : " ") + machine.link_name(id);
  return names;
}

}  // namespace

TEST_CASE("hosts of a flat cluster are named prefix, number of the radical, suffix") {
  const FlatCluster cluster(spec(NicSharing::split_duplex));
  CHECK(cluster.host_count() == 3);
  CHECK(cluster.host_name(0) == "n-3.x");
  CHECK(cluster.host_name(1) == "n-4.x");
  CHECK(cluster.host_name(2) == "n-20.x");
  for (HostId id = 0; id < 3; ++id) CHECK(cluster.find_host(cluster.host_name(id)) == id);
  CHECK(cluster.Topology::find_host("n-20.x") == HostId{2});
  for (const std::string name :
       {"", "n-", "n-.x", "n-5.x", "n-03.x", "n-3", "3", "n-3.xx", "n--3.x", "n-99999999999.x"}) {
    CAPTURE(name);
    CHECK_FALSE(cluster.find_host(name));
    CHECK_FALSE(cluster.Topology::find_host(name));
  }
}

TEST_CASE("routes and link names are those of SimGrid 3.32") {
  auto with_backbone = spec(NicSharing::split_duplex);
  with_backbone.backbone = Link{.bandwidth_Bps = 5e8, .latency_s = 5e-6};
  auto split = machine_of(with_backbone, IntraNode::network);
  CHECK(route_names(split, 2, 0) == "cl_link_20_UP cl_backbone cl_link_3_DOWN");
  CHECK(route_names(split, 2, 2) == "cl_link_20_UP cl_backbone cl_link_20_DOWN");
  const auto single = machine_of(spec(NicSharing::shared), IntraNode::network);
  CHECK(route_names(single, 2, 0) == "cl_link_20 cl_link_3");
  CHECK(route_names(single, 2, 2) == "cl_link_20");
  CHECK(single.link(0).sharing == LinkSharing::shared);
  with_backbone.limiter_Bps = 3e9;
  auto limited = machine_of(with_backbone, IntraNode::network);
  CHECK(route_names(limited, 2, 0) ==
        "cl_link_20_limiter cl_link_20_UP cl_backbone cl_link_3_DOWN cl_link_3_limiter");
  CHECK(route_names(limited, 2, 2) ==
        "cl_link_20_limiter cl_link_20_UP cl_backbone cl_link_20_DOWN");
  CHECK(limited.link(7).bandwidth_Bps == 3e9);
  CHECK(limited.link_name(9) == "cl_backbone");
}

TEST_CASE("a message inside a node takes that node's own bus") {
  const auto machine = machine_of(spec(NicSharing::split_duplex), IntraNode::bus);
  CHECK(machine.link_count() == 3 * 2 + 3);
  CHECK(route_names(machine, 1, 1) == "n-4.x_bus");
  CHECK(route_names(machine, 0, 1) == "cl_link_3_UP cl_link_4_DOWN");
  CHECK(machine.link(6 + 1).bandwidth_Bps == 5e9);
}

TEST_CASE("a path sums latencies and uses the smallest bandwidth") {
  auto with_backbone = spec(NicSharing::split_duplex);
  with_backbone.backbone = Link{.bandwidth_Bps = 5e8, .latency_s = 5e-6};
  const auto machine = machine_of(with_backbone, IntraNode::bus);
  const auto between = machine.path(0, 1);
  CHECK(between.latency_s == tests::exactly(7e-6));
  CHECK(between.bandwidth_Bps == 5e8);
  CHECK(between.nic_bandwidth_Bps == 1e9);
  CHECK_FALSE(between.intra_node);
  const auto inside = machine.path(1, 1);
  CHECK(inside.latency_s == 2e-7);
  CHECK(inside.bandwidth_Bps == 5e9);
  CHECK(inside.intra_node);
  CHECK(&machine.protocol(true) == &machine.intra);
  CHECK(&machine.protocol(false) == &machine.inter);
}

TEST_CASE("links and hosts that do not exist break an invariant") {
  const auto machine = machine_of(spec(NicSharing::split_duplex), IntraNode::bus);
  std::vector<LinkId> links;
  CHECK_THROWS_AS((void)machine.link(9), BrokenInvariant);
  CHECK_THROWS_AS((void)machine.link_name(9), BrokenInvariant);
  CHECK_THROWS_AS(machine.message_links(0, 3, links), BrokenInvariant);
}

TEST_CASE("inside a node a message crosses the sender's core, the bus and the receiver's core") {
  auto machine = machine_of(spec(NicSharing::split_duplex), IntraNode::bus);
  const Placement placement{.host_of = {1, 1, 0, 2}, .nodes = 3, .ppn = 2};
  const JobLinks links(machine, placement);
  const auto names = [&](int source, int destination) {
    std::vector<LinkId> route = {99};
    links.route(source, destination, route);
    std::string text;
    for (const auto id : route) text += (text.empty() ? "" : ", ") + links.name(id);
    return text;
  };
  CHECK(links.count() == 9);  // two links per host, and its bus
  CHECK(names(0, 1) == "n-4.x_bus");
  machine.rank_Bps = 2e9;
  CHECK(links.count() == 9 + 4);
  CHECK(names(0, 1) == "core of rank 0, n-4.x_bus, core of rank 1");
  CHECK(names(1, 0) == "core of rank 1, n-4.x_bus, core of rank 0");
  CHECK(names(1, 1) == "core of rank 1, n-4.x_bus");
  CHECK(names(0, 2) == "cl_link_4_UP, cl_link_3_DOWN");
  CHECK(names(3, 0) == "cl_link_20_UP, cl_link_4_DOWN");
  CHECK(links.link(12).bandwidth_Bps == 2e9);
  CHECK(links.link(12).latency_s == 0);
  CHECK(links.link(12).sharing == LinkSharing::shared);
  CHECK(links.link(7).bandwidth_Bps == 5e9);
  CHECK_THROWS_AS((void)links.link(13), BrokenInvariant);
  CHECK_THROWS_AS((void)links.name(13), BrokenInvariant);
  const auto inside = machine.path(1, 1);
  CHECK(inside.bandwidth_Bps == 2e9);
  CHECK(inside.nic_bandwidth_Bps == 2e9);
  CHECK(machine.path(0, 1).bandwidth_Bps == 1e9);

  machine.rank_send_Bps = machine.rank_receive_Bps = 3e8;
  CHECK(links.count() == 9 + 3 * 4);
  CHECK(names(0, 1) == "core of rank 0, n-4.x_bus, core of rank 1");
  CHECK(names(3, 0) ==
        "core of rank 3 (sends), cl_link_20_UP, cl_link_4_DOWN, core of rank 0 (receives)");
  CHECK(links.link(13).bandwidth_Bps == 3e8);
  CHECK(links.link(20).bandwidth_Bps == 3e8);
  CHECK(links.link(12).bandwidth_Bps == 2e9);
  CHECK(machine.path(1, 1).bandwidth_Bps == 2e9);
  CHECK(machine.path(0, 1).bandwidth_Bps == 3e8);
  CHECK(machine.path(0, 1).nic_bandwidth_Bps == 3e8);
  machine.intra_node = IntraNode::network;
  CHECK(names(0, 1) ==
        "core of rank 0, core of rank 0 (sends), cl_link_4_UP, cl_link_4_DOWN, "
        "core of rank 1 (receives), core of rank 1");
}

TEST_CASE("a server has no core that limits its transfers, its client has") {
  auto machine =
      with_servers(machine_of(spec(NicSharing::split_duplex), IntraNode::bus), {.count = 2});
  machine.rank_send_Bps = machine.rank_receive_Bps = 3e8;
  const auto placement =
      with_server_ranks({.host_of = {0, 1}, .nodes = 2, .ppn = 1}, machine, {0, 1});
  const JobLinks links(machine, placement);
  const auto cores = [&](int source, int destination) {
    std::vector<LinkId> route;
    links.route(source, destination, route);
    std::string text;
    for (const auto id : route)
      if (links.is_inside_node(id)) text += links.name(id) + ";";
    return text;
  };
  CHECK(cores(0, 1) == "core of rank 0 (sends);core of rank 1 (receives);");
  CHECK(cores(0, 2) == "core of rank 0 (sends);");
  CHECK(cores(3, 1) == "core of rank 1 (receives);");
  CHECK(machine.path(0, 3).bandwidth_Bps == 3e8);
  CHECK(machine.path(3, 0).bandwidth_Bps == 3e8);
  CHECK(machine.path(3, 0).nic_bandwidth_Bps == 1e9);
  CHECK(machine.path(3, 4).bandwidth_Bps == 1e9);
}
