// SPDX-License-Identifier: BSD-3-Clause
// The progress of a location (a rank, a thread, or a stream) through its part of a trace.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/call.hpp"
#include "sim/replay/collectives_ahead.hpp"
#include "sim/replay/computation.hpp"
#include "sim/replay/event_reader.hpp"
#include "sim/replay/request_table.hpp"

namespace tutti::studies::replay {

// An incomplete send of a rank.
struct PendingSend {
  std::optional<Times> posted;  // the time at which its receive was posted
  // Enter and leave of the wait for the send, if that ended before `posted` was known.
  std::optional<std::pair<Times, Times>> waited;
  PathId path = root_path;
  struct Receive {
    std::optional<WaitingSend> waits;
    std::optional<SendObservations::Message> observed;
  };
  // Null unless the send waits for its receive, or a WaitLearner observes it.
  std::unique_ptr<Receive> receive = {};
};

// The messages of a rank so far. Both counts number its receives, with those that are cut.
struct MessageProgress {
  std::uint64_t posts = 0;
  std::uint64_t completions = 0;
  RequestTable<Times> posted;  // the posting times of receives
  RequestTable<PendingSend> sends;
  // Reads the receives that the rank posts next; null until needed.
  std::unique_ptr<ReceivesAhead> ahead;
  LateSenders late_before, late_after;
};

// The collectives of a rank so far.
struct CollectiveProgress {
  std::map<std::uint32_t, std::uint64_t> counts;           // by communicator
  std::unordered_map<std::uint64_t, OpenCollective> open;  // by request
  // Reads the completions of the collectives that the rank begins; null until needed.
  std::unique_ptr<CollectivesAhead> ahead;
};

struct RankState {
  RankState(const workloads::traces::Trace& trace, TraceRank location, const PartsOfRegions& parts,
            Computation pieces)
      : rank(location),
        events(trace.events, location),
        frames(parts),
        computation(std::move(pieces)) {}

  const TraceRank rank;
  EventReader events;
  Frames frames;
  Computation computation;
  bool has_begun = false;
  Ticks delay = 0;              // of its first event
  bool has_unrecorded = false;  // it has begun requests of which the trace has no record
  Times first, last;            // the times of the first event and of the last one so far
  Call call;
  std::size_t loop = 0;  // the next one of ScanOfRank::loops
  // The region of the MPI call that the rank has just left; none if another event came after it.
  std::uint32_t after_call = workloads::traces::none;
  std::size_t cut_depth = 0;  // the number of open regions that are cut
  bool is_cut() const { return cut_depth > 0; }
  Ticks gap_omitted = 0;  // the call gap of a cut call, which shortens the next piece
  MessageProgress messages;
  CollectiveProgress collectives;
  std::optional<Event> meeting;      // an event that may wait for another location of the process
  Ticks not_before = INT64_MIN;      // earliest new time of the meeting's end, for the verdict
  bool gives_up = false;             // the meeting waits for something that never happens
  std::uint32_t open_parallels = 0;  // the parallel regions that the thread is in
  std::uint32_t parallels = 0;       // the outermost parallel regions that have begun
  SharedWork shared_work;            // since the last barrier

  // The collective that the event ends.
  CollectiveNumber number_of(const Event& event,
                             const workloads::traces::TraceDefinitions& definitions) const {
    const bool is_alone = definitions.communicators[event.comm].members.empty();
    const TraceRank alone = is_alone ? rank : workloads::traces::none;
    if (event.kind == EventKind::icollective_end) {
      const auto open = collectives.open.find(event.tag);
      return {event.comm, alone, open == collectives.open.end() ? UINT64_MAX : open->second.number};
    }
    const auto count = collectives.counts.find(event.comm);
    return {event.comm, alone, count == collectives.counts.end() ? 0 : count->second};
  }
};

}  // namespace tutti::studies::replay
