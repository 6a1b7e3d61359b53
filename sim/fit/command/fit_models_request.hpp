// SPDX-License-Identifier: BSD-3-Clause
// What the options of `sim fit models` ask for.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/fit/command/fit_data.hpp"
#include "sim/fit/model_study.hpp"

namespace tutti::commands {

struct FitModelsRequest : JobRequest, studies::ModelSpec {
  std::optional<std::string> output;  // unset: standard output
  std::vector<std::string> times;     // files of measured ones; none: simulate
  studies::OnlyRows only;
  int jobs = default_jobs();
  ReportOutputs outputs;
};

// Made when they are asked for: other files' tables need them before main.
const options::OptionTable<FitModelsRequest>& fit_models_options();

}  // namespace tutti::commands
