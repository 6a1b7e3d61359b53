// SPDX-License-Identifier: BSD-3-Clause
// Options of `sim fit models`.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/fit/command/fit_data.hpp"
#include "sim/fit/model_study.hpp"

namespace tutti::commands {

struct FitModelsRequest : JobRequest, studies::ModelSpec {
  std::optional<std::string> output;  // unset: standard output
  std::vector<std::string> times;     // files of measured times; empty: simulate the experiments
  studies::OnlyRows only;
  studies::MissingValues missing;  // of `times`
  int jobs = default_jobs();
  ReportOutputs outputs;
};

// Built on first use: tables of other files need it before main.
const options::OptionTable<FitModelsRequest>& fit_models_options();

}  // namespace tutti::commands
