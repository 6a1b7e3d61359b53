// SPDX-License-Identifier: BSD-3-Clause
// Base of networks that differ from another one in some respects: all functions are those of the
// other network unless a derived class overrides them.
#pragma once

#include "platforms/topology_description.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

class DerivedTopology : public Topology {
 public:
  std::string kind() const override { return network_->kind(); }
  std::string parameters() const override { return network_->parameters(); }
  TopologyDescription describe() const override { return network_->describe(); }
  HostId host_count() const override { return network_->host_count(); }
  LinkId link_count() const override { return network_->link_count(); }
  Link link(LinkId id) const override { return network_->link(id); }
  std::string host_name(HostId id) const override { return network_->host_name(id); }
  std::string link_name(LinkId id) const override { return network_->link_name(id); }
  std::optional<HostId> find_host(std::string_view name) const override {
    return network_->find_host(name);
  }
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    network_->route(source, destination, links);
  }
  std::uint32_t rails() const override { return network_->rails(); }
  void rail_route(const RouteEnds& ends, std::vector<LinkId>& links) const override {
    network_->rail_route(ends, links);
  }
  std::uint32_t shortest_paths(const RouteEnds& ends) const override {
    return network_->shortest_paths(ends);
  }
  void shortest_path(const RouteEnds& ends, std::uint32_t number,
                     std::vector<LinkId>& links) const override {
    network_->shortest_path(ends, number, links);
  }
  std::uint64_t detours(const RouteEnds& ends) const override { return network_->detours(ends); }
  void detour(const RouteEnds& ends, std::uint64_t number,
              std::vector<LinkId>& links) const override {
    network_->detour(ends, number, links);
  }
  std::size_t nic_links() const override { return network_->nic_links(); }
  std::optional<LeafSwitches> leaf_switches() const override { return network_->leaf_switches(); }
  Graph graph() const override { return network_->graph(); }
  std::optional<std::pair<HostId, HostId>> farthest_hosts() const override {
    return network_->farthest_hosts();
  }
  std::uint64_t search_steps() const override { return network_->search_steps(); }
  LinkId end_of_equal_links(LinkId first) const override {
    return network_->end_of_equal_links(first);
  }
  std::string router_name() const override { return network_->router_name(); }
  void route_to_router(HostId source, std::vector<LinkId>& links) const override {
    network_->route_to_router(source, links);
  }
  void route_from_router(HostId destination, std::vector<LinkId>& links) const override {
    network_->route_from_router(destination, links);
  }

 protected:
  explicit DerivedTopology(std::shared_ptr<const Topology> network)
      : network_(std::move(network)) {}

  const Topology& network() const { return *network_; }

 private:
  std::shared_ptr<const Topology> network_;
};

}  // namespace tutti::platforms
