// SPDX-License-Identifier: BSD-3-Clause
// A network whose nodes have several NICs (rails), as in the multi-rail fabrics of GPU clusters
// ("Rail-only: a low-cost high-performance network for training LLMs", Wang et al., HOTI 2024;
// NVIDIA's DGX SuperPOD reference architecture). NICs are hosts of a flat cluster or a fat tree:
//
//   planes: each rail has a copy of the network. A route uses the plane of the source's NIC.
//   leaves: one network. The NICs with the same number of H consecutive nodes are under a leaf
//           switch of their own (rail-optimised); H is the number of hosts of a leaf switch.
//   node:   one network. The NICs of a node are consecutive, usually under the same leaf switch.
#pragma once

#include "platforms/topologies/cable_cluster.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

enum class RailOrder : std::uint8_t { planes, leaves, node };
inline constexpr std::array<std::string_view, 3> rail_order_names = {"planes", "leaves", "node"};

struct RailSpec {
  std::uint32_t rails = 1;  // NICs per node
  RailOrder order = RailOrder::planes;
  std::uint32_t per_leaf = 1;  // H; divides the number of nodes. Only for `leaves`.
};

class RailNetwork : public Topology {
 public:
  // `network` has as many hosts as there are nodes (planes) or NICs, and a single rail.
  RailNetwork(std::shared_ptr<const Topology> network, const RailSpec& spec, HostNames names);

  std::string kind() const override;  // "fat tree with 4 rails (planes)"
  std::string parameters() const override { return network_->parameters(); }
  TopologyDescription describe() const override;
  HostId host_count() const override { return names_.count(); }
  LinkId link_count() const override { return network_->link_count() * planes_; }
  Link link(LinkId id) const override;
  std::string host_name(HostId id) const override { return names_.name(id); }
  std::string link_name(LinkId id) const override;
  std::optional<HostId> find_host(std::string_view name) const override {
    return names_.find(name);
  }
  // Between the first NICs.
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  std::uint32_t rails() const override { return spec_.rails; }
  void rail_route(const RouteEnds& ends, std::vector<LinkId>& links) const override;
  std::uint32_t shortest_paths(const RouteEnds& ends) const override;
  void shortest_path(const RouteEnds& ends, std::uint32_t number,
                     std::vector<LinkId>& links) const override;
  std::uint64_t detours(const RouteEnds& ends) const override;
  void detour(const RouteEnds& ends, std::uint64_t number,
              std::vector<LinkId>& links) const override;
  std::size_t nic_links() const override { return network_->nic_links(); }
  // A switch of a plane has the number of the plane in its name: mine_switch_1_0_plane_0.
  Graph graph() const override;
  std::optional<std::pair<HostId, HostId>> farthest_hosts() const override;
  LinkId end_of_equal_links(LinkId first) const override;

 private:
  // The host of the network that is a NIC.
  HostId nic(HostId host, std::uint32_t rail) const;
  HostId host_of(HostId nic) const;
  RouteEnds nics(const RouteEnds& ends) const;
  // Moves the links that were appended after the first `before` ones to the plane of the source.
  void place(const RouteEnds& ends, std::size_t before, std::vector<LinkId>& links) const;

  std::shared_ptr<const Topology> network_;
  RailSpec spec_;
  HostNames names_;
  std::uint32_t planes_;  // copies of the network
};

}  // namespace tutti::platforms
