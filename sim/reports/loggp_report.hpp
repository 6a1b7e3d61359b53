// SPDX-License-Identifier: BSD-3-Clause
// What `sim run loggp` hands to a person or a program.
#pragma once

#include "sim/reports/report.hpp"
#include "sim/studies/loggp_record.hpp"

namespace tutti::reports {

struct LogGPReport : ReportHead {
  std::vector<studies::LogGPRecord> records;
  studies::LogGPMeasurement measured;
  double path_latency_s = 0;  // of the route
  double path_bandwidth_Bps = 0;
};

// As `render` of the collectives' report; there is no OSU format.
std::string render_loggp(const LogGPReport& report, Format format,
                         std::optional<std::size_t> width = {});

// The set by the name of `measured` for a platform file, and for a command line.
std::string loggp_props(const LogGPReport& report);
std::string loggp_set_options(const LogGPReport& report);

}  // namespace tutti::reports
