// SPDX-License-Identifier: BSD-3-Clause
// Lists of nodes as Slurm writes them (scontrol show hostnames), and allocations of jobs.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::platforms {

// The nodes of a job by name, in the order in which ranks are placed on them.
struct Allocation {
  std::string name;  // "job 13884702"
  std::vector<std::string> nodes;
  int line = 0;          // in the file that it was read from
  std::string run = {};  // the run of measurements (column timestamp) or the job; may be empty
};

// The smallest allocation of the run with at least `nodes` nodes; null if there is none.
std::shared_ptr<const Allocation> allocation_of_run(
    const std::vector<std::shared_ptr<const Allocation>>& allocations, std::string_view run,
    std::int64_t nodes);

// Maximum number of names in a list: "a[0-999999999]" must not fill the memory.
inline constexpr std::size_t most_listed_nodes = 1 << 20;

// "a[001-003,7],b4": names separated by commas, with numbers and ranges in brackets. A range has as
// many digits as its first number. Several brackets in a name are combined, the last one fastest.
// The error has no place.
Result<std::vector<std::string>> read_node_list(std::string_view text);

// Reads the allocations of real jobs in one of these forms; '#' comments are skipped:
// - CSV with a column "node_list", and a column "job" with its name;
// - CSV with a column "node", a row for each rank, in order; rows that agree in "system",
//   "timestamp" and "alloc_file" (as far as the columns exist) are one allocation;
// - a node list in each line.
// A node that occurs several times in an allocation counts once. Errors have a line.
Result<std::vector<Allocation>> read_allocations(std::string_view text, const std::string& file);

}  // namespace tutti::platforms
