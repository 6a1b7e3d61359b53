// SPDX-License-Identifier: BSD-3-Clause
// The data of the tables of `sim replay`, and its larger tables.
#pragma once

#include "sim/replay/report/reports.hpp"

namespace tutti::reports {

struct Replayed {
  const ReplayReport& report;
  const workloads::traces::TraceDefinitions& definitions;
  const studies::replay::ReplayResult& result;

  double seconds(double ticks) const { return ticks / definitions.ticks_per_s; }
  double seconds(std::int64_t ticks) const { return seconds(static_cast<double>(ticks)); }
  std::string name(studies::replay::PathId path) const {
    return result.paths.name(path, definitions.regions);
  }
  std::string name_with_outside(studies::replay::PathId path) const {
    return path == studies::replay::root_path ? studies::replay::outside_path : name(path);
  }
};

// The time of each call path, before and after, largest first. The numbers of a path and of its
// parent describe the call tree.
DocumentTable replayed_paths_table(const Replayed& replayed);

// The number of waits of each kind, and the most severe one, before and after.
DocumentTable wait_instances_table(const Replayed& replayed);

}  // namespace tutti::reports
