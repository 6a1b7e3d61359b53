// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/group_cluster.hpp"

#include "platforms/topology_description.hpp"

namespace tutti::platforms {

NetworkSize size_of(const GroupSizes& sizes, const std::vector<NodeRun>& nodes) {
  const auto hosts = hosts_of(nodes);
  const auto global = saturating_product(pairs(sizes.global.groups), sizes.global.links);
  return {.hosts = hosts,
          .nodes = hosts,
          .cables = saturating_sum(saturating_sum(hosts, sizes.local_cables), global)};
}

GroupCluster::GroupCluster(ClusterSpec spec, const GroupSizes& sizes,
                           const std::vector<NodeRun>& nodes)
    : SwitchCluster(std::move(spec), size_of(sizes, nodes), nodes),
      group_(sizes.group),
      global_(sizes.global),
      local_(sizes.local),
      first_global_(host_count() + static_cast<std::uint32_t>(sizes.local_cables)) {}

std::string GroupCluster::cable_name(std::uint32_t cable) const {
  if (cable < first_local()) return node_cable_name(cable);
  if (cable < first_global_) return local_cable_name(cable - first_local());
  const auto index = cable - first_global_;
  const auto [a, b] = pair_at(index / global_.links, global_.groups);
  return fmt::format("{}_link_{}s_{}_{}_number_{}", spec().id, group_, a, b, index % global_.links);
}

TopologyDescription GroupCluster::describe_groups(std::uint32_t switches,
                                                  std::uint32_t spines) const {
  auto description = SwitchCluster::describe();
  description.layout = NodeLayout::groups;
  description.numbers_from_group = 2;
  description.schematic = GroupsDrawing{.group = std::string(group_),
                                        .groups = global_.groups,
                                        .global = global_.links,
                                        .switches = switches,
                                        .spines = spines,
                                        .local = local_.value()};
  return description;
}

}  // namespace tutti::platforms
