// SPDX-License-Identifier: BSD-3-Clause
// What `--algorithm hierarchical:inter=binomial,intra=basic_linear,group=node` asks for.
#pragma once

#include "algorithms/hierarchical/hierarchy.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"

namespace tutti::workloads {

inline constexpr std::string_view hierarchical_name = "hierarchical";

// "hierarchical", or that with a colon and parameters.
bool is_hierarchical(std::string_view algorithm);

struct HierarchicalSpec {
  algorithms::Levels levels;
  int group_size = 0;  // consecutive ranks; 0: those of a node
};

// Parameters: inter, up, down: an algorithm's name, or auto (default: Open MPI 4.1's rules); intra:
// up and down together; group: node (default) or a number of ranks. `algorithm` is that of the
// collective. Errors name --algorithm.
Result<HierarchicalSpec> parse_hierarchical(std::string_view text,
                                            const algorithms::Algorithm& algorithm);

// Cuts the job's ranks. An algorithm that does not run among as many ranks as a level has is an
// error.
Result<std::shared_ptr<const algorithms::Hierarchy>> make_hierarchy(
    const HierarchicalSpec& spec, const platforms::Placement& placement,
    const algorithms::CollectiveArgs& args);

}  // namespace tutti::workloads
