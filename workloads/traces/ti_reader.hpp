// SPDX-License-Identifier: BSD-3-Clause
// Reads SimGrid's time independent traces: text, a file for each rank and a list of them, without
// times, regions and communicators (`smpirun -trace-ti`, and what `smpirun -replay` takes).
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

struct TiArgs {
  double flops_per_s = 1e9;  // of every rank
  std::size_t most_in_memory_bytes = std::size_t{256} << 20;
};

// Whether the file is text: no OTF2 archive is. A folder, or what cannot be read, is none.
bool is_ti(const std::string& path);

// The ranks' files in a list, in their order; none: it is no list.
Result<std::vector<std::string>> listed_ti_files(const std::string& path);

// `path`: the list of the ranks' files, in their order, or the file of all ranks. Computation takes
// its flops, in regions `compute` and `sleep` inside `main`; calls of MPI take no time at all, so
// that only a model that knows what calls take has anything to say. All are of MPI_COMM_WORLD.
Result<Trace> read_ti(const std::string& path, const TiArgs& args);

}  // namespace tutti::workloads::traces
