// SPDX-License-Identifier: BSD-3-Clause
// The timeline of ranks, in the trace and replayed, in columns; each column shows the activity that
// takes most of it.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/collectives.hpp"
#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

struct TimelineSpec {
  std::vector<TraceRank> ranks = {};  // in ascending order
  Ticks from = 0;
  Ticks to = 0;                     // above `from`
  std::size_t columns = 2000;       // at most
  bool is_exact = false;            // bars of at most `columns` spans have these instead
  std::size_t most_regions = 4;     // regions of computation with their own color
  std::size_t most_messages = 200;  // with more, no messages are drawn
};

enum class Doing : std::uint8_t {
  region,  // one with its own color
  other_computation,
  // Kinds of calls, each followed by the time in them until what they wait for has happened.
  point_to_point,
  point_to_point_wait,
  collective,
  collective_wait,
  one_sided,  // synchronization of windows
  one_sided_wait,
  threads,       // barriers of threads
  threads_wait,  // also outside of calls, for the end of threads
  accelerator,
  accelerator_wait,
  other_call  // does not wait
};
struct TimelineKind {
  Doing doing = Doing::region;
  std::string region = {};  // its name
};

// The activity that takes most of these adjacent columns, or all of this time in an exact bar.
struct TimelineSpan {
  Ticks from = 0;
  Ticks to = 0;
  std::uint16_t kind = 0;
};
struct TimelineRank {
  TraceRank rank = 0;
  std::vector<TimelineSpan> before, after;
};
struct TimelineMessage {
  TraceRank from = 0, to = 0;
  Times sent, received;
  bool is_cut = false;                      // then it has no new times
  Ticks send_enter = 0, receive_enter = 0;  // new times of the calls
  std::uint32_t tag = 0;
  std::uint64_t bytes = 0;  // in the trace
};

struct Timeline {
  Ticks from = 0;
  Ticks to = 0;
  std::vector<TimelineKind> kinds;
  std::vector<TimelineRank> ranks;
  std::vector<TimelineMessage> messages;  // between these ranks, in the window; empty if too many
  std::uint64_t message_count = 0;        // number of such messages
  Ticks column = 0;                       // its width; 0 if all bars are exact
  std::uint64_t pieces = 0;               // calls and pieces of computation in the window
  std::uint64_t narrow_pieces = 0;        // pieces that are narrower than a column
};

// The timeline of a trace whose replay gave `result`; `again` replays it once more into a sink.
Result<Timeline> timeline(const workloads::traces::Trace& trace, const ReplayResult& result,
                          const TimelineSpec& spec,
                          const std::function<Result<ReplayResult>(ReplaySink*)>& again);

// At most `most` ranks: those that wait most and least in the trace, in ascending order.
std::vector<TraceRank> extreme_ranks(const ReplayResult& result, std::size_t most);

}  // namespace tutti::studies::replay
