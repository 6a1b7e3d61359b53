// SPDX-License-Identifier: BSD-3-Clause
// First pass over the zones of a platform: hosts, routers, links and clusters, with their names.
#pragma once

#include "platforms/topologies/zones/zone_spec.hpp"
#include "platforms/xml/document.hpp"
#include "platforms/xml/zones.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// A link by the name of its element: one link, or one per direction.
struct NamedLink {
  LinkId id = 0;  // up, if there is one per direction; down is the next one
  bool split = false;
};

class ZoneNames {
 public:
  // Return false if the name is already in use.
  bool add_zone(const std::string& name, ZoneId id) { return zones_.emplace(name, id).second; }
  bool add_point(const std::string& name, ZonePoint point) {
    return points_.emplace(name, point).second;
  }
  bool add_link(const std::string& name, NamedLink link) {
    return links_.emplace(name, link).second;
  }

  // Adds the hosts of the clusters, whose names are computed. Returns the first host with a
  // duplicate name.
  std::optional<HostId> add_cluster_hosts(const ZoneTreeSpec& spec);

  std::optional<ZoneId> zone(const std::string& name) const { return find(zones_, name); }
  std::optional<NamedLink> link(const std::string& name) const { return find(links_, name); }
  std::optional<ZonePoint> point(const std::string& name, const ZoneTreeSpec& spec) const;

 private:
  template <class T>
  static std::optional<T> find(const std::unordered_map<std::string, T>& map,
                               const std::string& name) {
    const auto found = map.find(name);
    return found == map.end() ? std::nullopt : std::optional(found->second);
  }

  struct ClusterHost {
    std::uint64_t hash = 0;  // of the name
    ZonePoint point;
  };

  std::unordered_map<std::string, ZoneId> zones_;
  std::unordered_map<std::string, ZonePoint> points_;
  std::unordered_map<std::string, NamedLink> links_;
  std::vector<ClusterHost> cluster_hosts_;  // ascending by hash
};

// The hosts of a <cabinet>, each with a link up and, after it, one down.
struct CabinetHosts {
  ZoneId zone = 0;
  VertexId first = 0;
  VertexId count = 0;
  LinkId first_link = 0;
};

struct ZoneContents {
  ZonesDescription zones;
  ZoneNames names;                     // complete (with hosts of clusters) once all zones are read
  std::map<ZoneId, LinkId> backbones;  // of zones with routing Cluster
  std::vector<CabinetHosts> cabinets;  // of zones with routing Cluster
};

ZoneContents read_zone_contents(const XmlSource& source, const Document& document,
                                ErrorList& errors);

}  // namespace tutti::platforms
