// SPDX-License-Identifier: BSD-3-Clause
// The state of a rank in a replay.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/call.hpp"
#include "sim/replay/collectives_ahead.hpp"
#include "sim/replay/computation.hpp"
#include "sim/replay/event_reader.hpp"
#include "sim/replay/request_table.hpp"
#include "sim/replay/rma.hpp"

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
  // The MPI call that the rank has just left; none: another event came after it.
  std::uint32_t after_call = workloads::traces::none;
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
    // Null unless the receive is of interest: the send waits for it, or a WaitLearner observes it.
    struct Receive {
      std::optional<WaitingSend> waits;
      std::optional<SendObservations::Message> observed;
    };
    std::unique_ptr<Receive> receive = {};
  };
  RequestTable<Pending> sends;
  std::map<std::uint32_t, std::uint64_t> collectives;                  // by communicator
  std::unordered_map<std::uint64_t, OpenCollective> open_collectives;  // by request
  // What is posted or begun, where the trace contains it only later; null until needed.
  std::unique_ptr<ReceivesAhead> receives_ahead;
  std::unique_ptr<CollectivesAhead> collectives_ahead;
  LateSenders late_before, late_after;
  // The last MPI_Win_start of each window: enter and leave, as recorded.
  std::map<std::uint32_t, std::pair<Ticks, Ticks>> starts;
  struct OfLock {
    Ticks begin = 0, end = 0;  // of the call that locks, as recorded
    bool is_granted = false;
    std::size_t number = 0;  // of the rank's locks
  };
  std::size_t lock_count = 0;
  std::map<Locks::Key, OfLock> locks;
  bool is_next = false;  // no rank is behind this one

  // ---- threads and streams (replay_threads.cpp) ----
  Times first;                                 // of the first event
  std::optional<Event> meeting;                // an event that may wait for another location
  bool gives_up = false;                       // what it waits for never happens
  std::optional<Received> fork;                // the last one, until the team begins
  std::vector<std::uint32_t> teams;            // that the thread is in
  std::optional<CollectiveNumber> ended_team;  // that the thread has not joined
  std::uint32_t open_parallels = 0;            // parallel regions that it is in
  std::uint32_t parallels = 0;                 // outermost ones that have begun
  std::uint32_t launched = 0;                  // calls that launch operations
  RequestTable<Received> launches;             // that have not begun
  std::unordered_map<std::uint32_t, TraceRank> awaiting_launch;  // streams, by launch
  std::size_t device_waits = 0;                                  // calls that wait for operations
  // Operations of a stream that have begun, and ended; the ends of those that calls wait for.
  std::uint32_t operations = 0, ended_operations = 0;
  std::unordered_map<std::uint32_t, Received> operation_ends;
  std::vector<TraceRank> awaiting_operation;
};

// The collective that the event of the rank ends.
CollectiveNumber number_of(const RankState& me, const Event& event, TraceRank rank,
                           const workloads::traces::TraceDefinitions& definitions);

}  // namespace tutti::studies::replay
