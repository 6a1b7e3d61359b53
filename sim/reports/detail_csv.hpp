// SPDX-License-Identifier: BSD-3-Clause
// The long tables beside a report: who sends what to whom, and when each rank is done.
#pragma once

#include <string>

#include "platforms/machine.hpp"
#include "sim/reports/report.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::reports {

// Provenance as comments, then the header line.
std::string traffic_head(const Report& report);
// The lines of one point, by (source, destination).
std::string traffic_rows(const studies::Answer& answer);

// One line a rank. Under an untimed engine the times are empty.
std::string ranks_table(const Report& report, const studies::Answer& answer,
                        const platforms::Machine& machine);

}  // namespace tutti::reports
