// SPDX-License-Identifier: BSD-3-Clause
// Reads the GPUs of the nodes (keys gpu/...).
#pragma once

#include "platforms/machine.hpp"
#include "platforms/parameters/values.hpp"

namespace tutti::platforms {

// Sets Machine::devices if gpu/count is given; gpu/link_bandwidth is required then. What is missing
// has the values of NCCL's tuning model (NVIDIA/nccl 2.27, src/graph/tuning.cc) or of its defaults.
// Errors: keys of GPUs without gpu/count, more GPUs than cores, NICs that serve no GPU, a domain of
// more nodes than there are, an unknown architecture.
void read_device_parameters(const Settings& settings, Machine& machine, ErrorList& errors);

}  // namespace tutti::platforms
