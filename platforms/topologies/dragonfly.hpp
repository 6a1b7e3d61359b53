// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's dragonfly (Cray Cascade): groups of chassis of routers with nodes. In a chassis every
// router has a green cable to every other one, in a group every router a black cable to the one at
// its place of every other chassis, and two groups a blue cable, which ends at the router at the
// other group's number in the first chassis.
//
//   route: local, green and black to the blue cable's router, blue, green, black, local.
//
// As in SimGrid, a route inside a group that changes its place in the chassis goes on in the first
// chassis: between the other chassis it takes black cables of the first, or none.
#pragma once

#include "platforms/topologies/cable_cluster.hpp"
#include "platforms/topologies/saturating.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// All numbers at least 1. ..._links are wires side by side in one cable: its bandwidth is theirs
// together.
struct DragonflyShape {
  std::uint32_t groups = 1;  // at most `routers`: there is a router a group in the first chassis
  std::uint32_t group_links = 1;
  std::uint32_t chassis = 1;  // in a group
  std::uint32_t chassis_links = 1;
  std::uint32_t routers = 1;  // in a chassis
  std::uint32_t router_links = 1;
  std::uint32_t nodes = 1;  // at a router
};

NetworkSize size_of(const DragonflyShape& shape);

class Dragonfly : public CableCluster {
 public:
  // The shape has as many hosts as the spec.
  Dragonfly(ClusterSpec spec, const DragonflyShape& shape);

  std::string kind() const override { return "dragonfly"; }
  // To itself: to the router and back, a link that serves both directions twice, as in SimGrid.
  // With limiters: the source's, then that of each router that the message leaves, before the
  // cable (behind it where that is blue), at last the destination's.
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  std::optional<LeafSwitches> leaf_switches() const override {
    return leaf_switches_of(shape_.nodes, 1);
  }
  // Routers by group, chassis and place: mine_router_0_0_0, ... Limiters are no edges.
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
  LinkId toward(std::uint32_t cable, bool upwards) const {
    return upwards ? up(cable) : down(cable);
  }
  // Each appends the link from a router to another one and, where SimGrid has it, the limiter.
  void cross_chassis(const Place& at, std::uint32_t router, std::vector<LinkId>& links) const;
  void cross_group(const Place& at, std::uint32_t chassis, std::vector<LinkId>& links) const;
  Place leave_group(Place at, std::uint32_t group, std::vector<LinkId>& links) const;

  std::string cable_name(std::uint32_t cable) const override;
  std::int64_t limiter_number(std::uint32_t node) const override;
  std::uint32_t wires(std::uint32_t cable) const override;
  std::uint32_t end_of_equal_cables(std::uint32_t cable) const override;
  std::string green_name(std::uint32_t cable) const;
  std::string black_name(std::uint32_t cable) const;
  std::string blue_name(std::uint32_t cable) const;

  DragonflyShape shape_;
  Divisor nodes_;
  Divisor routers_;
  Divisor chassis_;
  std::uint32_t green_pairs_;  // of the routers of a chassis
  std::uint32_t black_pairs_;  // of the chassis of a group
  std::uint32_t first_green_;  // cable; those before are the hosts' own
  std::uint32_t first_black_;
  std::uint32_t first_blue_;
};

}  // namespace tutti::platforms
