// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's fat tree (Zahavi's parallel-ports generalised fat tree). Hosts are level 0. A node of
// level l has `up` parents and a parent has `down` children, with `ports` parallel links to each.
//
//   route: up towards the nearest common ancestors, with the parent selected by the destination
//   alone (d-mod-k), then down the only path; the source selects among parallel links on the way
//   down.
//
// The shortest paths are those over all common ancestors of the lowest possible level, with all
// parallel links.
//
// The position of a node in its level has one digit per level, lowest first: for levels below its
// own, the selected parents (base `up`); from its own level on, the position among siblings (base
// `down`). Physical links are numbered by level, child, parent and port, in the order in which
// SimGrid creates them.
#pragma once

#include "platforms/topologies/cable_cluster.hpp"
#include "platforms/topologies/saturating.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// `topo_parameters` without the first number; lowest level first, all numbers at least 1.
struct FatTreeShape {
  std::vector<std::uint32_t> down;
  std::vector<std::uint32_t> up;     // as many
  std::vector<std::uint32_t> ports;  // as many
};

inline constexpr std::size_t most_levels = 32;

NetworkSize size_of(const FatTreeShape& shape);
TopologyFamily fat_tree_family();

class FatTree : public CableCluster {
 public:
  // The shape must have 1 to most_levels levels and as many hosts as the spec.
  // Levels of links: those up from the hosts, from the leaf switches, ...
  FatTree(ClusterSpec spec, const FatTreeShape& shape);

  std::string kind() const override { return "fat tree"; }
  TopologyDescription describe() const override;
  // From a host to itself: to the switch above and back; a shared link counts twice, as in SimGrid.
  // Limiters: that of a node before each link up that leaves it, that of the upper node after each
  // link down, last the destination's.
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  std::uint32_t shortest_paths(const RouteEnds& ends) const override;
  void shortest_path(const RouteEnds& ends, std::uint32_t number,
                     std::vector<LinkId>& links) const override;
  // Unset if hosts have links to several switches.
  std::optional<LeafSwitches> leaf_switches() const override;
  // Switches are named by level and position: mine_switch_1_0, ... Limiters are not edges.
  Graph graph() const override;
  std::optional<std::pair<HostId, HostId>> farthest_hosts() const override;

 private:
  // Between the nodes of level l and their parents.
  struct Level {
    Divisor down;
    Divisor up;
    Divisor ports;
    Divisor way;                // up * ports: links out of a node
    std::uint32_t weight;       // of the digit of this level in a position
    std::uint32_t first_cable;  // first physical link up from level l
    std::uint32_t first_child;  // first node of level l; nodes are numbered from the hosts up
    std::uint32_t first_parent;
  };
  // One level of the way up, as the way down needs it.
  struct Step {
    std::uint32_t position;  // of the destination's ancestor on the route
    std::uint32_t digit;     // its position among its siblings
    std::uint32_t parent;    // which of its parents is on the route
  };
  class DownPort;

  // SimGrid's number of a host, which determines its routes.
  std::uint32_t host_number(HostId host) const { return spec().before.hosts + host; }
  std::string cable_name(std::uint32_t cable) const override;
  std::int64_t limiter_number(std::uint32_t node) const override;
  std::int64_t switch_number(std::uint32_t node) const;
  const Level& level_of(std::uint32_t cable) const;
  std::size_t level_of_cable(std::uint32_t cable) const override {
    return static_cast<std::size_t>(&level_of(cable) - levels_.data());
  }
  std::uint32_t end_of_level(std::size_t level) const override {
    return level + 1 < levels_.size() ? levels_[level + 1].first_cable : cable_count();
  }
  // The level of the nearest common ancestors of two hosts; at least 1.
  std::size_t meeting_level(HostId a, HostId b) const;
  struct Ends {
    std::uint32_t child;   // a node number; hosts come first
    std::uint32_t parent;  // a node number
  };
  Ends ends(std::uint32_t cable) const;
  void go_down(HostId source, std::size_t top, const Step* steps, std::vector<LinkId>& links) const;

  std::vector<Level> levels_;
  bool parallel_ = false;  // some level has parallel links
};

}  // namespace tutti::platforms
