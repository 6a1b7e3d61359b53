// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/zone_names.hpp"

#include <algorithm>

#include "sim/base/hash.hpp"

namespace tutti::platforms {

std::optional<HostId> ZoneNames::add_cluster_hosts(const ZoneTreeSpec& spec) {
  for (ZoneId id = 0; id < spec.zones.size(); ++id) {
    const Topology* cluster = spec.zones[id].inner.get();
    if (cluster == nullptr) continue;
    for (HostId host = 0; host < cluster->host_count(); ++host) {
      const auto name = cluster->host_name(host);
      if (points_.contains(name)) return spec.zones[id].first_host + host;
      cluster_hosts_.push_back({fnv1a(name), {id, host}});
    }
  }
  const auto name = [&](const ClusterHost& host) {
    return spec.zones[host.point.zone].inner->host_name(host.point.vertex);
  };
  std::stable_sort(cluster_hosts_.begin(), cluster_hosts_.end(),
                   [](const auto& a, const auto& b) { return a.hash < b.hash; });
  const auto same = [&](const auto& a, const auto& b) {
    return a.hash == b.hash && name(a) == name(b);
  };
  const auto twice = std::adjacent_find(cluster_hosts_.begin(), cluster_hosts_.end(), same);
  if (twice == cluster_hosts_.end()) return std::nullopt;
  const ZonePoint second = (twice + 1)->point;
  return spec.zones[second.zone].first_host + second.vertex;
}

std::optional<ZonePoint> ZoneNames::point(const std::string& name, const ZoneTreeSpec& spec) const {
  if (const auto listed = find(points_, name)) return listed;
  const auto hash = fnv1a(name);
  auto found = std::lower_bound(
      cluster_hosts_.begin(), cluster_hosts_.end(), hash,
      [](const ClusterHost& host, std::uint64_t wanted) { return host.hash < wanted; });
  for (; found != cluster_hosts_.end() && found->hash == hash; ++found)
    if (spec.zones[found->point.zone].inner->host_name(found->point.vertex) == name)
      return found->point;
  return std::nullopt;
}

}  // namespace tutti::platforms
