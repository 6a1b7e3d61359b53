// SPDX-License-Identifier: BSD-3-Clause
// Base of the networks of switches that SimGrid does not know: each host has one physical link to
// its switch, and the switches are connected by a rule that a derived class provides.
//
// Links of hosts have the lowest numbers, then come links between switches. Each path between two
// hosts begins with the link of one and ends with that of the other; a path between their switches
// lies in between.
// With limiters, the source's comes first and the destination's last.
#pragma once

#include "platforms/topologies/cable_cluster.hpp"
#include "platforms/topologies/nodes_of_switches.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// The levels of links of a dragonfly.
inline const std::vector<std::string> dragonfly_levels{"node", "local", "global"};

class SwitchCluster : public CableCluster {
 public:
  // The shortest path with the number destination modulo number of paths (of the first
  // fixed_paths). From a host to itself: to the switch and back; a link that occurs twice counts
  // once.
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  std::uint32_t shortest_paths(const RouteEnds& ends) const override;
  void shortest_path(const RouteEnds& ends, std::uint32_t number,
                     std::vector<LinkId>& links) const override;
  std::uint64_t detours(const RouteEnds& ends) const override;
  void detour(const RouteEnds& ends, std::uint64_t number,
              std::vector<LinkId>& links) const override;
  std::optional<LeafSwitches> leaf_switches() const override;
  TopologyDescription describe() const override;

 protected:
  SwitchCluster(ClusterSpec spec, const NetworkSize& size, const std::vector<NodeRun>& runs)
      : CableCluster(std::move(spec), size), nodes_(runs) {}

  std::uint32_t switch_of(HostId host) const { return nodes_.switch_of(host); }
  bool is_even() const { return nodes_.even().has_value(); }
  // A graph with the links of the hosts; the vertices of their switches follow the hosts.
  Graph graph_of_hosts() const;
  // The name of the physical link of a host.
  std::string node_cable_name(HostId host) const;

 private:
  // Paths between two different switches with hosts, and their links. Numbers of detours start at
  // 0, too.
  virtual std::uint64_t paths(std::uint32_t from, std::uint32_t to) const = 0;
  virtual void path(std::uint32_t from, std::uint32_t to, std::uint64_t number,
                    std::vector<LinkId>& links) const = 0;
  virtual std::uint64_t longer_paths(std::uint32_t, std::uint32_t) const { return 0; }
  virtual void longer_path(std::uint32_t, std::uint32_t, std::uint64_t,
                           std::vector<LinkId>&) const {
    TUTTI_CHECK(false, kind() + " has no detours");
  }
  // Among how many of the first paths the fixed route to a destination is selected.
  virtual std::uint64_t fixed_paths(std::uint32_t from, std::uint32_t to) const {
    return paths(from, to);
  }

  std::int64_t limiter_number(std::uint32_t node) const override { return node; }

  NodesOfSwitches nodes_;
};

}  // namespace tutti::platforms
