// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/dragonfly.hpp"
#include "platforms/topologies/dragonfly_1d.hpp"
#include "platforms/topologies/dragonfly_plus.hpp"
#include "platforms/topologies/family.hpp"
#include "platforms/topologies/fat_tree.hpp"
#include "platforms/topologies/flat_cluster.hpp"
#include "platforms/topologies/hyperx.hpp"
#include "platforms/topologies/tofu.hpp"
#include "platforms/topologies/torus.hpp"

namespace tutti::platforms {

const std::vector<TopologyFamily>& topology_families() {
  static const std::vector<TopologyFamily> families{
      flat_family(),           fat_tree_family(),     torus_family(),  dragonfly_family(),
      dragonfly_plus_family(), dragonfly_1d_family(), hyperx_family(), tofu_family(),
  };
  return families;
}

const TopologyFamily* find_family(std::string_view name) {
  const auto& families = topology_families();
  const auto family = std::ranges::find(families, name, &TopologyFamily::name);
  return family == families.end() ? nullptr : &*family;
}

}  // namespace tutti::platforms
