// SPDX-License-Identifier: BSD-3-Clause
// Machines with the traffic of other jobs (mpi/background = jobs:FILE): the mean traffic of the
// jobs of a file, which are simulated together on the same machine without background.
#pragma once

#include "platforms/background.hpp"
#include "platforms/machine.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/concurrent_jobs.hpp"
#include "sim/options/shared_options.hpp"

namespace tutti::studies {

// Loads a machine as platforms::load_machine does, and simulates the jobs of its background.
Result<platforms::Machine> load_machine(const options::MachineRequest& request);

// The load of each link as if every job called its collective forever: the bytes of the job on the
// link, divided by the time of the job while all jobs run, summed over the jobs. A divided message
// loads its shortest paths equally.
Result<platforms::Background> mean_traffic(const JobMix& mix);

// A warning if a job on these hosts uses nodes of the background's jobs.
std::optional<std::string> shared_nodes_warning(const platforms::Machine& machine,
                                                std::span<const platforms::HostId> hosts);
// The same for the first of these points that does.
template <class Points>
std::optional<std::string> shared_nodes_warning(const Points& points,
                                                const platforms::Machine& machine) {
  if (machine.background_nodes.empty()) return std::nullopt;
  for (const auto& point : points)
    if (const auto placement = platforms::place(machine, point.placement))
      if (auto warning = shared_nodes_warning(machine, std::span(placement->host_of)))
        return warning;
  return std::nullopt;
}

}  // namespace tutti::studies
