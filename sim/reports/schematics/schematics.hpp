// SPDX-License-Identifier: BSD-3-Clause
// The schematics of networks, each in a file of its own. `graph` is that of the machine's topology.
#pragma once

#include "platforms/analysis/distances.hpp"
#include "platforms/topology_description.hpp"
#include "sim/base/common.hpp"
#include "sim/reports/schematics/parts.hpp"

namespace tutti::reports::schematics {

// Groups nodes and switches by their distance from the nodes, which are level 0.
class Levels {
 public:
  Levels(const platforms::Topology& topology, const platforms::Graph& graph);

  // True if all links connect adjacent levels.
  bool is_tree() const { return is_tree_; }
  std::size_t count() const { return switches_.size(); }
  const std::vector<std::uint32_t>& switches(std::size_t level) const { return switches_[level]; }
  // The links between a level and the next one above it.
  const LinkBand& above(std::size_t level) const { return bands_[level]; }
  // The switches of a node, sorted, each once.
  std::vector<std::uint32_t> switches_of(std::uint32_t host) const;
  // Numbers of nodes connected to the same switches.
  const std::map<std::vector<std::uint32_t>, std::size_t>& groups() const { return groups_; }

 private:
  void add(const platforms::Graph::Edge& edge);

  const platforms::Topology& topology_;
  platforms::Neighbours neighbours_;
  std::vector<std::uint32_t> level_;  // by vertex; Neighbours::unreachable: not connected
  std::vector<std::vector<std::uint32_t>> switches_;
  std::vector<LinkBand> bands_;
  std::map<std::vector<std::uint32_t>, std::size_t> groups_;
  bool is_tree_;
};

// Where a level is drawn.
double level_y(const Levels& levels, std::size_t level);
// The switches of all levels, and the links between them.
std::string level_words(const platforms::Machine& machine, const Levels& levels);

// A picture of the levels, with boxes for the nodes of the same switches.
std::string levels_picture(const platforms::Machine& machine, const platforms::Graph& graph,
                           const Levels& levels);

// The rings, and one of the units that they connect. Nothing if there are no links.
std::optional<std::string> rings_picture(const platforms::Machine& machine,
                                         const platforms::Graph& graph,
                                         const platforms::RingsDrawing& drawing);
// One row of switches per dimension.
std::string meshes_picture(const platforms::Machine& machine, const platforms::Graph& graph,
                           const platforms::MeshesDrawing& drawing);
// The groups, and one of them in detail.
std::string groups_picture(const platforms::Machine& machine, const platforms::Graph& graph,
                           const platforms::GroupsDrawing& drawing);
// A network whose nodes have several NICs: the levels of switches, and the nodes that have the same
// leaf switches, one group of them in detail.
std::string rails_picture(const platforms::Machine& machine, const platforms::Graph& graph,
                          const Levels& levels);

}  // namespace tutti::reports::schematics
