// SPDX-License-Identifier: BSD-3-Clause
// The workloads, in the order of help and completion.
#include "sim/fit/loggp_workload.hpp"
#include "sim/replay/replay_workload.hpp"
#include "sim/studies/workloads/job_file.hpp"
#include "sim/studies/workloads/program_options.hpp"
#include "sim/studies/workloads/workload.hpp"

namespace tutti::studies {

std::span<const Workload* const> all_workloads() {
  static constexpr const Workload* table[] = {
      &collective_workload, &io_workload,       &ping_pong_workload, &loggp_workload,
      &program_workload,    &schedule_workload, &jobs_workload,      &replay_workload};
  return table;
}

}  // namespace tutti::studies
