// SPDX-License-Identifier: BSD-3-Clause
// A study as a Slurm job array: a task for each part, a store each, and a job that merges them.
#pragma once

#include "sim/commands/diagnostics.hpp"
#include "sim/commands/sweep_request.hpp"

namespace tutti::commands {

// Scripts that are there with another content: nothing is written over.
std::vector<Error> check_scripts(const SweepRequest& request, const OptionValues& parsed);

// Writes STORE.array.sh and STORE.merge.sh and submits them; `dry_run`: prints them. Returns the
// exit code.
Result<int> submit_sweep(const SweepRequest& request, const OptionValues& parsed, bool dry_run);

}  // namespace tutti::commands
