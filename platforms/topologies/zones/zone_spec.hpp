// SPDX-License-Identifier: BSD-3-Clause
// The zones of a platform file as plain data. A zone contains either other zones, or hosts and
// routers; these are its vertices, in file order. A cluster is a zone whose vertices are its hosts,
// followed by its router.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// A list of names in contiguous memory.
class NameTable {
 public:
  void add(std::string_view name) {
    text_.append(name);
    ends_.push_back(static_cast<std::uint32_t>(text_.size()));
  }
  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t i) const {
    const std::uint32_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(text_).substr(begin, ends_[i] - begin);
  }

 private:
  std::string text_;
  std::vector<std::uint32_t> ends_;
};

using ZoneId = std::uint32_t;
using VertexId = std::uint32_t;

inline constexpr ZoneId no_zone = std::numeric_limits<ZoneId>::max();

// A host or a router: a vertex of a zone without child zones.
struct ZonePoint {
  ZoneId zone = 0;
  VertexId vertex = 0;
  bool operator==(const ZonePoint&) const = default;
};

// A range of ZoneTreeSpec::route_links.
struct LinkSpan {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// One direction of a <route> or <zoneRoute>.
struct ZoneEdge {
  VertexId from = 0;
  VertexId to = 0;
  ZonePoint exit;   // start of the links: the gateway in `from`, or `from` itself
  ZonePoint entry;  // end of the links
  LinkSpan links;   // not empty
};

// The links between a host of a zone with routing Cluster and the hub.
struct HubLinks {
  LinkSpan up;    // including the backbone
  LinkSpan down;  // including the backbone
  LinkSpan self;  // to itself; empty: up and down
};

enum class ZoneRouting : std::uint8_t {
  none,      // no routes
  full,      // every route is in the file
  floyd,     // fewest links, all pairs at once
  dijkstra,  // fewest links, one source at a time
  hub,       // SimGrid's "Cluster": hosts around a hub
  cluster    // a <cluster>
};

struct ZoneSpec {
  std::string name;
  ZoneRouting routing = ZoneRouting::none;
  ZoneId parent = no_zone;
  VertexId vertex = 0;  // in the parent
  int depth = 0;        // 0 for the outermost zone
  bool has_zones = false;
  VertexId vertex_count = 0;
  HostId first_host = 0;  // hosts of the zone and its child zones: [first_host, end_host)
  HostId end_host = 0;
  std::uint32_t first_name = 0;           // of its own hosts, in host_names
  std::vector<VertexId> routers;          // ascending
  std::vector<ZoneEdge> edges;            // full, floyd, dijkstra; each pair once
  std::vector<HubLinks> hub;              // by vertex
  std::unique_ptr<const Topology> inner;  // of a cluster
  std::optional<Link> loopback;           // of each host, if the file has no route to itself

  bool has_hosts() const { return end_host > first_host; }
};

struct ZoneTreeSpec {
  std::vector<ZoneSpec> zones;  // in the order of the file: parents before children
  std::vector<Link> links;      // those listed in the file
  NameTable link_names;
  NameTable host_names;
  NameTable router_names;
  std::vector<LinkId> route_links;
};

// The vertex of the zone's host with this index, counted from first_host.
inline VertexId vertex_of(const ZoneSpec& zone, HostId host) {
  VertexId vertex = host;
  for (const VertexId router : zone.routers) vertex += router <= vertex ? 1 : 0;
  return vertex;
}

}  // namespace tutti::platforms
