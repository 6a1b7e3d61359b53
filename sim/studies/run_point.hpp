// SPDX-License-Identifier: BSD-3-Clause
// Runs one point in this process.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/traffic_counter.hpp"
#include "sim/studies/point.hpp"
#include "sim/studies/record.hpp"

namespace tutti::studies {

struct Answer {
  Record record;
  std::vector<platforms::HostId>
      host_of;                     // by rank; filled if the point wants ranks or looks inside
  std::vector<Seconds> end_s;      // by rank; the same, and if the engine is timed
  std::vector<Seconds> latency_s;  // of each repetition, if repetitions are measured
  std::vector<engines::TrafficRow> traffic;  // filled if the point wants traffic
  InsideAnswer inside;
};

// What is simulated, without an answer.
Record described(const Point& point, const platforms::Placement& placement);

// A simulation that does not end well (deadlock, leftover messages) is an error of kind run. The
// cost columns of the record are left to `forked`. `watcher`, if any, sees the run as well.
Result<Answer> run_point(const Point& point, const platforms::Machine& machine,
                         runtime::Observer* watcher = nullptr);

// Formulas have an answer for it.
bool has_model(const Point& point, const platforms::Machine& machine);

// What formulas are asked for.
algorithms::ModelArgs model_args(const Point& point, const platforms::Machine& machine);

// The first few problems of an outcome, told as errors of kind run.
std::vector<Error> errors_of(const std::vector<std::string>& problems);

// How --map names the placement: "block", "round-robin", "file:PATH".
std::string map_name(const platforms::PlacementRequest& request);

}  // namespace tutti::studies
