// SPDX-License-Identifier: BSD-3-Clause
// Writes the SimGrid platform file of a regular machine.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/topologies/rail_network.hpp"
#include "platforms/writer/switch_tree.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Parameters of a fat tree to build.

struct FatTreeRequest {
  std::int64_t nodes = 0;
  std::int64_t levels = 2;
  std::int64_t radix = 36;      // ports per switch
  double oversubscription = 1;  // of the leaf switches: nodes per uplink
  // NICs per node. Unless each rail has a copy of the network, the NICs are its hosts, and with
  // RailOrder::leaves the ports of a leaf switch divide the nodes, or are a multiple of them.
  std::int64_t rails = 1;
  RailOrder order = RailOrder::planes;
};

// SimGrid's topo_parameters, level by level from the nodes up.
struct FatTreePlan {
  std::vector<std::int64_t> down;    // per switch of the level; the product is the number of hosts
  std::vector<std::int64_t> up;      // per node or switch below the level
  std::vector<std::int64_t> cables;  // parallel links to each of those

  std::string parameters() const;  // "2;32,64;1,16;1,1"
  // Of the leaf switches; requires more than one level.
  double oversubscription() const {
    return static_cast<double>(down[0]) / static_cast<double>(up[1] * cables[1]);
  }
};

// Leaf switches are as full as possible, and no switch has more ports than `radix`. The
// oversubscription is the nearest to the requested one with an integer number of links. Errors name
// the option and the nearest sizes that fit.
Result<FatTreePlan> shape_of(const FatTreeRequest& request);

// Parameters with a common origin, which the comment above them states.
struct ParameterGroup {
  std::string comment;
  std::vector<GivenParameter> parameters;
};

struct PlatformFile {
  std::string id;           // of the cluster; prefix of the link names
  std::string description;  // one line
  std::string source = {};  // of its numbers; empty: omitted
  std::string made_by;      // the command line
  HostId nodes = 0;
  int cores = 1;
  std::string bandwidth;        // with units, as in the file: "12.5GBps"
  std::string latency;          // "100ns"
  std::string topology;         // "FAT_TREE"; empty: flat
  std::string topo_parameters;  // in SimGrid's syntax
  bool half_duplex = false;     // both directions of a link share its bandwidth
  std::string backbone = {};    // bandwidth shared by all nodes of a flat cluster; empty: none
  std::vector<GivenParameter> network = {};  // other parameters of the network
  std::string like;  // the machine that `parameters` come from; empty: defaults
  std::vector<GivenParameter> parameters;
  std::vector<ParameterGroup> groups = {};  // replace `like` and `parameters` if not empty
  std::string prefix = "node-";             // of the names of nodes
  std::int64_t first_node = 0;              // its number
  // A tree of switches with named nodes, instead of a cluster with a topology; null: a cluster.
  std::shared_ptr<const SwitchTree> tree = {};
  double oversubscription = 1;  // of the tree
};

// Checks the name of a machine, which must be one line of UTF-8 without control characters. The
// place of the error is `option`.
std::optional<Error> check_platform_name(const std::string& name, const std::string& option);

// The text of the file, with the origin of every number.
std::string platform_xml(const PlatformFile& file);

}  // namespace tutti::platforms
