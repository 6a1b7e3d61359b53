// SPDX-License-Identifier: BSD-3-Clause
// The values of --map, --nodes and --allocation.
#pragma once

#include "platforms/placement.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// "block", "round-robin", "random:SEED", "slurm:DISTRIBUTION", "hostfile:PATH", "rankfile:PATH",
// "file:PATH". Sets policy, file, seed and distribution of a request. The `place` of the error is
// empty.
Result<PlacementRequest> with_map(PlacementRequest request, std::string_view word);
Result<MapPolicy> parse_map_policy(std::string_view word);

// The value of --map, followed by the nodes if they are restricted: "block on a[1-3]".
std::string map_word_of(const PlacementRequest& request);

// "block|cyclic|plane=N|arbitrary=PATH[:block|cyclic|fcyclic]"; the second level is cyclic by
// default, as in Slurm. Sets distribution and file.
Result<PlacementRequest> with_distribution(PlacementRequest request, std::string_view text);

// The nodes that --nodes names: a list (see read_node_list), or "@FILE" or "@FILE#JOB" with the
// text of the file (see read_allocations). A file without header and with one node in each line is
// one list.
Result<Allocation> named_nodes(const std::string& value, const std::optional<std::string>& text);
// The file of "@FILE#JOB"; empty: a list.
std::string file_of_nodes(std::string_view value);

// "fragmented:P:SEED[:UNIT]".
Result<Fragmentation> parse_fragmentation(std::string_view word);

// Whether the unit of this node is free.
bool is_free(const Fragmentation& fragmentation, HostId node);

}  // namespace tutti::platforms
