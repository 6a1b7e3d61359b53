// SPDX-License-Identifier: BSD-3-Clause
// Which rank runs on which node.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// A node as people write it: a host's name or its number (from 0); a name wins. The error has no
// place.
Result<HostId> find_node(const Machine& machine, std::string_view text);

// Of one job: more than any machine that will be built, less than what overflows.
inline constexpr int most_procs = 1 << 24;

enum class MapPolicy {
  block,        // fill a node, then the next
  round_robin,  // deal the ranks over the nodes in use
  file          // rank,node lines with a header
};

struct PlacementRequest {
  int procs = 0;
  std::optional<int> ppn;  // unset: the machine's default, else all cores of a node
  MapPolicy policy = MapPolicy::block;
  std::string file;  // of MapPolicy::file
  // What `file` says, for callers that place more than once: a pipe can be read only once. Unset:
  // place() reads the file.
  std::shared_ptr<const std::string> map_text{};
  bool oversubscribe = false;  // allow more ranks than cores
};

struct Placement {
  std::vector<HostId> host_of;  // by rank
  int nodes = 0;                // nodes in use
  int ppn = 0;                  // most ranks on one node
};

// The text of a map file.
Result<std::string> read_map_file(const std::string& path);

// Errors name the option (--procs, --ppn, --map) or the map file's line.
Result<Placement> place(const Machine& machine, const PlacementRequest& request);

// A placement written down: CSV with the header "rank,node", '#' comments and blank lines; a
// byte order mark before it is skipped.

inline constexpr std::string_view map_file_prefix = "file:";
// "block", "round-robin", "file:PATH". The `place` of the error is left empty.
Result<MapPolicy> parse_map_policy(std::string_view word);

// The host of each rank below `procs`. A node is a host's name or its number (from 0); a name wins.
// Each rank must stand there exactly once. `file` is used in messages only.
Result<std::vector<HostId>> read_map(std::string_view text, const std::string& file,
                                     const Machine& machine, int procs);

}  // namespace tutti::platforms
