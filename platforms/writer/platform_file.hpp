// SPDX-License-Identifier: BSD-3-Clause
// Writes the SimGrid file of a regular machine.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Which switches a fat tree of so many nodes is built of.

struct FatTreeRequest {
  std::int64_t nodes = 0;
  std::int64_t levels = 2;
  std::int64_t radix = 36;      // ports of a switch
  double oversubscription = 1;  // of the leaf switches: so many nodes for each cable upward
};

// Level by level from the nodes: SimGrid's topo_parameters.
struct FatTreePlan {
  std::vector<std::int64_t> down;    // of a switch of the level; their product is the nodes
  std::vector<std::int64_t> up;      // of what is below the level
  std::vector<std::int64_t> cables;  // side by side to each of those

  std::string parameters() const;  // "2;32,64;1,16;1,1"
  // Of the leaf switches; there is more than one level.
  double oversubscription() const {
    return static_cast<double>(down[0]) / static_cast<double>(up[1] * cables[1]);
  }
};

// Leaf switches are as full as fits, and no switch has more ports than `radix`; the
// oversubscription is the nearest to the wanted one that whole cables give. Errors name the
// option, and sizes near the wanted one that do fit.
Result<FatTreePlan> shape_of(const FatTreeRequest& request);

// Parameters that have one origin, which the comment above them tells.
struct ParameterGroup {
  std::string comment;
  std::vector<GivenParameter> parameters;
};

struct PlatformFile {
  std::string id;           // of the cluster; begins its links' names
  std::string description;  // for people
  std::string source = {};  // of its numbers; empty: none is told
  std::string made_by;      // the command line
  HostId nodes = 0;
  int cores = 1;
  std::string bandwidth;        // with units, as in the file: "12.5GBps"
  std::string latency;          // "100ns"
  std::string topology;         // "FAT_TREE"; empty: flat
  std::string topo_parameters;  // as SimGrid wants them
  bool half_duplex = false;     // both directions of a cable share its bandwidth
  std::string backbone = {};    // bandwidth that all nodes share, of a flat cluster; empty: none
  std::string like;             // whose message parameters `parameters` are; empty: the defaults
  std::vector<GivenParameter> parameters;
  std::vector<ParameterGroup> groups = {};  // in place of `like` and `parameters`, if there are any
};

// What is wrong with a machine's name, which must be a line of UTF-8 without control characters;
// the place is the option that gives it.
std::optional<Error> check_platform_name(const std::string& name, const std::string& option);

// The text of the file. Every number says where it comes from.
std::string platform_xml(const PlatformFile& file);

}  // namespace tutti::platforms
