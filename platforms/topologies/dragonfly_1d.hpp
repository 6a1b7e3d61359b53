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

#include "platforms/topologies/group_links.hpp"
#include "platforms/topologies/switch_cluster.hpp"
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

class Dragonfly1d : public SwitchCluster {
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
  // Each appends links from one switch of a group to another, or between groups.
  void move(std::uint32_t group, std::uint32_t a, std::uint32_t b, std::uint32_t port,
            std::vector<LinkId>& links) const;
  void cross(std::uint32_t a, std::uint32_t b, std::uint32_t link,
             std::vector<LinkId>& links) const {
    links.push_back(toward(first_global_ + global_.index(a, b, link), a < b));
  }
  std::string cable_name(std::uint32_t cable) const override;
  std::size_t level_of_cable(std::uint32_t cable) const override {
    return cable < first_local_ ? 0 : cable < first_global_ ? 1 : 2;
  }
  std::uint32_t end_of_level(std::size_t level) const override {
    return level == 0 ? first_local_ : level == 1 ? first_global_ : cable_count();
  }

  std::uint32_t groups_;
  Divisor switches_;
  Divisor local_;
  std::uint32_t switch_pairs_;  // of a group
  GroupLinks global_;
  std::uint32_t first_local_;  // physical link; the preceding ones belong to the hosts
  std::uint32_t first_global_;
};

}  // namespace tutti::platforms
