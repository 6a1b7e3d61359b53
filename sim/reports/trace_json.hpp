// SPDX-License-Identifier: BSD-3-Clause
// Writes a trace in Chrome's trace event format, which Perfetto and chrome://tracing open, with a
// process per node and a thread per rank. Times are in us with a resolution of 1 ps.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

std::string trace_json(const ReportHead& report, const SeenJob& job,
                       const std::vector<engines::RankRange>& ranks,
                       const platforms::Machine& machine);

// "0-15,20"
std::string ranges_text(const std::vector<engines::RankRange>& ranks);

}  // namespace tutti::reports
