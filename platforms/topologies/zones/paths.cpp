// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/zones/paths.hpp"

#include "platforms/topologies/zones/dijkstra_paths.hpp"
#include "platforms/topologies/zones/floyd_paths.hpp"
#include "platforms/topologies/zones/full_paths.hpp"

namespace tutti::platforms {

std::unique_ptr<const Paths> make_paths(const ZoneSpec& zone) {
  switch (zone.routing) {
    case ZoneRouting::full:
      return std::make_unique<FullPaths>(zone);
    case ZoneRouting::floyd:
      return std::make_unique<FloydPaths>(zone);
    case ZoneRouting::dijkstra:
      return std::make_unique<DijkstraPaths>(zone);
    default:
      return nullptr;
  }
}

}  // namespace tutti::platforms
