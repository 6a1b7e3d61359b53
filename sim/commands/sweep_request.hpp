// SPDX-License-Identifier: BSD-3-Clause
// The request of `sim sweep`: its options and the study file.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/options.hpp"
#include "sim/studies/study_file.hpp"
#include "sim/studies/study_plan.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::commands {

std::span<const OptionSpec> sweep_specs();

struct SweepRequest {
  std::string study_path;
  studies::StudyFile study;
  std::string store_path;              // of the results; created if it is missing
  std::optional<std::string> also_in;  // another store, which is only read; its points are not run
  studies::PlanRequest plan;           // which points to run
  bool selects = false;                // only a part of the study is selected
  studies::RunnerLimits limits;
  enum class View : unsigned char { run, dry_run, list, explain } view = View::run;
  std::string command;  // command line that reproduces the request
  // Options of a Slurm job array.
  bool slurm = false;
  int array = 4;
  std::vector<std::string> sbatch_args;
};

// Reads the options and the study. Returns all errors of the command line or of the study at once.
Result<SweepRequest> read_sweep(const OptionValues& parsed);

}  // namespace tutti::commands
