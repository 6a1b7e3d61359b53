// SPDX-License-Identifier: BSD-3-Clause
// Dragonfly+ (Shpiner et al., "Dragonfly+: low cost topology for scaling datacenters", HiPINEB
// 2017; Leonardo, "LEONARDO: a pan-European pre-exascale supercomputer", 2023): cells of leaf and
// spine switches. Each leaf of a cell has `local` links to each spine, and each pair of cells has
// `global` links between spines (group_links.hpp). Only leaves have nodes.
//
//   same cell:   node, leaf - spine - leaf, node
//   other cell:  node, leaf - spine - spine - leaf, node
//
// The shortest paths use any spine, or any link between the cells. The fixed route to a destination
// uses the spine, or the link between the cells, with the number destination modulo their count.
// A detour uses one of the links to a third cell and, from the spine where it ends, a link to the
// destination's cell; without such a link, it changes the spine over a leaf of the third cell.
// Inside a cell there are no detours.
#pragma once

#include "platforms/topologies/group_cluster.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// All numbers are at least 1, except nodes of a run.
struct DragonflyPlusShape {
  std::uint32_t cells = 1;
  std::uint32_t global = 1;    // links per pair of cells
  std::uint32_t leaves = 1;    // per cell
  std::uint32_t spines = 1;    // per cell
  std::uint32_t local = 1;     // links per leaf and spine
  std::vector<NodeRun> nodes;  // of the leaves of all cells
};

NetworkSize size_of(const DragonflyPlusShape& shape);
TopologyFamily dragonfly_plus_family();

class DragonflyPlus : public GroupCluster {
 public:
  // The shape and the spec must have the same number of hosts, and the runs all leaves. Levels of
  // links: nodes, local, global.
  DragonflyPlus(ClusterSpec spec, const DragonflyPlusShape& shape);

  std::string kind() const override { return "dragonfly+"; }
  TopologyDescription describe() const override;
  // Leaves and spines are named by cell and number: mine_leaf_0_0, mine_spine_0_0, ... Limiters
  // are not edges.
  Graph graph() const override;
  std::optional<std::pair<HostId, HostId>> farthest_hosts() const override;

 private:
  std::uint64_t paths(std::uint32_t from, std::uint32_t to) const override;
  void path(std::uint32_t from, std::uint32_t to, std::uint64_t number,
            std::vector<LinkId>& links) const override;
  std::uint64_t longer_paths(std::uint32_t from, std::uint32_t to) const override;
  void longer_path(std::uint32_t from, std::uint32_t to, std::uint64_t number,
                   std::vector<LinkId>& links) const override;

  // Leaves are numbered over all cells, spines in their cell.
  std::uint32_t local_cable(std::uint32_t leaf, std::uint32_t spine, std::uint32_t port) const {
    return first_local() + (leaf * spines_.value() + spine) * local().value() + port;
  }
  std::string local_cable_name(std::uint32_t index) const override;

  Divisor leaves_;
  Divisor spines_;
};

}  // namespace tutti::platforms
