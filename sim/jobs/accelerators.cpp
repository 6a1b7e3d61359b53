// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/accelerators.hpp"

namespace tutti::jobs {

std::string meaning_of_ranks(const platforms::Machine& machine) {
  const auto accelerators = machine.info("accelerators");
  if (machine.devices)
    return fmt::format(
        "a rank of {} is a process on the CPUs with buffers in host memory, but in NCCL's "
        "algorithms (`sim list algorithms --set nccl`) a GPU ({}); GPU-aware MPI is not modeled",
        machine.name, accelerators);
  if (accelerators.empty()) return {};
  return fmt::format(
      "a rank of {} is a process on the CPUs with buffers in host memory; its accelerators ({}), "
      "GPU-aware MPI and device collectives (NCCL, RCCL) are not modeled",
      machine.name, accelerators);
}

std::optional<std::string> device_buffer_warning(const platforms::Machine& machine,
                                                 Bytes message_bytes) {
  constexpr Bytes usual_on_devices = Bytes{1} << 30;
  const auto accelerators = machine.info("accelerators");
  if (accelerators.empty() || message_bytes < usual_on_devices) return std::nullopt;
  return fmt::format(
      "messages of {} on {}: the times are those of buffers in host memory; {}, whose collectives "
      "may be many times faster",
      format_bytes(message_bytes), machine.name,
      machine.devices
          ? std::string("NCCL's algorithms, such as nccl_ring_simple, are those of its GPUs")
          : fmt::format("buffers in its accelerators ({}) are not modeled", accelerators));
}

}  // namespace tutti::jobs
