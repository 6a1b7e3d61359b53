// SPDX-License-Identifier: BSD-3-Clause
// Writes the SimGrid file of a regular machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/machine.hpp"
#include "sim/base/result.hpp"

namespace tutti::platforms {

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
