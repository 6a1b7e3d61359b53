// SPDX-License-Identifier: BSD-3-Clause
// Machines whose nodes have accelerators (prop info/accelerators), which simulations model only for
// NCCL's algorithms, and only if the file describes them (keys gpu/...).
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/jobs.hpp"

namespace tutti::jobs {

// What a rank is on such a machine: "a rank is a process on the CPUs ..."; empty for others.
std::string meaning_of_ranks(const platforms::Machine& machine);

// A warning for messages of `message_bytes` or less, the largest of a job: applications with
// messages of a GiB usually have them in the memory of the accelerators. Unset for others.
std::optional<std::string> device_buffer_warning(const platforms::Machine& machine,
                                                 Bytes message_bytes);

// The same for the largest of these messages.
inline std::optional<std::string> device_buffer_warning(const platforms::Machine& machine,
                                                        const std::vector<Bytes>& message_bytes) {
  return message_bytes.empty()
             ? std::nullopt
             : device_buffer_warning(machine, *std::ranges::max_element(message_bytes));
}

}  // namespace tutti::jobs
