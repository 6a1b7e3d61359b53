// SPDX-License-Identifier: BSD-3-Clause
// The plots that a study asks for: [[report.plot]].
#pragma once

#include <vector>

#include "sim/base/result.hpp"
#include "sim/reports/plots/plot_words.hpp"
#include "sim/studies/study_file.hpp"

namespace tutti::commands {

// Errors stand in the study.
Result<std::vector<reports::PlotSpec>> wanted_plots(const studies::StudyFile& study);

}  // namespace tutti::commands
