// SPDX-License-Identifier: BSD-3-Clause
// Tofu (Ajima et al., "The Tofu Interconnect D", IEEE Cluster 2018): a torus with the axes X, Y, Z,
// A, B, C. The axes A and C have 2 nodes and one link each, and B is a ring of 3. The first axis
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
// A message may use one of 12 paths (Ajima et al., "The Tofu Interconnect", IEEE Micro 32(1),
// 2012): first B, C and A to any position on these axes, then Z, Y and X, then B, C and A to the
// destination. Those over a position between the source and the destination are shortest paths,
// also with both directions of a tie; the others are detours. Between nodes that differ in A, B and
// C only, there are the shortest paths that change direction at such a position, and no detours.
// Each axis is a level of links.
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
TopologyFamily tofu_family();

// The dimension of the logical torus on each axis; unset if the sizes of its dimensions are not
// products of axes.
using TofuEmbedding = std::array<std::size_t, tofu_axes>;
std::optional<TofuEmbedding> embedding_of(const TofuShape& shape);

// The network with a logical torus of these sizes: "8x6x4".
Result<TofuShape> with_job(TofuShape network, std::string_view sizes);

class Tofu : public CableCluster {
 public:
  // The shape must have as many hosts as the spec, axes A, B and C of 2, 3 and 2 nodes, and an
  // embedding if it has a logical torus.
  Tofu(ClusterSpec spec, const TofuShape& shape);

  std::string kind() const override { return "Tofu"; }
  std::string parameters() const override;  // "4,2,2,2,3,2 as 8x6x4"
  TopologyDescription describe() const override;
  // Limiters: that of every node that the message leaves, last the destination's. From a host to
  // itself: the limiter; without limiters, out through the node's link on axis B and back, once if
  // the directions share it.
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  std::uint32_t shortest_paths(const RouteEnds& ends) const override;
  void shortest_path(const RouteEnds& ends, std::uint32_t number,
                     std::vector<LinkId>& links) const override;
  std::uint64_t detours(const RouteEnds& ends) const override;
  void detour(const RouteEnds& ends, std::uint64_t number,
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
  // Of a path: at most B, C, A, Z, Y, X, B, C, A.
  struct Legs {
    std::array<Leg, tofu_axes + 3> leg{};
    std::size_t count = 0;

    Leg* begin() { return leg.data(); }
    Leg* end() { return leg.data() + count; }
  };

  std::uint32_t node_of(HostId host) const;
  std::vector<HostId> host_at() const;  // by node
  std::uint32_t coordinate(std::uint32_t node, const Axis& axis) const {
    return axis.size.divide(axis.stride.quotient(node)).rest;
  }
  std::uint32_t next(std::uint32_t node, const Axis& axis) const;
  // The link to the next node of a ring, or of a pair.
  std::uint32_t cable(std::uint32_t node, const Axis& axis) const;
  // Appends the legs on the axes A, B and C (inner) or X, Y and Z (outer).
  void add_inner(std::uint32_t from, std::uint32_t to, Legs& legs) const;
  void add_outer(std::uint32_t from, std::uint32_t to, Legs& legs) const;
  void add_leg(std::size_t axis, std::uint32_t from, std::uint32_t to, Legs& legs) const;
  // Number of the axes A, B and C on which two nodes differ.
  std::uint32_t inner_differences(std::uint32_t from, std::uint32_t to) const;
  // Returns the node with the positions of `from` on X, Y and Z, and of `to` on A, B and C. Bits of
  // `late` represent the axes A, B and C on which both differ, in the order of the route: on an
  // axis with its bit set, the position is that of `from`.
  std::uint32_t turn(std::uint32_t from, std::uint32_t to, std::uint32_t late) const;
  // Travels along the legs on A, B and C to `via`, then the outer ones, then to the destination.
  void go(std::uint32_t from, std::uint32_t via, std::uint32_t to, const Legs& outer,
          std::vector<LinkId>& links) const;
  std::uint32_t travel(std::uint32_t node, const Leg& leg, std::vector<LinkId>& links) const;
  std::string cable_name(std::uint32_t cable) const override;
  std::size_t level_of_cable(std::uint32_t cable) const override;
  std::uint32_t end_of_level(std::size_t level) const override {
    return level + 1 < tofu_axes ? axes_[level + 1].first_cable : cable_count();
  }
  std::int64_t limiter_number(std::uint32_t node) const override { return node; }
  std::vector<Part> parts_of(std::size_t dimension, const TofuEmbedding& embedding) const;

  std::vector<Axis> axes_;
  std::vector<Dimension> dimensions_;  // empty: hosts are numbered as nodes
};

}  // namespace tutti::platforms
