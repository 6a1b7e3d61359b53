// SPDX-License-Identifier: BSD-3-Clause
// Contents of valid platform files with zones. Invalid ones: zone_errors_test.cpp; routes: the
// golden test.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/close_to.hpp"
#include "tests/support/platform_text.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

std::string file(const std::string& content) {
  return "<platform version='4.1'>\n" + content + "</platform>\n";
}

// Two clusters of 2 and 3 hosts, with cores and more attributes.
std::string two_clusters(const std::string& first, const std::string& second,
                         const std::string& first_props = "", const std::string& second_props = "",
                         const std::string& zone_props = "") {
  return file("<zone id='z' routing='Full'>" + zone_props +
              "<cluster id='p' prefix='p' suffix='' radical='0-1' bw='1GBps' lat='1us' " + first +
              ">" + first_props +
              "</cluster>\n<cluster id='q' prefix='q' suffix='' radical='0-2' bw='2GBps' "
              "lat='2us' " +
              second + ">" + second_props +
              "</cluster>\n<link id='l' bandwidth='5GBps' latency='5us'/>"
              "<zoneRoute src='p' dst='q' gw_src='pp_router' gw_dst='qq_router'>"
              "<link_ctn id='l'/></zoneRoute></zone>");
}

const std::string pair_of_hosts =
    "<zone id='z' routing='Full'><host id='a' speed='1Gf' core='4'><prop id='watts' value='9'/>"
    "</host>\n<host id='b' speed='1Gf'/>\n<link id='l' bandwidth='1GBps' latency='1us' "
    "sharing_policy='SPLITDUPLEX'><prop id='x' value='y'/></link>\n"
    "<route src='a' dst='b'><link_ctn id='l' direction='UP'/></route></zone>";

