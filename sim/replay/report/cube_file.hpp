// SPDX-License-Identifier: BSD-3-Clause
// Metrics by call path and rank as a CUBE 4 file (.cubex), the profile format of Score-P and
// Scalasca, which the CUBE browser, cube_diff, Extra-P and Hatchet read.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/replay.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

struct CubeProfile {
  const ReportHead& head;
  std::string trace;  // its path
  std::string what;   // of which run: "Replayed", "Original"
  const workloads::traces::TraceDefinitions& definitions;
  const studies::replay::CallPaths& paths;
  const studies::replay::MetricTable& metrics;
};

// The content of the file. Metrics without a value other than 0 have no data in it. An error if a
// member of the archive would exceed 8 GiB.
Result<std::string> cube_file(const CubeProfile& profile);

}  // namespace tutti::reports
