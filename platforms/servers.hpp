// SPDX-License-Identifier: BSD-3-Clause
// A machine with storage servers in its network. Servers are hosts after the machine's own,
// storage-0, storage-1, ..., each with its own physical link to the leaf switch of one of the
// machine's hosts, its neighbour.
//
//   route to a server: the route to its neighbour, with the server's link (and limiter) at the end.
//
// Leaf switches are used in turn. If hosts have no single leaf switch (tori, general zones, fat
// trees whose hosts have several), a server is attached to its neighbour itself, and neighbours are
// spread evenly: the route to a server is the route to the neighbour plus the server's link, which
// has one link per direction.
//
// A server has one path to each host, that of the first NICs; other hosts keep their paths and
// rails.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/placement.hpp"
#include "platforms/topologies/derived_topology.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

struct ServersSpec {
  HostId count = 0;
  // Of a server's link, per direction; unset: as the neighbour's.
  std::optional<double> bandwidth_Bps = {};
  std::optional<Seconds> latency_s = {};
};

class Servers : public DerivedTopology {
 public:
  // `spec` must have at least one server.
  Servers(std::shared_ptr<const Topology> nodes, const ServersSpec& spec);

  HostId first_server() const { return hosts_; }
  // `server` counts from 0.
  HostId neighbour(HostId server) const;

  HostId host_count() const override { return hosts_ + servers_; }
  LinkId link_count() const override;
  Link link(LinkId id) const override;
  std::string host_name(HostId id) const override;
  std::string link_name(LinkId id) const override;
  std::optional<HostId> find_host(std::string_view name) const override;
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  void rail_route(const RouteEnds& ends, std::vector<LinkId>& links) const override;
  std::uint32_t shortest_paths(const RouteEnds& ends) const override;
  void shortest_path(const RouteEnds& ends, std::uint32_t number,
                     std::vector<LinkId>& links) const override;
  std::uint64_t detours(const RouteEnds& ends) const override;
  void detour(const RouteEnds& ends, std::uint64_t number,
              std::vector<LinkId>& links) const override;
  Graph graph() const override;
  std::optional<LeafSwitches> leaf_switches() const override { return std::nullopt; }
  std::optional<std::pair<HostId, HostId>> farthest_hosts() const override { return std::nullopt; }
  LinkId end_of_equal_links(LinkId first) const override;

 private:
  // An end of a route: a host of the network, and the server attached there, if the end is a
  // server.
  struct End {
    HostId host = 0;
    std::optional<HostId> server = {};
  };
  End end(HostId id) const;
  bool avoids_servers(const RouteEnds& ends) const {
    return ends.source < hosts_ && ends.destination < hosts_;
  }
  LinkId up(HostId server) const { return first_link_ + server * ways_; }
  LinkId down(HostId server) const { return up(server) + ways_ - 1; }
  LinkId limiter(HostId server) const { return first_limiter_ + server; }
  std::vector<Link> cables(const ServersSpec& spec) const;
  Link cable_of(HostId host) const;

  LinkId exchanged(LinkId id, const End& end) const;
  void between_leaves(const End& source, const End& destination, std::vector<LinkId>& links) const;
  void inside_leaf(const End& source, const End& destination, std::vector<LinkId>& links) const;
  void behind_nodes(const End& source, const End& destination, std::vector<LinkId>& links) const;
  void connect_at_leaves(Graph& graph) const;
  void connect_behind_nodes(Graph& graph) const;

  std::optional<LeafSwitches> leaves_;
  HostId hosts_;  // of the network
  HostId servers_;
  LinkId ways_;  // links per server: 2 (up and down), or 1
  LinkId first_link_;
  LinkId first_limiter_;
  std::vector<Link> cables_;  // by server
  std::optional<double> limiter_Bps_;
};

// Returns the machine with servers after its hosts; the network is shared, not copied. A server has
// one core.
Machine with_servers(const Machine& machine, const ServersSpec& spec);

// Appends ranks on the servers of `machine` to the ranks of a job, one for each element of
// `servers`: the number of its server.
Placement with_server_ranks(Placement placement, const Machine& machine,
                            const std::vector<HostId>& servers);

}  // namespace tutti::platforms
