// SPDX-License-Identifier: BSD-3-Clause
// The workload "jobs": several jobs on one machine, described by a TOML file.
//
//   platform      a machine, unless --platform names one
//   share_nodes   true: jobs may use the same nodes
//   [[job]]       run = "alltoall"; name, nodes, start, repeat, and options of `sim run COLLECTIVE`
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/concurrent_jobs.hpp"
#include "sim/options/shared_options.hpp"
#include "sim/studies/workloads/workload.hpp"

namespace tutti::studies {

inline constexpr std::string_view jobs_word = "jobs";
// True for "FILE.toml": as the word after `sim run` it selects the workload.
inline bool is_job_file(std::string_view word) { return word.ends_with(".toml"); }

// Reads a file, its machine, and places the jobs; jobs without `nodes` get the next nodes that no
// other job names. A platform in `request` takes precedence; else that of the file is added to it.
// Errors have their line and column.
Result<JobMix> read_jobs(const std::string& text, const std::string& path,
                         options::MachineRequest& request);

// The same on a given machine; `platform` of the file is ignored.
Result<JobMix> read_jobs_on(const std::string& text, const std::string& path,
                            const platforms::Machine& machine);

extern const Workload jobs_workload;

}  // namespace tutti::studies
