// SPDX-License-Identifier: BSD-3-Clause
// A platform of nested zones. Routes are found as in SimGrid: the innermost common zone of two
// hosts has a route between its two children (zones or hosts) that contain them. It leads from
// gateway to gateway; the routes to the first gateway and from the last one are found recursively.
//
// Link numbers: the links listed in the file, then the links of each cluster, then the loopbacks.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/topologies/zones/paths.hpp"
#include "platforms/topologies/zones/zone_spec.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

class ZoneTree : public Topology {
 public:
  // The spec must have routes between all hosts (missing_route.hpp).
  explicit ZoneTree(ZoneTreeSpec spec);

  std::string kind() const override;
  TopologyDescription describe() const override;
  HostId host_count() const override { return spec_.zones.front().end_host; }
  LinkId link_count() const override { return links_; }
  Link link(LinkId id) const override;
  std::string host_name(HostId id) const override;
  std::string link_name(LinkId id) const override;
  std::optional<HostId> find_host(std::string_view name) const override;
  // From a host to itself: the route of the file; else the host's loopback, if the zone has
  // loopbacks; else out and back.
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  // Junction vertices connect the links of a route; a zone with routing Cluster has a hub.
  Graph graph() const override;
  // The steps of the searches of Dijkstra zones.
  std::uint64_t search_steps() const override;
  LinkId end_of_equal_links(LinkId first) const override;

 private:
  // Data of a zone that routes need.
  struct Zone {
    ZoneId parent = no_zone;
    VertexId vertex = 0;
    int depth = 0;
    std::unique_ptr<const Paths> paths;
    LinkId first_link = 0;            // of a cluster
    LinkId first_loopback = 0;        // of a zone with loopbacks
    std::vector<VertexId> vertex_of;  // by host of the zone; empty if the numbers are equal
  };
  // Links that the file does not list: the links of a cluster, or the loopbacks of a zone's hosts.
  struct LinkBlock {
    LinkId first = 0;
    ZoneId zone = 0;
    bool loopbacks = false;
  };

  void add_links();
  ZoneId zone_of(HostId host) const;
  ZonePoint point_of(HostId host) const;
  const LinkBlock& block_of(LinkId id) const;
  void to_itself(HostId host, std::vector<LinkId>& links) const;
  void connect(ZonePoint source, ZonePoint destination, std::vector<LinkId>& links) const;
  // Appends the route through `zone`, whose vertices `from` and `to` are or contain the two points.
  void cross(ZoneId zone, ZonePoint source, VertexId from, ZonePoint destination, VertexId to,
             std::vector<LinkId>& links) const;
  bool follow_paths(ZoneId zone, ZonePoint source, VertexId from, ZonePoint destination,
                    VertexId to, std::vector<LinkId>& links) const;
  void cross_hub(const ZoneSpec& zone, VertexId from, VertexId to,
                 std::vector<LinkId>& links) const;
  void cross_cluster(ZoneId zone, VertexId from, VertexId to, std::vector<LinkId>& links) const;
  void append(LinkSpan span, std::vector<LinkId>& links) const;

  friend class ZoneTreeGraph;

  ZoneTreeSpec spec_;
  std::vector<Zone> zones_;
  std::vector<HostId> leaf_starts_;  // first host of each zone in leaves_
  std::vector<ZoneId> leaves_;       // zones that directly contain hosts
  std::vector<LinkBlock> blocks_;
  LinkId links_ = 0;
  std::vector<std::uint32_t> by_name_;  // the listed hosts, ordered by name
  std::vector<HostId> host_of_name_;    // by index of the name
};

}  // namespace tutti::platforms
