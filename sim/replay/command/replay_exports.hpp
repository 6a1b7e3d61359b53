// SPDX-License-Identifier: BSD-3-Clause
// Files of `sim replay` for other tools: CUBE profiles, and a trace for Perfetto.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/command/replay_request.hpp"
#include "sim/replay/command/replay_timeline.hpp"
#include "sim/replay/report/reports.hpp"

namespace tutti::commands {

// Paths; unset: not written.
struct ExportRequest {
  std::optional<std::string> cube;           // the replayed run
  std::optional<std::string> cube_original;  // the run in the trace
  std::optional<std::string> perfetto;
};

options::OptionTable<ExportRequest> export_options();

// A replayed trace, and the arguments of its replay.
struct ExportedReplay {
  const reports::ReplayReport& report;
  const workloads::traces::Trace& trace;
  const studies::replay::ReplayArgs& args;
  const studies::replay::ReplayResult& result;
  const studies::replay::Replayer& again;
};

// A trace for Perfetto needs one more replay. `timeline` selects its ranks and window.
std::optional<Error> write_exports(const ExportRequest& request, const TimelineRequest& timeline,
                                   const ExportedReplay& what, const Diagnostics& diagnostics);

}  // namespace tutti::commands
