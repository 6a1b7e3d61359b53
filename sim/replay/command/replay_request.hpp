// SPDX-License-Identifier: BSD-3-Clause
// What `sim replay` and its subcommands share: the replay and its report.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/replay/replay_request.hpp"

namespace tutti::commands {

namespace trace_option = studies::trace_option;
using studies::ReadTrace;
using studies::ReplayModel;
using studies::TraceRequest;

namespace replay_option {
using namespace studies::replay_option;  // NOLINT: all of them, and those of reports
inline constexpr OptionSpec causes{
    "What is looked at", "--causes", "",
    "also the critical path, and what waits cost by whose delays they come from; slower"
    "\nalso the critical path (from the rank that ends last back through what others waited for; "
    "its parts add up to the end) and what waits cost, charged to what the rank that was waited "
    "for did longer than the one that waited since they last met (`delay_direct`), and by way of "
    "its own waits (`delay_indirect`)."};
}  // namespace replay_option

struct ReplayRequest : studies::ReplayRequest {
  ReportOutputs outputs;
  std::string command;
};

Result<ReplayModel> make_model(const ReplayRequest& request, std::size_t ranks,
                               const Diagnostics& diagnostics);

}  // namespace tutti::commands
