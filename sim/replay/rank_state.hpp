// SPDX-License-Identifier: BSD-3-Clause
// The state of a rank in a replay.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/call.hpp"
#include "sim/replay/computation.hpp"
#include "sim/replay/event_reader.hpp"
#include "sim/replay/request_table.hpp"

namespace tutti::studies::replay {

struct RankState {
  RankState(const workloads::traces::Trace& trace, TraceRank rank, const PartsOfRegions& parts,
            Computation of_rank)
      : events(trace.events, rank), frames(parts), computation(std::move(of_rank)) {}

  EventReader events;
  Frames frames;
  Computation computation;
  Times last;  // of the last event
  Call call;
  bool has_begun = false;
  std::size_t cut_depth = 0;
  Ticks gap_omitted = 0;  // subtracted from the next piece: the call gap of a call that was cut
  std::uint64_t posts = 0;
  std::uint64_t completions = 0;
  RequestTable<Times> posted;  // posting times of receives
  // Incomplete sends: the time at which their receive was posted, and the wait for the send if it
  // ended before that time was known.
  struct Pending {
    std::optional<Times> posted;
    std::optional<std::pair<Times, Times>> waited;  // enter and leave
    PathId path = root_path;
  };
  RequestTable<Pending> sends;
  std::map<std::uint32_t, std::uint64_t> collectives;  // by communicator
  LateSenders late_before, late_after;
};

// The collective that the event of the rank ends.
CollectiveNumber number_of(const RankState& me, const Event& event, TraceRank rank,
                           const workloads::traces::TraceDefinitions& definitions);

}  // namespace tutti::studies::replay
