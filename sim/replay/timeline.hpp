// SPDX-License-Identifier: BSD-3-Clause
// What ranks do over time, in the trace and replayed, as a picture shows it: in columns, each of
// what takes most of it.
#pragma once

#include <string>
#include <vector>

#include "sim/replay/collectives.hpp"
#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

struct TimelineWish {
  std::vector<TraceRank> ranks = {};  // rising
  Ticks from = 0;
  Ticks to = 0;                     // above `from`
  std::size_t columns = 2000;       // at most
  std::size_t most_regions = 4;     // of computation that are told apart
  std::size_t most_messages = 200;  // more are none
};

enum class Doing : std::uint8_t {
  region,  // one that is told apart
  other_computation,
  point_to_point,
  point_to_point_wait,  // until the call's messages were sent
  collective,
  collective_wait,  // until those had come that it waits for
  other_call
};
struct TimelineKind {
  Doing doing = Doing::region;
  std::string region = {};  // its name
};

// What takes most of these columns, side by side.
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
  bool is_cut = false;  // then it has no times after
};

struct Timeline {
  Ticks from = 0;
  Ticks to = 0;
  std::vector<TimelineKind> kinds;
  std::vector<TimelineRank> ranks;
  std::vector<TimelineMessage> messages;  // between these ranks, in the window; none where too many
  std::uint64_t message_count = 0;        // the same, all
  Ticks column = 0;                       // its width
  std::uint64_t pieces = 0;               // calls and pieces of computation in the window
  std::uint64_t narrow_pieces = 0;        // of them: narrower than a column
};

// Of the trace, as it gave `result`: `again` replays it once more into a sink.
Result<Timeline> timeline(const workloads::traces::Trace& trace, const ReplayResult& result,
                          const TimelineWish& wish,
                          const std::function<Result<ReplayResult>(ReplaySink*)>& again);

// At most so many ranks: those that wait most, and least, in the trace. Rising.
std::vector<TraceRank> extreme_ranks(const ReplayResult& result, std::size_t most);

}  // namespace tutti::studies::replay
