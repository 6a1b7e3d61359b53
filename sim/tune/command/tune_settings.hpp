// SPDX-License-Identifier: BSD-3-Clause
// The best values of a search as a set of parameters, for `sim params put`.
#pragma once

#include "sim/params/parameter_set.hpp"
#include "sim/tune/command/tune_stage.hpp"
#include "sim/tune/report/tune_report.hpp"

namespace tutti::commands {

// `points`: with the best values. Parameters that the best combination does not use, those that no
// simulation knows, and those of left_out_of_set are left out.
store::ParameterSet tuned_set(const studies::tuning::TuneFile& file,
                              const reports::TuneReport& report,
                              const std::vector<TunedPoint>& points);

// Parameters at their default, by the names of the file, of which no value that was evaluated has
// an effect.
std::vector<std::string> left_out_of_set(const studies::tuning::TuneFile& file,
                                         const reports::TuneReport& report);

}  // namespace tutti::commands
