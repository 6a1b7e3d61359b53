// SPDX-License-Identifier: BSD-3-Clause
// Hostfiles: the nodes of a job, each with a number of slots. The form of a file is recognized:
//
//   node slots=4 max_slots=8   Open MPI
//   node:4                     MPICH (Hydra), Intel MPI
//   node                       PBS: a line per slot; scontrol show hostnames, plain lists: a line
//                              per node, whose slots are not given
//
// '#' and '//' comments are skipped. A name may be a list in brackets (see read_node_list) or have
// a domain that the machine's names lack.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

struct HostSlots {
  HostId host = 0;
  std::optional<int> slots;  // unset: not given
  std::optional<int> most;   // max_slots
  int line = 0;
};

// The nodes in the order of their first lines; a node with several lines has a slot for each, as
// Open MPI counts them, or the sum of MPICH's numbers. `nodes` are the job's nodes +n0, +n1, ...;
// empty: all. Errors have a line.
Result<std::vector<HostSlots>> read_host_file(std::string_view text, const std::string& file,
                                              const Machine& machine,
                                              const std::vector<HostId>& nodes);

// The nodes of a list of ranks, as in SLURM_HOSTFILE: names or lists of names, in each line.
Result<std::vector<HostId>> read_host_of_ranks(std::string_view text, const std::string& file,
                                               const Machine& machine);

// Finds a node as find_node does, or by its name without the domain; or, as "+n2", the third of
// `nodes`.
Result<HostId> find_listed_node(const Machine& machine, const std::vector<HostId>& nodes,
                                std::string_view name);

// The line up to '#' or "//", trimmed.
std::string_view without_remark(std::string_view line);

}  // namespace tutti::platforms
