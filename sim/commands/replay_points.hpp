// SPDX-License-Identifier: BSD-3-Clause
// A trace replayed on a simulated machine as a point of a study: workload = "replay". Its time is
// the end of the program, computation included.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "sim/commands/replay_request.hpp"
#include "sim/studies/study_point.hpp"

namespace tutti::commands {

inline constexpr std::string_view replay_workload = "replay";

// Its options: the trace, how it is read, the machine.
std::span<const OptionSpec> replay_point_specs();

struct ReplayPointRequest : ReplayRequest {
  std::string trace_options;  // what decides which events are read
};
// `parsed`: of replay_point_specs. Errors name their options.
Result<ReplayPointRequest> read_replay_point(const Parsed& parsed);

// A trace that is read once, for many points.
struct LoadedTrace {
  std::string options;  // ReplayPointRequest::trace_options
  std::string content;  // hash of its files
  workloads::traces::Trace trace;
};
Result<std::shared_ptr<const LoadedTrace>> load_trace(const ReplayPointRequest& request);

// `origin`: with the machine. Errors: the ranks have no place there, the selection of algorithms.
Result<studies::StudyPoint> replay_point(const ReplayPointRequest& request,
                                         std::shared_ptr<const LoadedTrace> trace,
                                         studies::PointOrigin origin);

}  // namespace tutti::commands
