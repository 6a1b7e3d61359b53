// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's rankfiles: node and cores of each rank.
//
//   rank 0=node1 slot=2        core 2 of node1
//   rank 1=node1 slot=1:0      core 0 of socket 1
//   rank 2=+n1 slot=0-3,8      one of these cores of the job's second node
//
// A rank occupies one core: the first of its cores that no rank above it occupies. '#' and '//'
// comments are skipped.
#pragma once

#include "platforms/placement.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Each rank below `procs` must occur exactly once. `nodes` are the job's nodes +n0, +n1, ...;
// empty: all. `shares`: cores may have several ranks. Sets host_of and core_of. Errors have a line.
Result<Placement> read_rank_file(std::string_view text, const std::string& file,
                                 const Machine& machine, const std::vector<HostId>& nodes,
                                 int procs, bool shares);

// The text of a rankfile, which read_rank_file reads back to the same placement.
std::string rank_file_text(const Placement& placement, const Machine& machine);
// A hostfile with the slots of each node in use, in the order of their first ranks: Open MPI places
// the ranks as given if they fill one node after the other.
std::string host_file_text(const Placement& placement, const Machine& machine);
// "rank,node" for --map file:PATH.
std::string map_file_text(const Placement& placement, const Machine& machine);

}  // namespace tutti::platforms
