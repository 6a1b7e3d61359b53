// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's flat <cluster>: every host has its own physical link to a hub; optionally all messages
// cross a backbone in between.
//
//   host a --up(a)--> [backbone] --down(b)--> host b
#pragma once

#include "platforms/topologies/cable_cluster.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

TopologyFamily flat_family();

struct FlatClusterSpec : ClusterSpec {
  std::optional<Link> backbone;
  std::string router;  // the hub's name, for routes from other zones
};

class FlatCluster : public CableCluster {
 public:
  explicit FlatCluster(FlatClusterSpec spec);

  std::string kind() const override { return "flat cluster"; }
  TopologyDescription describe() const override;
  LinkId link_count() const override { return backbone_id() + (backbone_ ? 1 : 0); }
  Link link(LinkId id) const override;
  std::string link_name(LinkId id) const override;
  // From a host to itself: out through the up link and back through the down link; a shared link
  // counts once, and so does the limiter, as in SimGrid.
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  std::optional<LeafSwitches> leaf_switches() const override {
    return leaf_switches_of(host_count(), 1);
  }
  // One hub, or with a backbone two hubs connected by it.
  Graph graph() const override;
  std::optional<std::pair<HostId, HostId>> farthest_hosts() const override;
  LinkId end_of_equal_links(LinkId first) const override;
  std::string router_name() const override { return router_; }
  void route_to_router(HostId source, std::vector<LinkId>& links) const override;
  void route_from_router(HostId destination, std::vector<LinkId>& links) const override;

 private:
  std::string cable_name(std::uint32_t cable) const override;
  std::int64_t limiter_number(std::uint32_t node) const override;
  LinkId backbone_id() const { return CableCluster::link_count(); }

  std::optional<Link> backbone_;
  std::string router_;
};

}  // namespace tutti::platforms
