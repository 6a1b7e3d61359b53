// SPDX-License-Identifier: BSD-3-Clause
// The description of a topology that reports show: words, and the shapes that a picture draws.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// How a picture places the nodes and switches if it shows each of them.
enum class NodeLayout : std::uint8_t {
  by_forces,  // neighbors are close to each other; in layers if there are many
  star,       // nodes on a circle around their switch
  layers,     // switches in rows by their distance from the nodes
  grid,       // nodes by their coordinates: the schematic is a RingsDrawing
  groups      // groups of switches on a circle
};

// A part of a network in detail. Positions are in pixels from the upper left corner.
struct DetailDrawing {
  struct Point {
    double x = 0;
    double y = 0;
  };
  struct Line {
    std::size_t from = 0;  // index of `nodes`
    std::size_t to = 0;
    double bend_px = 0;  // a curve that far to the right of both ends; 0: straight
  };
  struct Label {
    Point at;
    std::string text;
  };
  std::vector<Point> nodes;
  std::vector<Line> lines;
  std::vector<Label> labels;
  std::vector<std::string> words;  // lines of text next to it; the first is the title
};

// Each node, or unit of nodes, is on one ring per dimension.
struct RingsDrawing {
  struct Ring {
    std::string name;        // "dimension 1"
    std::uint32_t size = 1;  // up to 2: a pair with one link
  };
  std::string title;     // "A torus of units"
  std::string position;  // what is at each position: "node", "unit"
  std::vector<Ring> rings;
  std::optional<DetailDrawing> unit = {};  // unset: positions are nodes
};

// Each switch is in one row per dimension, with links to all others of the row.
struct MeshesDrawing {
  struct Row {
    std::uint32_t size = 1;
    std::uint32_t links = 1;  // between every two switches
  };
  std::vector<Row> rows;  // the first dimension varies fastest in the number of a switch
};

// Groups of switches, every two of them connected. The switches of the graph are numbered by group,
// leaf switches before spine switches.
struct GroupsDrawing {
  std::string group;  // "cell", "group"
  std::uint32_t groups = 1;
  std::uint32_t global = 1;    // links per pair of groups
  std::uint32_t switches = 1;  // of a group that have nodes
  std::uint32_t spines = 0;    // of a group; 0: every two switches of a group are connected
  std::uint32_t local = 1;     // parallel links inside a group
};

struct TopologyDescription {
  std::string words;  // "torus of 16 x 8 x 8"
  NodeLayout layout = NodeLayout::by_forces;
  // NodeLayout::groups: the names of switches end in as many numbers; the first is the group.
  std::size_t numbers_from_group = 0;
  // A picture shows each node of a machine up to this size, and else the schematic.
  std::size_t most_single_nodes = 48;
  // Of another network, it shows levels of switches above the nodes.
  std::variant<std::monostate, RingsDrawing, MeshesDrawing, GroupsDrawing> schematic = {};
  bool has_rail_planes = false;  // each rail has a copy of the network
  bool forwards = false;         // messages between other nodes cross the links of a node
  // The part of the network that SimGrid does not support, so that routes cannot be compared:
  // "topology/rails", "the topology HyperX"; empty: none.
  std::string unlike_simgrid = {};
  // The kind of network in which SimGrid has no route from a host to itself; empty: it has one.
  std::string no_route_to_itself = {};
};

// "4,4,2" -> "4 x 4 x 2"
std::string product_words(std::string_view sizes, char separator = ',');

}  // namespace tutti::platforms
