// SPDX-License-Identifier: BSD-3-Clause
// Tofu (Ajima et al., "The Tofu Interconnect D", IEEE Cluster 2018): a torus with the axes X, Y, Z,
// A, B, C, of which A and C have 2 nodes and one link each, and B is a ring of 3. The first axis
// varies fastest in the number of a node.
//
// A job sees a logical torus of one to three dimensions. Each dimension is a path between
// neighbours over some of the axes, the reflected Gray code of mixed radix: X and A, Y and B, Z and
// C if the sizes fit, otherwise the first assignment of axes to dimensions that fits. The last axis
// of a path is even if one is, so that the ends of the path are neighbours, too. Without a logical
// torus, hosts are numbered as nodes.
//
//   route: axis by axis in the order B, C, A, Z, Y, X, in the shorter direction; a tie goes
//   forward.
//
// The shortest paths are all orders of the axes (axis_orders.hpp), and both directions of a tie.
// This is the torus that folded_torus.hpp approximates for machines whose axes are not given.
#pragma once

#include "platforms/topologies/cable_cluster.hpp"
#include "platforms/topologies/saturating.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

inline constexpr std::size_t tofu_axes = 6;

struct TofuShape {
  std::array<std::uint32_t, tofu_axes> axes{1, 1, 1, 2, 3, 2};
  std::vector<std::uint32_t> job;  // sizes of the logical torus; empty: none
};

NetworkSize size_of(const TofuShape& shape);

// The dimension of the logical torus on each axis; unset if the sizes of its dimensions are not
// products of axes.
using TofuEmbedding = std::array<std::size_t, tofu_axes>;
std::optional<TofuEmbedding> embedding_of(const TofuShape& shape);

class Tofu : public CableCluster {
 public:
  // The shape must have as many hosts as the spec, axes A, B and C of 2, 3 and 2 nodes, and an
  // embedding if it has a logical torus.
  Tofu(ClusterSpec spec, const TofuShape& shape);

  std::string kind() const override { return "Tofu"; }
  std::string parameters() const override;  // "4,2,2,2,3,2 as 8x6x4"
  // Limiters: that of every node that the message leaves, last the destination's. From a host to
  // itself: the limiter; without limiters, out through the node's link on axis B and back, once if
  // the directions share it.
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  std::uint32_t shortest_paths(const RouteEnds& ends) const override;
  void shortest_path(const RouteEnds& ends, std::uint32_t number,
                     std::vector<LinkId>& links) const override;
  // No switches. Limiters are not edges.
  Graph graph() const override;
  std::optional<std::pair<HostId, HostId>> farthest_hosts() const override;

 private:
  struct Axis {
    Divisor size;
    Divisor stride;
    bool is_ring;  // false: at most two nodes with a single link
    std::uint32_t first_cable;
  };
  // Part of a dimension of the logical torus.
  struct Part {
    std::size_t axis;
    std::uint32_t before;  // product of the faster axes of the dimension
  };
  struct Dimension {
    std::uint32_t size;
    std::vector<Part> parts;  // the fastest axis first
  };
  // The part of a path on one axis.
  struct Leg {
    const Axis* axis = nullptr;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    bool onward = false;
    bool is_tie = false;
  };
  using Legs = std::array<Leg, tofu_axes>;

  std::uint32_t node_of(HostId host) const;
  std::vector<HostId> host_at() const;  // by node
  std::uint32_t coordinate(std::uint32_t node, const Axis& axis) const {
    return axis.size.divide(axis.stride.quotient(node)).rest;
  }
  std::uint32_t next(std::uint32_t node, const Axis& axis) const;
  // The link to the next node of a ring, or of a pair.
  std::uint32_t cable(std::uint32_t node, const Axis& axis) const;
  std::size_t legs_between(std::uint32_t from, std::uint32_t to, Legs& legs) const;
  std::uint32_t travel(std::uint32_t node, const Leg& leg, std::vector<LinkId>& links) const;
  std::string cable_name(std::uint32_t cable) const override;
  std::int64_t limiter_number(std::uint32_t node) const override { return node; }
  std::vector<Part> parts_of(std::size_t dimension, const TofuEmbedding& embedding) const;

  std::vector<Axis> axes_;
  std::vector<Dimension> dimensions_;  // empty: hosts are numbered as nodes
};

}  // namespace tutti::platforms
