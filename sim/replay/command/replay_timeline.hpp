// SPDX-License-Identifier: BSD-3-Clause
// The timeline of `sim replay`: its ranks, its time window and its output.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/engines/inside/rank_trace.hpp"
#include "sim/replay/command/replay_request.hpp"

namespace tutti::commands {

struct TimelineRequest {
  std::optional<std::vector<engines::RankRange>> ranks;
  std::optional<std::pair<Seconds, Seconds>> window;
  std::optional<PictureOutput> plot;
  bool is_wanted = false;
};

options::OptionTable<TimelineRequest> timeline_options();
// `has_page`: the report is an HTML page, which contains the timeline.
void check_timeline(OptionReader& reader, TimelineRequest& timeline, bool has_page);

// An error if the trace does not have the requested ranks.
std::optional<Error> check_ranks(const TimelineRequest& timeline,
                                 const workloads::traces::Trace& trace);

// Replays once more with `args`, which produced `result`. An error if the window begins after the
// end.
Result<reports::TimelinePicture> timeline_picture(const TimelineRequest& timeline,
                                                  const std::string& trace_path,
                                                  const workloads::traces::Trace& trace,
                                                  const studies::replay::Replayer& replayer,
                                                  const studies::replay::ReplayArgs& args,
                                                  const studies::replay::ReplayResult& result);

}  // namespace tutti::commands
