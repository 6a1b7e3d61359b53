// SPDX-License-Identifier: BSD-3-Clause
// Writes the SimGrid platform file of a regular machine.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/writer/switch_tree.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

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
