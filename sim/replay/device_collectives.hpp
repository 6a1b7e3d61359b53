// SPDX-License-Identifier: BSD-3-Clause
// Finds the kernels of NCCL and RCCL that are one collective. Each kernel waits for its peers, so
// those of a collective overlap and end together. The n-th kernels of the same name are one if that
// is true for all n: of all streams with the same number of such kernels, otherwise of those whose
// kernels always end together.
#pragma once

#include "sim/replay/device_names.hpp"
#include "sim/replay/device_queues.hpp"

namespace tutti::studies::replay {

// Sets `members`, and counts the kernels whose peers are not certain.
void find_device_collectives(const std::vector<DeviceTrace>& traces,
                             const std::vector<DeviceName>& names, DeviceQueues& queues);

}  // namespace tutti::studies::replay
