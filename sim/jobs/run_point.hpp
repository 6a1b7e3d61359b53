// SPDX-License-Identifier: BSD-3-Clause
// Runs one point in this process: makes the program of the ranks (workloads::program_of) and the
// engines::Job, calls engines::run, and returns a record of the results.
#pragma once

#include "platforms/placing/map_words.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/traffic_counter.hpp"
#include "sim/jobs/point.hpp"
#include "sim/jobs/record.hpp"

namespace tutti::jobs {

// The result of a point. Times are in seconds since the job's start.
struct Answer {
  Record record;
  std::vector<platforms::HostId> host_of;  // by rank; if ranks or details are requested
  std::vector<Seconds> end_s;      // by rank; if ranks are requested and the engine is timed
  std::vector<Seconds> latency_s;  // of each repetition, if repetitions are measured
  std::vector<engines::TrafficRow> traffic;  // if requested
  InsideAnswer inside;
};

// Returns the record of the point with its description, without results.
Record describe_point(const Point& point, const platforms::Placement& placement);

// Runs the point. A failed simulation (deadlock, leftover messages) is an error of kind run. The
// caller fills the cost columns of the record (measured.hpp). `watcher`, if not null, observes the
// run as well.
Result<Answer> run_point(const Point& point, const platforms::Machine& machine,
                         runtime::Observer* watcher = nullptr);

// True if formulas exist for the point.
bool has_model(const Point& point, const platforms::Machine& machine);

// The arguments of the formulas.
algorithms::ModelArgs model_args(const Point& point, const platforms::Machine& machine);

// Converts the first few problems of an outcome to errors of kind run.
std::vector<Error> errors_of(const std::vector<std::string>& problems);

// The placement in the syntax of --map, with the nodes if they are restricted: "block",
// "file:PATH", "round-robin on a[1-3]".
inline std::string map_name(const platforms::PlacementRequest& request) {
  return platforms::map_word_of(request);
}

}  // namespace tutti::jobs
