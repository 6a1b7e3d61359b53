// SPDX-License-Identifier: BSD-3-Clause
// Where the hosts and switches of a machine stand in its picture.
#pragma once

#include "platforms/graph.hpp"
#include "sim/base/common.hpp"

namespace tutti::reports {

struct Position {
  double x = 0;
  double y = 0;
};

struct Layout {
  std::vector<Position> at;   // by vertex of the graph; the unit is the distance of neighbours
  double host_radius = 0.25;  // in the same unit
  bool curved = false;        // cables between far vertices bend, so that they do not hide others
  // From a host and a switch: the cable goes aside to this x, up to `trunk_top`, then to the
  // switch. Others are straight.
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> trunks{};
  double trunk_top = 0;
  std::vector<bool> cut_edges{};  // by edge: drawn as two ends (a torus' way around); empty: none
};

Layout star_layout(const platforms::Graph& graph);
// Switches in rows by their distance from the hosts, which stand in blocks below their switches.
Layout layered_layout(const platforms::Graph& graph);
// `sizes`: of the dimensions, the first fastest in a host's number.
Layout torus_layout(const platforms::Graph& graph, const std::vector<std::uint32_t>& sizes);
// Switches whose names end in _GROUP_CHASSIS_ROUTER.
Layout dragonfly_layout(const platforms::Graph& graph);
// By forces: neighbours near, others apart.
Layout force_layout(const platforms::Graph& graph);

// The sizes of a torus' dimensions, from the numbers of the first host's neighbours; empty if it is
// none. Dimensions of one host do not show.
std::vector<std::uint32_t> torus_sizes(const platforms::Graph& graph);

}  // namespace tutti::reports
