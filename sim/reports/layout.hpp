// SPDX-License-Identifier: BSD-3-Clause
// Positions of a machine's hosts and switches in its picture.
#pragma once

#include "platforms/graph.hpp"
#include "sim/base/common.hpp"

namespace tutti::reports {

struct Position {
  double x = 0;
  double y = 0;
};

struct Layout {
  std::vector<Position> at;   // by vertex; unit: the distance between neighbors
  double host_radius = 0.25;  // in the same unit
  bool curved = false;        // curve links between distant vertices, so that they hide no others
  // By host and switch: the link runs sideways to this x, up to `trunk_top`, then to the switch.
  // Other links are straight.
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> trunks{};
  double trunk_top = 0;
  std::vector<bool> cut_edges{};  // by edge: drawn as two ends (wraparound of a torus); empty: none
};

Layout star_layout(const platforms::Graph& graph);
// Places switches in rows by their distance from the hosts, and hosts in blocks below their
// switches.
Layout layered_layout(const platforms::Graph& graph);
// `sizes`: of the dimensions, at least 2; the first varies fastest with the number of the host.
Layout torus_layout(const platforms::Graph& graph, const std::vector<std::uint32_t>& sizes);
// Requires switches whose names end in as many numbers, of which the first is the group:
// _GROUP_CHASSIS_ROUTER, or _GROUP_ROUTER.
Layout dragonfly_layout(const platforms::Graph& graph, std::size_t numbers);
// Force-directed layout: neighbors are close, other vertices far apart.
Layout force_layout(const platforms::Graph& graph);

}  // namespace tutti::reports
