// SPDX-License-Identifier: BSD-3-Clause
// The subset of YAML that Slurm's topology.yaml uses: lists of mappings with one key per line.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::platforms {

// A switch or a block, as the file names them.
struct SlurmSwitch {
  std::string name;
  std::string nodes = {};     // a node list
  std::string switches = {};  // a list of switches
  double speed = 1;
  bool is_block = false;
  int line = 0;
};

struct SlurmNetwork {
  std::vector<SlurmSwitch> switches;
};

bool is_topology_yaml(std::string_view text);
// The topology with cluster_default, else the first with switches or blocks.
Result<SlurmNetwork> read_topology_yaml(std::string_view text, const std::string& file);

}  // namespace tutti::platforms
