// SPDX-License-Identifier: BSD-3-Clause
// The best values of a search as a set of parameters, for `sim params put`.
#pragma once

#include "sim/commands/tune_stage.hpp"
#include "sim/reports/tune_report.hpp"
#include "sim/store/params/parameter_set.hpp"

namespace tutti::commands {

// `points`: with the best values. Parameters that the best combination does not use, and those
// that no simulation knows, are left out.
store::ParameterSet tuned_set(const studies::tuning::TuneFile& file,
                              const reports::TuneReport& report,
                              const std::vector<TunedPoint>& points);

}  // namespace tutti::commands
