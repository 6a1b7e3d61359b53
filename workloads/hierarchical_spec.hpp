// SPDX-License-Identifier: BSD-3-Clause
// Parses `--algorithm hierarchical:inter=binomial,intra=basic_linear,group=node`.
#pragma once

#include "algorithms/hierarchical/hierarchy.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"

namespace tutti::workloads {

inline constexpr std::string_view hierarchical_name = "hierarchical";

// Whether `algorithm` is "hierarchical", optionally followed by a colon and parameters.
bool is_hierarchical(std::string_view algorithm);

struct HierarchicalSpec {
  enum class Group : std::uint8_t { node, socket, node_and_socket, ranks };

  algorithms::Levels levels;
  Group group = Group::node;
  int group_size = 0;  // Group::ranks: number of consecutive ranks
  // Group::node_and_socket: among the leaders of a node's sockets; `levels.inter` is among nodes.
  algorithms::Level sockets_up;
  algorithms::Level sockets_down;
};

// The parameters inter, up, down, sockets_up and sockets_down are an algorithm's name or auto
// (default: Open MPI 4.1's rules); intra sets up and down, sockets both among sockets; group is
// node (default), socket, node+socket or a number of ranks. `algorithm` is the collective's
// hierarchical algorithm. Errors name --algorithm.
Result<HierarchicalSpec> parse_hierarchical(std::string_view text,
                                            const algorithms::Algorithm& algorithm);

// Divides the job's ranks into groups. It is an error if the algorithm of a level cannot run with
// the level's number of ranks.
Result<std::shared_ptr<const algorithms::Hierarchy>> make_hierarchy(
    const HierarchicalSpec& spec, const platforms::Placement& placement,
    const algorithms::CollectiveArgs& args);

}  // namespace tutti::workloads
