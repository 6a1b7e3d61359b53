// SPDX-License-Identifier: BSD-3-Clause
// The metrics of a CUBE file, with the unique names of Scalasca where it has the metric.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/wait_states.hpp"
#include "workloads/traces/mpi_calls.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::reports {

// The value of a metric includes the values of its children. Values at call paths are exclusive.
struct CubeMetric {
  std::string_view name;    // unique name
  std::string_view parent;  // its unique name; empty: the metric is a root
  std::string_view shown;   // display name
  std::string_view description;
  std::uint64_t sums = 0;   // bits of the metrics of a replay whose sum it is
  std::uint64_t calls = 0;  // or: bits of the kinds of MPI calls whose time it is
  bool counts = false;      // a count; otherwise a time
  // Or: bits of the causes whose sum it is, and of the kinds of waits.
  std::uint32_t causes = 0;
  std::uint32_t kinds = 0;
};

// In the order of the tree: the descendants of a metric follow it. Those of Cause only if asked
// for.
std::span<const CubeMetric> cube_metrics(bool has_causes);

// The bit of a region's kind in CubeMetric::calls; 0 if it is not an MPI call.
std::uint64_t cube_call(const workloads::traces::TraceRegion& region);

// The value of the metric, in ticks or as a count. `causes`: those at the same place.
std::int64_t cube_value(const CubeMetric& metric, const studies::replay::Metrics& values,
                        std::span<const studies::replay::CauseTime> causes, std::uint64_t call);

}  // namespace tutti::reports
