// SPDX-License-Identifier: BSD-3-Clause
// The options of `sim sweep` and what they mean.
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
  std::string store_path;
  std::optional<std::string> also_in;  // a store whose points are not run
  studies::PlanRequest plan;
  bool selects = false;  // only a part of the study is looked at
  studies::RunnerLimits limits;
  enum class View : unsigned char { run, dry_run, list, explain } view = View::run;
  std::string command;  // that says the same again
  // A Slurm job array.
  bool slurm = false;
  int array = 4;
  std::vector<std::string> sbatch_args;
};

// All errors at once: of the command line, or of the study.
Result<SweepRequest> read_sweep(const OptionValues& parsed);

}  // namespace tutti::commands
