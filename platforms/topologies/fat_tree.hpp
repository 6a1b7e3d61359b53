// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's fat tree (Zahavi's parallel-ports generalised fat tree). A node of level l, hosts being
// level 0, has `up` parents and a parent `down` children, with `ports` cables to each.
//
//   route: up towards the nearest common ancestors, the parent chosen by the destination alone
//   (d-mod-k), then down the only way there is; of parallel cables on the way down one is chosen by
//   the source.
//
// A node's position in its level has one digit a level, the lowest first: below its own level the
// parents chosen (base `up`), from there on the place among siblings (base `down`). Cables are
// numbered by level, child, parent and port, in the order in which SimGrid makes them.
#pragma once

#include "platforms/topologies/cable_cluster.hpp"
#include "platforms/topologies/saturating.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// `topo_parameters` without its first number; the lowest level first, all numbers at least 1.
struct FatTreeShape {
  std::vector<std::uint32_t> down;
  std::vector<std::uint32_t> up;     // as many
  std::vector<std::uint32_t> ports;  // as many
};

inline constexpr std::size_t most_levels = 32;

NetworkSize size_of(const FatTreeShape& shape);

class FatTree : public CableCluster {
 public:
  // The shape has 1 to most_levels levels and as many hosts as the spec.
  FatTree(ClusterSpec spec, const FatTreeShape& shape);

  std::string kind() const override { return "fat tree"; }
  // To itself: to the switch above and back, a link that serves both directions twice, as in
  // SimGrid. With limiters: that of every node before the cable up that leaves it, that of the
  // upper node behind each cable down, at last the destination's.
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  // None where hosts have cables to several switches.
  std::optional<LeafSwitches> leaf_switches() const override;
  // Switches by level and position: mine_switch_1_0, ... Limiters are no edges.
  Graph graph() const override;
  std::optional<std::pair<HostId, HostId>> farthest_hosts() const override;

 private:
  // Between the nodes of level l and their parents.
  struct Level {
    Divisor down;
    Divisor up;
    Divisor ports;
    Divisor way;                // up * ports: the cables out of a node
    std::uint32_t weight;       // of this level's digit in a position
    std::uint32_t first_cable;  // of those up from level l
    std::uint32_t first_child;  // of the nodes of level l; all nodes in a row, hosts first
    std::uint32_t first_parent;
  };
  // What the way up leaves for the way down, at a level of it.
  struct Step {
    std::uint32_t position;  // of the destination's ancestor there that the route comes through
    std::uint32_t digit;     // its place among its siblings
    std::uint32_t parent;    // which of its parents is above it
  };
  class DownPort;

  // SimGrid's number of a host, which its routes depend on.
  std::uint32_t host_number(HostId host) const { return spec().before.hosts + host; }
  std::string cable_name(std::uint32_t cable) const override;
  std::int64_t limiter_number(std::uint32_t node) const override;
  std::int64_t switch_number(std::uint32_t node) const;
  const Level& level_of(std::uint32_t cable) const;
  struct Ends {
    std::uint32_t child;   // a node, hosts first
    std::uint32_t parent;  //
  };
  Ends ends(std::uint32_t cable) const;
  void go_down(HostId source, std::size_t top, const Step* steps, std::vector<LinkId>& links) const;

  std::vector<Level> levels_;
  bool parallel_ = false;  // some level has more than one port
};

}  // namespace tutti::platforms
