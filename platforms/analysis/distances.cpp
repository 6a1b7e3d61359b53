// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/analysis/distances.hpp"

#include <algorithm>

namespace tutti::platforms {
namespace {

constexpr std::uint64_t most_routes = 2'000'000;

Seconds latency_of(const Topology& topology, const std::vector<LinkId>& links) {
  Seconds sum_s = 0;
  for (const LinkId id : links) sum_s += topology.link(id).latency_s;
  return sum_s;
}

}  // namespace

Diameter diameter(const Topology& topology) {
  const HostId hosts = topology.host_count();
  const auto affordable = std::max<std::uint64_t>(1, most_routes / hosts);
  Diameter found{.sources = static_cast<HostId>(std::min<std::uint64_t>(hosts, affordable))};
  std::vector<LinkId> links;
  for (HostId i = 0; i < found.sources; ++i) {
    const auto from = static_cast<HostId>(std::uint64_t{i} * hosts / found.sources);
    for (HostId to = 0; to < hosts; ++to) {
      if (to == from) continue;
      links.clear();
      topology.route(from, to, links);
      found.latency_s = std::max(found.latency_s, latency_of(topology, links));
      if (links.size() <= found.links) continue;
      found.links = links.size();
      found.from = from;
      found.to = to;
    }
  }
  return found;
}

}  // namespace tutti::platforms
