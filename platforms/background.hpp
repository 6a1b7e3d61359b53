// SPDX-License-Identifier: BSD-3-Clause
// Traffic of other jobs: constant rates between nodes, which take bandwidth of the links on their
// paths. It does not yield to the simulated job.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

struct Background {
  std::vector<double> load_Bps = {};  // by link of the topology
  std::vector<HostId> nodes = {};     // of its jobs, in ascending order; empty: no jobs are known
};

// The prefix of the name of a file of jobs in mpi/background.
inline constexpr std::string_view jobs_prefix = "jobs:";

// Reads a file of jobs and simulates them on a machine without background; returns their mean
// traffic. Supplied by sim/studies, since machines are below simulations.
using TrafficOfJobs = Result<Background> (*)(const std::string& file, const Machine& machine);

// A TrafficOfJobs for readers of other properties of the machine: no traffic.
Result<Background> no_traffic(const std::string& file, const Machine& machine);

// The text of mpi/background: "all-to-all:RATE", "jobs:FILE", or the name of a file. All nodes send
// RATE evenly to all others; of more than 4,096 nodes, each to evenly spaced others, so that 2^24
// pairs send. A file of jobs is passed to `jobs`; without it, jobs are an error. Another file is
// CSV with the header "source,destination,rate": nodes by name or number, and a rate in bytes per
// second or with a unit. With several shortest paths and a routing other than fixed, each carries
// an equal part. Errors have the place in the file; errors of the text itself do not.
Result<Background> read_background(std::string_view text, const Machine& machine,
                                   TrafficOfJobs jobs = nullptr);

}  // namespace tutti::platforms
