// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/cable_cluster.hpp"

#include "platforms/topologies/saturating.hpp"

namespace tutti::platforms {

std::uint64_t links_of(const NetworkSize& size, const ClusterSpec& spec) {
  const std::uint64_t ways = spec.sharing == NicSharing::split_duplex ? 2 : 1;
  return saturating_sum(saturating_product(size.cables, ways), spec.limiter_Bps ? size.nodes : 0);
}

CableCluster::CableCluster(ClusterSpec spec, const NetworkSize& size)
    : spec_(std::move(spec)),
      names_(spec_.prefix, spec_.suffix, spec_.radical),
      split_(spec_.sharing == NicSharing::split_duplex ? 1 : 0),
      has_limiters_(spec_.limiter_Bps.has_value()) {
  TUTTI_CHECK(size.hosts == names_.count(), "a network for another number of hosts");
  const auto links = links_of(size, spec_);
  TUTTI_CHECK(links <= most_links, "too many links");
  link_count_ = static_cast<LinkId>(links);
  first_limiter_ = static_cast<LinkId>(size.cables) << split_;
}

Link CableCluster::link(LinkId id) const {
  TUTTI_CHECK(id < link_count_, "no such link");
  if (id >= first_limiter_) return {.bandwidth_Bps = *spec_.limiter_Bps};
  const auto cable = id >> split_;
  if (spec_.levels.empty()) return {spec_.bandwidth_Bps * wires(cable), spec_.latency_s};
  const LinkLevel& level = spec_.levels.at(level_of_cable(cable));
  return {level.bandwidth_Bps * wires(cable), level.latency_s};
}

LinkId CableCluster::end_of_equal_links(LinkId first) const {
  return first >= first_limiter_ ? link_count_ : end_of_equal_cables(first >> split_) << split_;
}

std::string CableCluster::link_name(LinkId id) const {
  TUTTI_CHECK(id < link_count_, "no such link");
  if (id >= first_limiter_)
    return fmt::format("{}_link_{}_limiter", spec_.id, limiter_number(id - first_limiter_));
  const auto name = cable_name(id >> split_);
  if (!split()) return name;
  return name + (id % 2 == 0 ? "_UP" : "_DOWN");
}

LeafSwitches CableCluster::leaf_switches_of(HostId hosts, std::uint32_t cables_per_host) const {
  LeafSwitches leaves{.hosts = hosts, .links = cables_per_host << split_, .ways = 1U << split_};
  if (has_limiters_) leaves.first_limiter = first_limiter_;
  return leaves;
}

void CableCluster::connect(Graph& graph, std::uint32_t lower, std::uint32_t upper,
                           std::uint32_t cable) const {
  graph.edges.push_back({lower, upper, up(cable), !split()});
  if (split()) graph.edges.push_back({upper, lower, down(cable), false});
}

}  // namespace tutti::platforms
