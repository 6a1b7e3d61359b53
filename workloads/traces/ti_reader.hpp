// SPDX-License-Identifier: BSD-3-Clause
// Reads SimGrid's time-independent traces: a text file for each rank and a list of these files,
// without timestamps, regions and communicators (written by `smpirun -trace-ti`, read by
// `smpirun -replay`).
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

// Whether the file is text, which no OTF2 archive is. False for a folder or an unreadable file.
bool is_ti(const std::string& path);

// The ranks' files in a list, in their order; empty if the file is not a list.
Result<std::vector<std::string>> listed_ti_files(const std::string& path);

// `path`: the list of the ranks' files, in rank order, or a single file of all ranks. Computation
// takes its flops, in the regions `compute` and `sleep` inside `main`. MPI calls take no time, so
// only a replay with a communication model is meaningful. All calls are on MPI_COMM_WORLD.
Result<Trace> read_ti(const std::string& path, const TraceArgs& args);

}  // namespace tutti::workloads::traces
