// SPDX-License-Identifier: BSD-3-Clause
// Extrapolates calls of NCCL's programs, which repeat loops over chunks (Algorithm::steps of an
// algorithm with a device_protocol). Their phases have these members:
//   count          steps of the call: of a ring those of all loops, of a pipeline chunks
//   period         steps of one loop
//   message_bytes  size of a chunk;  ahead: number of channels
//   to, from       set for a ring: every rank sends in each step
// The time of a step does not depend on the number of nodes if the network between them is similar.
// So rings of a few nodes with chunks of the same size are simulated for one, two and three loops,
// and the time of a step of the last loop is that of all further steps. A pipeline is simulated
// with all nodes for two chunks, since its depth depends on them, and with a few nodes for more.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/extrapolation/step_job.hpp"

namespace tutti::jobs::extrapolation {

// Calls with fewer messages are simulated in full.
inline constexpr std::int64_t fewest_device_messages = 200'000;

// Unset if the call should be simulated in full, because that sends fewer messages. The error is
// estimated from the differences between loops and between numbers of nodes, and from the
// latencies of routes that the few nodes do not have.
Result<std::optional<Extrapolated>> of_device_call(const StepJob& job);

// Maximum number of simulated messages.
std::int64_t device_messages_to_simulate(const Point& point);

}  // namespace tutti::jobs::extrapolation
