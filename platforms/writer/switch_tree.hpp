// SPDX-License-Identifier: BSD-3-Clause
// A tree of switches with named nodes below the leaf switches.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::platforms {

struct TreeSwitch {
  std::string name;
  std::optional<std::size_t> above = {};  // number of the switch above; unset: the top
  std::vector<std::string> nodes = {};    // of a leaf switch, in order
  double speed = 1;                       // of its links to nodes, relative to the others
  int line = 0;                           // in the file that it was read from
};

// Nodes have the order of the leaf switches.
struct SwitchTree {
  std::vector<TreeSwitch> switches;

  std::size_t node_count() const;
  // Of each switch, including those below the switches below it.
  std::vector<std::size_t> nodes_below() const;
  int levels() const;
};

// The sizes of a FAT_TREE with the same shape, if all leaf switches have equally many nodes, and
// all switches of a level equally many switches below. A leaf switch has nodes / oversubscription
// links up, each to a switch of its own; and so on in each level.
struct RegularTree {
  std::vector<std::int64_t> down, up;  // by level, lowest first
  std::string parameters() const;      // topo_parameters
};
std::optional<RegularTree> regular_shape(const SwitchTree& tree, double oversubscription);

// Names that are a prefix and consecutive numbers without leading zeros, as a <cluster> has them.
struct NumberedNames {
  std::string prefix;
  std::int64_t first = 0, last = 0;
};
std::optional<NumberedNames> numbered_names(const SwitchTree& tree);

// A <zone> with hosts, switches and links. A link between switches has the bandwidth of all nodes
// below it, divided by the oversubscription.
struct TreeLinks {
  std::string id;
  int cores = 1;
  double bandwidth_Bps = 0;  // of a node's link
  std::string latency;       // of each link, as in the file
  double oversubscription = 1;
};
// `props`: lines of <prop>.
std::string zone_xml(const SwitchTree& tree, const TreeLinks& links, const std::string& props);

}  // namespace tutti::platforms
