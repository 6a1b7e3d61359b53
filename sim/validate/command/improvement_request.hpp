// SPDX-License-Identifier: BSD-3-Clause
// The options of `sim validate improvement` and what they mean.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/validate/improvement_plan.hpp"

namespace tutti::commands {

struct ImprovementRequest : JobRequest, studies::ImprovementWish {
  int jobs = default_jobs();
  DocumentOutput document;
};

// Made when they are asked for: other files' tables need them before main.
const options::OptionTable<ImprovementRequest>& improvement_options();

}  // namespace tutti::commands
