// SPDX-License-Identifier: BSD-3-Clause
// The workloads of `sim run`, one file each (*_run.cpp): its options with those of the output, its
// help, and how it is run.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"
#include "sim/studies/workloads/workload.hpp"

namespace tutti::commands {

struct RunWorkload {
  const studies::Workload& workload;
  std::span<const OptionSpec> (*specs)();
  std::string (*help)(const std::string& word);
  // Returns the exit code. Errors name options.
  Result<int> (*run)(const OptionValues& values, const Diagnostics& diagnostics);
};

extern const RunWorkload collective_run, io_run, ping_pong_run, loggp_run;

std::span<const RunWorkload* const> run_workloads();
// That of a word; of any other word that of the collectives.
const RunWorkload& run_workload_of(std::string_view word);
// The options of `sim run WORD`.
inline std::span<const OptionSpec> specs_of_workload(std::string_view word) {
  return run_workload_of(word).specs();
}

}  // namespace tutti::commands
