// SPDX-License-Identifier: BSD-3-Clause
// The timeline of `sim replay`: which ranks, when, and where it goes.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/engines/inside/rank_trace.hpp"
#include "sim/replay/command/replay_request.hpp"

namespace tutti::commands {

namespace replay_option {
inline constexpr std::array of_timeline{
    job_option::output_row("--timeline", "RANKS",
                           "what ranks 0,4-7 do over time, in --plot and a page; default: the 8 "
                           "that wait most and least"),
    job_option::output_row("--timeline-window", "FROM:TO", "of it, as in 10ms:20ms; default: all"),
    written(job_option::output_row(
        "--plot", "FILE",
        "draws the timeline there: .svg, .png, .pdf, or .gp: gnuplot's "
        "program"
        "\ndraws what ranks do over time, in the trace and replayed, as .svg, .png, .pdf or .gp "
        "(gnuplot's program); a page has that, too, and tells what is under the mouse. Work is "
        "cool, calls are warm, waiting in them (until what they depend on had happened) is dark; "
        "up to 200 messages are lines. Where several calls share a place, what takes most of it is "
        "shown. This replays once more. `--timeline` RANKS (0,4-7; at most 64) chooses ranks, in "
        "place of the 8 that wait most and least; `--timeline-window` FROM:TO (10ms:20ms) a part "
        "of the time."))};
}  // namespace replay_option

struct TimelineRequest {
  std::optional<std::vector<engines::RankRange>> ranks;
  std::optional<std::pair<Seconds, Seconds>> window;
  std::optional<PictureOutput> plot;
  bool is_wanted = false;
};

// `has_page`: the report is one.
Result<TimelineRequest> timeline_request(const OptionValues& parsed, bool has_page);

// That the trace has the ranks.
std::optional<Error> check_ranks(const TimelineRequest& timeline,
                                 const workloads::traces::Trace& trace);

// Replays once more; `args` gave the result. Errors: a window behind the end.
Result<reports::TimelinePicture> timeline_picture(const TimelineRequest& timeline,
                                                  const std::string& trace_path,
                                                  const workloads::traces::Trace& trace,
                                                  const studies::replay::Replayer& replayer,
                                                  const studies::replay::ReplayArgs& args,
                                                  const studies::replay::ReplayResult& result);

}  // namespace tutti::commands
