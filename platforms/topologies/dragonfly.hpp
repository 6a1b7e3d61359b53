// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's dragonfly (Cray Cascade): groups of chassis of routers with nodes. A green link
// connects each pair of routers of a chassis. A black link connects each pair of routers at the
// same position in two chassis of a group. A blue link connects each pair of groups; it ends in the
// first chassis of a group, at the router with the number of the other group.
//
//   route: local, green and black to the router of the blue link, blue, green, black, local.
//
// As in SimGrid, a route inside a group that changes its position in the chassis continues in the
// first chassis: between other chassis it uses black links of the first, or none.
//
// A detour between two groups goes over a third one. Parallel wires are one link, so that there is
// one shortest path.
//
// Levels of links: of the nodes, green and black, blue. Their bandwidth is that of one wire.
#pragma once

#include "platforms/topologies/cable_cluster.hpp"
#include "platforms/topologies/saturating.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// All numbers are at least 1. The ..._links are parallel wires of one physical link, which has the
// sum of their bandwidths.
struct DragonflyShape {
  std::uint32_t groups = 1;  // at most `routers`: the first chassis needs one router per group
  std::uint32_t group_links = 1;
  std::uint32_t chassis = 1;  // per group
  std::uint32_t chassis_links = 1;
  std::uint32_t routers = 1;  // per chassis
  std::uint32_t router_links = 1;
  std::uint32_t nodes = 1;  // per router
};

NetworkSize size_of(const DragonflyShape& shape);
TopologyFamily dragonfly_family();

class Dragonfly : public CableCluster {
 public:
  // The shape and the spec must have the same number of hosts.
  Dragonfly(ClusterSpec spec, const DragonflyShape& shape);

  std::string kind() const override { return "dragonfly"; }
  TopologyDescription describe() const override;
  // From a host to itself: to the router and back; a shared link counts twice, as in SimGrid.
  // Limiters: first the source's, then that of each router that the message leaves, before its link
  // (after it if that is blue), last the destination's.
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  std::uint64_t detours(const RouteEnds& ends) const override;
  void detour(const RouteEnds& ends, std::uint64_t number,
              std::vector<LinkId>& links) const override;
  std::optional<LeafSwitches> leaf_switches() const override {
    return leaf_switches_of(shape_.nodes, 1);
  }
  // Routers are named by group, chassis and position: mine_router_0_0_0, ... Limiters are not
  // edges.
  Graph graph() const override;

 private:
  struct Place {
    std::uint32_t group;
    std::uint32_t chassis;
    std::uint32_t router;  // in the chassis
    friend bool operator==(const Place&, const Place&) = default;
  };
  Place place(HostId host) const;
  std::uint32_t number(const Place& router) const;                        // among all routers
  std::uint32_t gateway(std::uint32_t group, std::uint32_t other) const;  // the same
  LinkId limiter_of(const Place& router) const { return limiter(host_count() + number(router)); }

  std::uint32_t green_cable(std::uint32_t chassis, std::uint32_t a, std::uint32_t b) const;
  std::uint32_t black_cable(std::uint32_t group, std::uint32_t a, std::uint32_t b,
                            std::uint32_t router) const;
  std::uint32_t blue_cable(std::uint32_t a, std::uint32_t b) const;
  // Each appends the link from a router to another and, if SimGrid has one, the limiter.
  void cross_chassis(const Place& at, std::uint32_t router, std::vector<LinkId>& links) const;
  void cross_group(const Place& at, std::uint32_t chassis, std::vector<LinkId>& links) const;
  Place leave_group(Place at, std::uint32_t group, std::vector<LinkId>& links) const;
  // Appends the links from a router to a host, over no other groups.
  void approach(Place at, HostId destination, std::vector<LinkId>& links) const;

  std::string cable_name(std::uint32_t cable) const override;
  std::int64_t limiter_number(std::uint32_t node) const override;
  std::uint32_t wires(std::uint32_t cable) const override;
  std::size_t level_of_cable(std::uint32_t cable) const override;
  std::uint32_t end_of_equal_cables(std::uint32_t cable) const override;
  std::string green_name(std::uint32_t cable) const;
  std::string black_name(std::uint32_t cable) const;
  std::string blue_name(std::uint32_t cable) const;

  DragonflyShape shape_;
  Divisor nodes_;
  Divisor routers_;
  Divisor chassis_;
  std::uint32_t green_pairs_;  // pairs of routers of a chassis
  std::uint32_t black_pairs_;  // pairs of chassis of a group
  std::uint32_t first_green_;  // physical link; the preceding ones belong to the hosts
  std::uint32_t first_black_;
  std::uint32_t first_blue_;
};

}  // namespace tutti::platforms
