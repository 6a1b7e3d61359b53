// SPDX-License-Identifier: BSD-3-Clause
// Placement of ranks on nodes.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/node_list.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Finds a node by the name of a host or its number (from 0); a name takes precedence. The error has
// no place.
Result<HostId> find_node(const Machine& machine, std::string_view text);

// Maximum number of ranks of a job: more than any foreseeable machine has, without integer
// overflows.
inline constexpr int most_procs = 1 << 24;

enum class MapPolicy {
  block,        // fill one node after the other
  round_robin,  // distribute the ranks over the nodes in use in turn
  file          // a CSV file "rank,node"
};

struct PlacementRequest {
  int procs = 0;
  std::optional<int> ppn = {};  // unset: default of the machine, else all cores of a node
  MapPolicy policy = MapPolicy::block;
  std::string file = {};  // for MapPolicy::file
  // The contents of `file`, for callers that place repeatedly (a pipe can be read only once).
  // Unset: place() reads the file.
  std::shared_ptr<const std::string> map_text{};
  bool oversubscribe = false;  // allow more ranks than cores
  // Only these nodes are used, in their order; null: all nodes of the machine. Not for
  // MapPolicy::file.
  std::shared_ptr<const Allocation> allocation{};
};

struct Placement {
  std::vector<HostId> host_of;  // by rank
  int nodes = 0;                // nodes in use
  int ppn = 0;                  // maximum ranks per node
};

// Reads the text of a map file.
Result<std::string> read_map_file(const std::string& path);

// Errors name the option (--procs, --ppn, --map), the line of the map file or the allocation.
Result<Placement> place(const Machine& machine, const PlacementRequest& request);

// Map files are CSV with the header "rank,node"; '#' comments, blank lines and a leading byte order
// mark are skipped.

inline constexpr std::string_view map_file_prefix = "file:";
// "block", "round-robin", "file:PATH". The `place` of the error is empty.
Result<MapPolicy> parse_map_policy(std::string_view word);

// Returns the host of each rank below `procs`. Nodes are resolved as by find_node. Each rank must
// occur exactly once. `file` is used only in messages.
Result<std::vector<HostId>> read_map(std::string_view text, const std::string& file,
                                     const Machine& machine, int procs);

}  // namespace tutti::platforms
