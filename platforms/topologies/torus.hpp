// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's torus with any number of dimensions: every node has a physical link to the next node in
// each dimension, and that of the last node leads to the first. The first dimension varies fastest
// in the number of a host and is the first that a route traverses. Routes use the shorter direction
// in each dimension.
//
// The shortest paths are all orders of the dimensions (axis_orders.hpp), and both directions of a
// dimension that is halfway around. Each dimension is a level of links.
#pragma once

#include "platforms/topologies/cable_cluster.hpp"
#include "platforms/topologies/saturating.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

struct TorusShape {
  std::vector<std::uint32_t> dimensions;  // at least 1 each
};

inline constexpr std::size_t most_dimensions = 32;

NetworkSize size_of(const TorusShape& shape);
TopologyFamily torus_family();

class Torus : public CableCluster {
 public:
  // The shape must have 1 to most_dimensions dimensions and as many hosts as the spec. `levels`:
  // the level of links of each dimension; empty: one each, in order.
  Torus(ClusterSpec spec, const TorusShape& shape, std::vector<std::size_t> levels = {});

  std::string kind() const override { return "torus"; }
  TopologyDescription describe() const override;
  // Limiters: that of every node that the message leaves, last the destination's. From a host to
  // itself: the limiter; without limiters, out through the node's first link that leads to another
  // node and back, once if the directions share it (SimGrid has an empty route, and aborts).
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  std::uint32_t shortest_paths(const RouteEnds& ends) const override;
  void shortest_path(const RouteEnds& ends, std::uint32_t number,
                     std::vector<LinkId>& links) const override;
  // No switches. The links of a dimension of size 1, which lead back to the same node, and limiters
  // are not edges.
  Graph graph() const override;
  std::optional<std::pair<HostId, HostId>> farthest_hosts() const override;

 protected:
  TorusShape shape() const;

 private:
  struct Dimension {
    Divisor size;
    std::uint32_t stride;  // between neighbours
    std::size_t level;     // of its links
  };

  std::string cable_name(std::uint32_t cable) const override;
  std::int64_t limiter_number(std::uint32_t node) const override { return node; }
  std::size_t level_of_cable(std::uint32_t cable) const override {
    return dimensions_[cable % dimensions_.size()].level;
  }
  // The physical links of a node are one of each dimension.
  std::uint32_t end_of_equal_cables(std::uint32_t cable) const override {
    return spec().levels.size() < 2 ? cable_count() : cable + 1;
  }
  std::uint32_t cable(HostId node, std::size_t dimension) const {
    return node * static_cast<std::uint32_t>(dimensions_.size()) +
           static_cast<std::uint32_t>(dimension);
  }
  HostId next(HostId node, const Dimension& dimension) const;
  void stay(HostId node, std::vector<LinkId>& links) const;
  // The part of a path in one dimension.
  struct Leg {
    std::size_t dimension = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    bool is_tie = false;  // both directions are as short
    bool onward = false;  // SimGrid's direction
  };
  using Legs = std::array<Leg, most_dimensions>;
  // The dimensions in which the hosts differ; returns their number.
  std::size_t legs_between(HostId source, HostId destination, Legs& legs) const;
  // Travels from coordinate `from` to `to` of one dimension, starting at `node`; returns the end
  // node.
  HostId travel(HostId node, std::size_t dimension, std::uint32_t from, std::uint32_t to,
                std::vector<LinkId>& links) const;
  HostId travel_toward(HostId node, const Leg& leg, std::vector<LinkId>& links) const;

  std::vector<Dimension> dimensions_;
};

}  // namespace tutti::platforms
