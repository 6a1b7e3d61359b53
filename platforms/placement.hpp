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
  file,         // a CSV file "rank,node"
  random,       // as block, but the ranks take the cores in random order
  host_file,    // a hostfile: nodes with slots (platforms/placing/host_file.hpp)
  rank_file,    // a rankfile: node and core of each rank (platforms/placing/rank_file.hpp)
  slurm         // a distribution of Slurm
};

// Slurm's --distribution: over the nodes, then over the sockets of a node.
struct SlurmDistribution {
  enum class Nodes : std::uint8_t { block, cyclic, plane, arbitrary };
  enum class Sockets : std::uint8_t { block, cyclic };

  Nodes nodes = Nodes::block;
  Sockets sockets = Sockets::cyclic;
  int plane = 1;  // ranks that a node gets in turn, for Nodes::plane
};

// Nodes that a busy machine gives to a job: units of neighboring nodes are free with a probability,
// independently.
struct Fragmentation {
  double free = 1;  // above 0, at most 1
  std::uint64_t seed = 0;
  int unit = 1;      // nodes
  std::string text;  // as given
};

struct PlacementRequest {
  int procs = 0;
  std::optional<int> ppn = {};  // unset: default of the machine, else all cores of a node
  MapPolicy policy = MapPolicy::block;
  std::string file = {};  // of the policies that read one
  // The contents of `file`, for callers that place repeatedly (a pipe can be read only once).
  // Unset: place() reads the file.
  std::shared_ptr<const std::string> map_text{};
  bool oversubscribe = false;  // allow more ranks than cores
  // Ranks are placed only on these nodes, in their order; null: on as many nodes as needed.
  std::shared_ptr<const Allocation> allocation{};
  // The nodes to choose from without an allocation, ascending and not empty; null: all.
  std::shared_ptr<const std::vector<HostId>> free_nodes{};
  std::optional<Fragmentation> fragmentation = {};  // of the nodes above
  std::uint64_t seed = 0;                           // for MapPolicy::random
  SlurmDistribution slurm = {};                     // for MapPolicy::slurm
};

struct Placement {
  std::vector<HostId> host_of;  // by rank
  // By rank: the number of its core in the node (rankfiles give it). Empty: the ranks of a node
  // occupy its cores in order.
  std::vector<int> core_of{};
  // By rank: the number of its socket among all nodes' sockets. Empty: nodes have a single socket.
  std::vector<std::uint32_t> socket_of{};
  int nodes = 0;  // nodes in use
  int ppn = 0;    // maximum ranks per node
};

// The core of each rank in its node; ranks beyond the cores share them in turn.
std::vector<int> cores_of(const Placement& placement, const Machine& machine);
// The socket of a core in its node.
int socket_of_core(const Machine& machine, HostId host, int core);

// Reads the text of a map file.
Result<std::string> read_map_file(const std::string& path);

// Whether the request names the nodes of the job: by an allocation, or a file with nodes.
bool names_nodes(const PlacementRequest& request);
// The distinct nodes of an allocation, in its order. The error has no place.
Result<std::vector<HostId>> hosts_of(const Machine& machine, const Allocation& allocation);

// Errors name the option (--procs, --ppn, --map), the line of the map file or the allocation.
Result<Placement> place(const Machine& machine, const PlacementRequest& request);

// Map files are CSV with the header "rank,node"; '#' comments, blank lines and a leading byte order
// mark are skipped.

// Returns the host of each rank below `procs`. Nodes are resolved as by find_node. Each rank must
// occur exactly once. `file` is used only in messages.
Result<std::vector<HostId>> read_map(std::string_view text, const std::string& file,
                                     const Machine& machine, int procs);

}  // namespace tutti::platforms
