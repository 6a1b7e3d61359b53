// SPDX-License-Identifier: BSD-3-Clause
// The global definitions of an OTF2 archive as they are written, with unresolved references: they
// may refer to each other in any order, as those of EZTrace do.
#pragma once

#include <otf2/otf2.h>

#include "sim/base/common.hpp"
#include "workloads/traces/otf2_archive.hpp"

namespace tutti::workloads::traces {

struct RawDefinitions {
  struct Location {
    OTF2_LocationRef id;
    OTF2_StringRef name;
    OTF2_LocationType type;
    std::uint64_t events;
    OTF2_LocationGroupRef group;
  };
  struct LocationGroup {
    OTF2_StringRef name;
    OTF2_LocationGroupType type;
    OTF2_LocationGroupRef creator;
    OTF2_SystemTreeNodeRef node;
  };
  struct SystemNode {
    OTF2_StringRef name;
    OTF2_StringRef kind;  // "machine", "node", ...
    OTF2_SystemTreeNodeRef parent;
  };
  struct Region {
    OTF2_RegionRef id;
    OTF2_StringRef name;
    OTF2_RegionRole role;
    OTF2_Paradigm paradigm;
  };
  struct CallingContext {
    OTF2_CallingContextRef id;
    OTF2_RegionRef region;
  };
  struct Group {
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    bool has_global_ranks;
    std::vector<std::uint64_t> members;
  };
  struct Communicator {
    OTF2_CommRef id;
    OTF2_StringRef name;
    OTF2_GroupRef group;
    OTF2_GroupRef remote;  // undefined unless an inter-communicator
  };
  struct Window {
    OTF2_RmaWinRef id;
    OTF2_StringRef name;
    OTF2_CommRef communicator;
  };
  struct Dimension {
    std::uint32_t size;
    bool is_periodic;
  };
  struct Topology {
    OTF2_CommRef communicator;
    std::vector<OTF2_CartDimensionRef> dimensions;
    std::map<std::uint32_t, std::vector<std::uint32_t>> coordinates;  // by rank
  };

  double ticks_per_s = 0;
  std::unordered_map<OTF2_StringRef, std::string> strings;
  std::vector<Location> locations;
  std::unordered_map<OTF2_LocationGroupRef, LocationGroup> location_groups;
  std::unordered_map<OTF2_SystemTreeNodeRef, SystemNode> system_nodes;
  std::vector<Region> regions;
  std::vector<CallingContext> contexts;
  std::unordered_map<OTF2_GroupRef, Group> groups;
  std::vector<OTF2_GroupRef> group_order;
  // The locations that groups of a paradigm refer to; for MPI those of MPI_COMM_WORLD.
  std::unordered_map<OTF2_Paradigm, std::vector<std::uint64_t>> worlds;
  std::vector<Communicator> communicators;
  std::vector<Window> windows;
  std::unordered_map<OTF2_CartDimensionRef, Dimension> dimensions;
  std::map<OTF2_CartTopologyRef, Topology> topologies;
  bool has_duplicate_groups = false;

  const std::vector<std::uint64_t>& world(OTF2_Paradigm paradigm) const {
    static const std::vector<std::uint64_t> unknown;
    const auto found = worlds.find(paradigm);
    return found == worlds.end() ? unknown : found->second;
  }
  std::string string(OTF2_StringRef id, const std::string& otherwise) const {
    const auto found = strings.find(id);
    return found == strings.end() || found->second.empty() ? otherwise : found->second;
  }
};

Result<RawDefinitions> read_raw_definitions(Otf2Archive& archive);

}  // namespace tutti::workloads::traces
