// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/accelerators.hpp"

namespace tutti::jobs {

std::string meaning_of_ranks(const platforms::Machine& machine) {
  const auto accelerators = machine.info("accelerators");
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
      "messages of {} on {}: the times are those of buffers in host memory; buffers in its "
      "accelerators ({}) are not modeled, and their collectives may be many times faster",
      format_bytes(message_bytes), machine.name, accelerators);
}

}  // namespace tutti::jobs
