// SPDX-License-Identifier: BSD-3-Clause
// A platform of zones in zones. A route between two hosts is found as SimGrid finds it: their least
// common zone has a route between the two zones (or hosts) in it that hold them; it leads from
// gateway to gateway, and the ways to the first gateway and from the last one are found likewise.
//
// Links are numbered: those that the file lists, then those of each cluster, then the loopbacks.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/topologies/zones/paths.hpp"
#include "platforms/topologies/zones/zone_spec.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

class ZoneTree : public Topology {
 public:
  // The spec has routes between all hosts (missing_route.hpp).
  explicit ZoneTree(ZoneTreeSpec spec);

  std::string kind() const override;
  HostId host_count() const override { return spec_.zones.front().end_host; }
  LinkId link_count() const override { return links_; }
  Link link(LinkId id) const override;
  std::string host_name(HostId id) const override;
  std::string link_name(LinkId id) const override;
  std::optional<HostId> find_host(std::string_view name) const override;
  // To itself: the route that the file gives; else the host's own loopback, where the zone has
  // loopbacks; else out and back.
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  // A route of several links is a chain of junctions; a zone with routing Cluster has a hub.
  Graph graph() const override;
  // Those of the searches of Dijkstra zones.
  std::uint64_t search_steps() const override;
  LinkId end_of_equal_links(LinkId first) const override;

 private:
  // What routes need of a zone at hand.
  struct Zone {
    ZoneId parent = no_zone;
    VertexId vertex = 0;
    int depth = 0;
    std::unique_ptr<const Paths> paths;
    LinkId first_link = 0;            // of a cluster
    LinkId first_loopback = 0;        // of a zone with loopbacks
    std::vector<VertexId> vertex_of;  // by its own hosts; empty: the same numbers
  };
  // Links that are not listed: those of a cluster, or the loopbacks of a zone's hosts.
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
  // Through `zone`, whose vertices `from` and `to` are or hold the two points.
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
  std::vector<HostId> leaf_starts_;  // first host of each zone that has hosts of its own
  std::vector<ZoneId> leaves_;       // these zones
  std::vector<LinkBlock> blocks_;
  LinkId links_ = 0;
  std::vector<std::uint32_t> by_name_;  // the listed hosts in the order of their names
  std::vector<HostId> host_of_name_;    // by number of the name
};

}  // namespace tutti::platforms
