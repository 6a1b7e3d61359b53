// SPDX-License-Identifier: BSD-3-Clause
// Reads traces in OTF2, the format of Score-P, EZTrace, TAU and others.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

// `path`: the anchor file (traces.otf2), or the folder that holds it. Of each MPI rank the events
// in their order, in nested regions: leaves that are missing are added, those of no open region are
// dropped, and `notes` tells it. Events beyond `most_in_memory_bytes` are in a temporary file.
Result<Trace> read_otf2(const std::string& path,
                        std::size_t most_in_memory_bytes = std::size_t{256} << 20);

}  // namespace tutti::workloads::traces
