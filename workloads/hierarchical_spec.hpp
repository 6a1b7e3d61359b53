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
  algorithms::Levels levels;
  int group_size = 0;      // number of consecutive ranks; 0: the ranks of a node
  bool by_socket = false;  // of a socket instead
};

// The parameters inter, up and down are an algorithm's name or auto (default: Open MPI 4.1's
// rules); intra sets up and down; group is node (default), socket or a number of ranks. `algorithm`
// is the collective's hierarchical algorithm. Errors name --algorithm.
Result<HierarchicalSpec> parse_hierarchical(std::string_view text,
                                            const algorithms::Algorithm& algorithm);

// Divides the job's ranks into groups. It is an error if the algorithm of a level cannot run with
// the level's number of ranks.
Result<std::shared_ptr<const algorithms::Hierarchy>> make_hierarchy(
    const HierarchicalSpec& spec, const platforms::Placement& placement,
    const algorithms::CollectiveArgs& args);

}  // namespace tutti::workloads