std::vector<std::string> route(const Machine& machine, HostId a, HostId b) {
  std::vector<LinkId> links;
  machine.topology->route(a, b, links);
  std::vector<std::string> names;
  for (const LinkId link : links) names.push_back(machine.topology->link_name(link));
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("hosts and links of a zone have the names and numbers of the file") {
  const auto machine = good(file(pair_of_hosts));
  const Topology& topology = *machine.topology;
  CHECK(topology.host_count() == 2);
  CHECK(topology.host_name(1) == "b");
  CHECK(topology.find_host("a") == HostId{0});
  CHECK_FALSE(topology.find_host("c"));
  CHECK(route(machine, 0, 1) == Names{"l_UP"});
  CHECK(route(machine, 1, 0) == Names{"l_DOWN"});
  CHECK(machine.path(0, 1).latency_s == tests::exactly(1e-6));
}

TEST_CASE("the route of a zone's host to itself is its own loopback") {
  auto machine = good(file(pair_of_hosts));
  CHECK(machine.intra_node == IntraNode::network);
  CHECK(route(machine, 1, 1) == Names{"b_loopback"});
  CHECK(machine.path(0, 0).bandwidth_Bps == 10e9);
  CHECK(machine.path(0, 0).latency_s == 0);
  CHECK(machine.link(machine.topology->link_count() - 1).sharing == LinkSharing::fat_pipe);
  machine = good(file(
      config(prop("network/loopback-bw", "498000000") + prop("network/loopback-lat", "0.000015")) +
      pair_of_hosts));
  CHECK(machine.path(1, 1).bandwidth_Bps == 498e6);
  CHECK(machine.path(1, 1).latency_s == 15e-6);
  const auto with_unit =
      read_machine(file(config(prop("network/loopback-bw", "7GBps")) + pair_of_hosts), "p.xml");
  CHECK(with_unit.error().message.find("SimGrid accepts no unit here") != std::string::npos);
  machine = good(file(pair_of_hosts), {{"mpi/bus_bandwidth", "8GBps"}});
  CHECK(machine.intra_node == IntraNode::bus);
  CHECK(machine.path(1, 1).bandwidth_Bps == 8e9);
}

TEST_CASE("hosts may differ in cores") {
  const auto machine = good(file(pair_of_hosts));
  CHECK(machine.host_cores == std::vector<int>{4, 1});
  CHECK(machine.cores_per_host == 4);
  CHECK(machine.cores_of(1) == 1);
  const auto even = good(two_clusters("core='3'", "core='3'"));
  CHECK(even.host_cores.empty());
  CHECK(even.cores_of(4) == 3);
}

TEST_CASE("clusters in a zone generate their names") {
  const auto machine = good(two_clusters("", ""));
  const Topology& topology = *machine.topology;
  CHECK(topology.kind() == "3 zones");
  CHECK(topology.host_name(3) == "q1");
  CHECK(topology.find_host("q2") == HostId{4});
  CHECK(topology.link_count() == 1 + 4 + 6);
  CHECK(route(machine, 1, 2) == Names{"p_link_1_UP", "l", "q_link_0_DOWN"});
  CHECK(route(machine, 4, 4) == Names{"q_link_2_UP", "q_link_2_DOWN"});
}

TEST_CASE("a file with one cluster is that cluster, whatever zones enclose it") {
  for (const std::string routing : {"Full", "None", "Floyd", "Dijkstra", "Cluster", "Star"})
    CHECK(good(file("<AS id='x' routing='" + routing +
                    "'><zone id='y' routing='full'><cluster "
                    "id='c' radical='0-3' bw='1' lat='0'/></zone></AS>"))
              .topology->kind() == "flat cluster");
}

TEST_CASE("loopbacks of clusters become the bus if they are equal, otherwise stay separate") {
  const std::string loopback = "loopback_bw='9GBps' loopback_lat='1us'";
  const auto equal = good(two_clusters(loopback, loopback));
  CHECK(equal.intra_node == IntraNode::bus);
  CHECK(equal.bus.bandwidth_Bps == 9e9);
  const auto other = good(two_clusters(loopback, "loopback_bw='7GBps'"));
  CHECK(other.intra_node == IntraNode::network);
  CHECK(other.path(0, 0).bandwidth_Bps == 9e9);
  CHECK(other.path(4, 4).bandwidth_Bps == 7e9);
  CHECK(route(other, 4, 4) == Names{"q2_loopback"});
  const auto one = good(two_clusters(loopback, ""));
  CHECK(route(one, 0, 0) == Names{"p0_loopback"});
  CHECK(route(one, 2, 2) == Names{"q_link_0_UP", "q_link_0_DOWN"});
}

TEST_CASE("message parameters apply to the whole machine") {
  const auto gap = [](const char* value) { return prop("mpi/gap", value); };
  CHECK(good(two_clusters("", "", "", "", gap("2us"))).inter.gap(0) == 2e-6);
  CHECK(good(two_clusters("", "", gap("2us"), gap("2us"))).inter.gap(0) == 2e-6);
  CHECK(good(two_clusters("", "", gap("2us"), "", gap("2us"))).inter.gap(0) == 2e-6);
  auto errors = bad(two_clusters("", "", gap("2us"), gap("3us")));
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].line == 4);
  CHECK(errors[0].message == "mpi/gap: '3us' here, but '2us' for other hosts");
  CHECK(errors[0].hint ==
        "it applies to the whole machine: set it in <config> or the outermost zone");
  errors = bad(two_clusters("", "", gap("2us")));
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].message == "mpi/gap: set for some of the hosts only");
}

TEST_CASE("the graph of zones has their hosts, routers and junctions") {
  auto graph = good(file(pair_of_hosts)).topology->graph();
  CHECK(graph.hosts == 2);
  CHECK(graph.edges.size() == 2);
  graph = good(two_clusters("", "")).topology->graph();
  CHECK(graph.switches == Names{"p_hub", "q_hub"});
  CHECK(graph.edges.size() == 4 + 6 + 1);
  CHECK(std::count_if(graph.edges.begin(), graph.edges.end(),
                      [](const auto& edge) { return edge.both_ways; }) == 1);
}
