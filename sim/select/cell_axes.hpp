// SPDX-License-Identifier: BSD-3-Clause
// The calls that rules are made for or judged by: what a rule sees of a call (processes, message
// size), and what it does not see (size of elements, placement).
#pragma once

#include <string>
#include <vector>

#include "platforms/placement.hpp"
#include "sim/base/units.hpp"

namespace tutti::studies::select {

struct CellAxes {
  std::vector<std::int64_t> procs;                      // ascending
  std::vector<std::int64_t> message_bytes;              // ascending
  std::vector<std::int64_t> element_bytes = {1};        // ascending
  std::vector<platforms::PlacementRequest> placements;  // all but the number of processes
};

// Those on which so many processes have room, with this number.
std::vector<platforms::PlacementRequest> placements_of(const CellAxes& axes, int procs,
                                                       const platforms::Machine& machine);

// "ppn 4, round-robin"; without a ppn "block".
std::string label_of(const platforms::PlacementRequest& placement);

// Numbers of processes that stand for all between two: an odd one near the middle, the last one
// below the upper, and an even one where algorithms of the collective, or the library's choice
// among them, depend on that for some of the sizes. None where nothing is between.
std::vector<int> procs_between(int lower, int upper, const std::string& collective,
                               const std::vector<std::int64_t>& message_bytes);

// Sizes between the first and the last of `message_bytes` at which Open MPI's own choice changes:
// the last one before and the first one behind. At most one change between neighbours is found.
std::vector<Bytes> own_changes(const std::string& collective, int procs,
                               const std::vector<std::int64_t>& message_bytes);

}  // namespace tutti::studies::select
