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
};

options::OptionTable<TimelineRequest> timeline_options();
// The outputs other than --plot that show the ranks and the window of the timeline.
struct TimelineUsers {
  bool has_page = false;        // the report is an HTML page, which contains the timeline
  bool has_other_user = false;  // not a picture
};
void check_timeline(OptionReader& reader, const TimelineRequest& timeline,
                    const TimelineUsers& users);

// An error if the trace does not have the requested ranks.
std::optional<Error> check_ranks(const TimelineRequest& timeline,
                                 const workloads::traces::Trace& trace);

// Where a timeline is drawn. A page zooms, so it gets more detail, of some MB.
enum class TimelineMedium : std::uint8_t { plot, page };

// Replays once more with `args`, which produced `result`. An error if the window begins after the
// end.
Result<reports::TimelinePicture> timeline_picture(const TimelineRequest& timeline,
                                                  const std::string& trace_path,
                                                  const workloads::traces::Trace& trace,
                                                  const studies::replay::Replayer& replayer,
                                                  const studies::replay::ReplayArgs& args,
                                                  const studies::replay::ReplayResult& result,
                                                  TimelineMedium medium);

}  // namespace tutti::commands
