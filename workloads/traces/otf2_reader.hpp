// SPDX-License-Identifier: BSD-3-Clause
// Reads traces in OTF2, the format of Score-P, EZTrace, TAU and others.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

// `path`: the anchor file (traces.otf2) or its folder. Reads the events of each MPI rank in order
// and in nested regions: missing leaves are added and leaves of regions that are not open are
// dropped, which `notes` reports. If the events exceed `most_in_memory_bytes`, they are stored in a
// temporary file.
Result<Trace> read_otf2(const std::string& path,
                        std::size_t most_in_memory_bytes = std::size_t{256} << 20);

}  // namespace tutti::workloads::traces
