// SPDX-License-Identifier: BSD-3-Clause
// The replay and the report, which `sim replay` and its subcommands share.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/replay/replay_request.hpp"
#include "sim/replay/report/reports.hpp"

namespace tutti::commands {

namespace trace_option = studies::trace_option;
using studies::ReadTrace;
using studies::ReplayModel;
using studies::TraceRequest;

namespace replay_option {
using namespace studies::replay_option;  // NOLINT: adds the options of reports
inline constexpr OptionSpec causes{
    "Analysis", "--causes", "",
    "Also report the critical path and which delays cause the waits; slower"
    "\nAlso report the critical path (from the rank that ends last back through the calls that it "
    "waited for; its parts add up to the run time) and the cost of delays: a wait is charged to "
    "the call paths in which the rank that was waited for spent more time than the waiting rank "
    "since they last met (`delay_direct`), and through that rank's own waits to their causes "
    "(`delay_indirect`). `--part delays` and CUBE files split waits into direct and indirect, and "
    "propagating and terminal ones, and the costs by the kind of wait."};
}  // namespace replay_option

struct ReplayRequest : studies::ReplayRequest {
  ReportOutputs outputs;
  std::string command;
};

// The trace and the model of a replay.
struct LoadedReplay {
  ReadTrace read;
  ReplayModel model;
  studies::CoreSpeeds speeds;
};
Result<LoadedReplay> load_replay(const ReplayRequest& request, const Diagnostics& diagnostics);
// Sets what all reports about the trace have in common.
void describe(reports::TraceReport& report, const ReplayRequest& request,
              const workloads::traces::Trace& trace, const ReplayModel& model);

}  // namespace tutti::commands
