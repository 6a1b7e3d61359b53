// SPDX-License-Identifier: BSD-3-Clause
// HyperX (Ahn et al., "HyperX: topology, routing, and packaging of efficient large-scale networks",
// SC 2009): switches in a grid; in each dimension, every two switches that differ only there are
// connected by parallel links. One dimension is a full mesh, S = 2 in each a hypercube. The first
// dimension varies fastest in the number of a switch.
//
//   route: node, switch - switch per dimension in which the switches differ, node
//
// The fixed route traverses the dimensions in order, and the destination selects among parallel
// links. The shortest paths are all orders of the dimensions (axis_orders.hpp) with all parallel
// links. A detour changes the switch twice in one of the dimensions in which the ends differ, as
// in DAL (Ahn et al., section 4).
#pragma once

#include "platforms/topologies/switch_cluster.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// All numbers are at least 1, except nodes of a run.
struct HyperXShape {
  std::vector<std::uint32_t> sizes;  // switches per dimension
  std::vector<std::uint32_t> links;  // parallel links per dimension
  std::vector<NodeRun> nodes;
};

inline constexpr std::size_t most_hyperx_dimensions = 24;

NetworkSize size_of(const HyperXShape& shape);
TopologyFamily hyperx_family();

class HyperX : public SwitchCluster {
 public:
  // The shape must have 1 to most_hyperx_dimensions dimensions and as many hosts as the spec, and
  // the runs all switches. Levels of links: nodes, then the dimensions.
  HyperX(ClusterSpec spec, const HyperXShape& shape);

  std::string kind() const override { return "HyperX"; }
  TopologyDescription describe() const override;
  // Switches are named by number: mine_switch_0, ... Limiters are not edges.
  Graph graph() const override;
  // Unset if switches have different numbers of nodes.
  std::optional<std::pair<HostId, HostId>> farthest_hosts() const override;

 private:
  struct Dimension {
    Divisor size;
    Divisor stride;  // between neighbours
    std::uint32_t links;
    std::uint32_t first_cable;
  };
  // A step from a switch in one dimension.
  struct Step {
    const Dimension* dimension = nullptr;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t link = 0;
  };
  using Steps = std::array<Step, most_hyperx_dimensions>;

  // The steps in order of the dimensions, over the first parallel links; returns their number.
  std::size_t steps_between(std::uint32_t from, std::uint32_t to, Steps& steps) const;
  std::uint64_t paths(std::uint32_t from, std::uint32_t to) const override;
  std::uint64_t fixed_paths(std::uint32_t from, std::uint32_t to) const override;
  void path(std::uint32_t from, std::uint32_t to, std::uint64_t number,
            std::vector<LinkId>& links) const override;
  std::uint64_t longer_paths(std::uint32_t from, std::uint32_t to) const override;
  void longer_path(std::uint32_t from, std::uint32_t to, std::uint64_t number,
                   std::vector<LinkId>& links) const override;
  std::uint32_t cable(std::uint32_t at, const Dimension& dimension, std::uint32_t from,
                      std::uint32_t to, std::uint32_t link) const;
  // Appends the link of a step from switch `at`; returns the switch where it ends.
  std::uint32_t go(std::uint32_t at, const Step& step, std::vector<LinkId>& links) const;
  std::string cable_name(std::uint32_t cable) const override;
  std::size_t level_of_cable(std::uint32_t cable) const override;
  std::uint32_t end_of_level(std::size_t level) const override;

  std::uint32_t switches_;
  std::vector<Dimension> dimensions_;
};

}  // namespace tutti::platforms
