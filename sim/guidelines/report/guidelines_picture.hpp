// SPDX-License-Identifier: BSD-3-Clause
// Mock-ups beside their collective as PGMPITuneLib's paper draws them (Figures 4 to 6): latency by
// message size, default = 1, with bars from the fastest to the slowest run.
#pragma once

#include "sim/base/common.hpp"
#include "sim/guidelines/report/guidelines_report.hpp"
#include "sim/reports/plots/picture.hpp"

namespace tutti::reports {

// The collectives of which there is something to draw.
std::vector<std::string> collectives_compared(const GuidelinesReport& report);

// One of them: a panel for each number of processes. What is slower than four times the default is
// cut off, as in the paper.
Result<LinesPicture> guidelines_picture(const GuidelinesReport& report,
                                        const std::string& collective);

}  // namespace tutti::reports
