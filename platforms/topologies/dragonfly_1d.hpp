// SPDX-License-Identifier: BSD-3-Clause
// The canonical dragonfly (Kim, Dally, Scott, Abts, "Technology-driven, highly-scalable dragonfly
// topology", ISCA 2008), with any number of links (Slingshot: De Sensi et al., SC 2020): the
// switches of a group are connected pairwise by `local` links, and the groups by `global` links
// (group_links.hpp).
//
//   same group:   node, switch - switch, node
//   other group:  node, switch [- switch] - switch [- switch], node
//
// The shortest paths are the minimal ones of Kim et al., which use a single link between groups:
// over each of the links for which the route needs the fewest local links. (A path over a third
// group, with two links between groups and no local one, may have fewer links.) The fixed route to
// a destination is the shortest path with the number destination modulo their count. Detours
// (Valiant's): inside a group over a third switch; otherwise over each of the links to a third
// group and from there on a shortest path.
#pragma once

#include "platforms/topologies/group_cluster.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// All numbers are at least 1, except nodes of a run.
struct Dragonfly1dShape {
  std::uint32_t groups = 1;
  std::uint32_t global = 1;    // links per pair of groups
  std::uint32_t switches = 1;  // per group
  std::uint32_t local = 1;     // links per pair of switches of a group
  std::vector<NodeRun> nodes;  // of the switches of all groups
};

NetworkSize size_of(const Dragonfly1dShape& shape);
TopologyFamily dragonfly_1d_family();

class Dragonfly1d : public GroupCluster {
 public:
  // The shape and the spec must have the same number of hosts, and the runs all switches. Levels of
  // links: nodes, local, global.
  Dragonfly1d(ClusterSpec spec, const Dragonfly1dShape& shape);

  std::string kind() const override { return "1D dragonfly"; }
  TopologyDescription describe() const override;
  // Switches are named by group and number: mine_switch_0_0, ... Limiters are not edges.
  Graph graph() const override;

 private:
  // The links between the groups of two switches that begin at the first switch, and those that
  // end at the second.
  struct Ends {
    GroupLinks::Ends of_source;
    GroupLinks::Ends of_destination;
    bool are_same() const { return of_source.count > 0 && of_source.first == of_destination.first; }
  };
  Ends ends_of(std::uint32_t from, std::uint32_t to) const;
  std::uint64_t paths(std::uint32_t from, std::uint32_t to) const override;
  void path(std::uint32_t from, std::uint32_t to, std::uint64_t number,
            std::vector<LinkId>& links) const override;
  std::uint64_t longer_paths(std::uint32_t from, std::uint32_t to) const override;
  void longer_path(std::uint32_t from, std::uint32_t to, std::uint64_t number,
                   std::vector<LinkId>& links) const override;

  std::uint32_t local_cable(std::uint32_t group, std::uint32_t a, std::uint32_t b,
                            std::uint32_t port) const;
  // Appends a link from one switch of a group to another.
  void move(std::uint32_t group, std::uint32_t a, std::uint32_t b, std::uint32_t port,
            std::vector<LinkId>& links) const;
  std::string local_cable_name(std::uint32_t index) const override;

  Divisor switches_;
  std::uint32_t switch_pairs_;  // of a group
};

}  // namespace tutti::platforms
