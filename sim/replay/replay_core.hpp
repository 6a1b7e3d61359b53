// SPDX-License-Identifier: BSD-3-Clause
// The part that all replay models share: it reads the events of all locations, and passes each one
// to the part that it concerns (regions, messages, collectives, windows, threads, streams). The
// models (contention_free.cpp, on_platform.cpp) compute the times of calls.
#pragma once

#include "sim/replay/call_doubts.hpp"
#include "sim/replay/call_gap.hpp"
#include "sim/replay/completion_order.hpp"
#include "sim/replay/replay_collectives.hpp"
#include "sim/replay/replay_messages.hpp"
#include "sim/replay/replay_regions.hpp"
#include "sim/replay/replay_state.hpp"
#include "sim/replay/replay_streams.hpp"
#include "sim/replay/replay_tasks.hpp"
#include "sim/replay/replay_thread_waits.hpp"
#include "sim/replay/replay_threads.hpp"
#include "sim/replay/replay_windows.hpp"
#include "sim/replay/verdict.hpp"

namespace tutti::studies::replay {

class ReplayCore {
 public:
  struct Options {
    // Null: the model decides what sends and collectives wait for.
    const WaitRules* rules = nullptr;
    // Gets what the trace shows about these rules; may be null.
    WaitLearner* learner = nullptr;
    // Scans of the trace with the same hypothesis, and without cuts; null: the core scans it.
    std::shared_ptr<const TraceScan> scan = {}, uncut = {};
  };
  // All arguments must outlive this object; `sink` may be null.
  ReplayCore(const workloads::traces::Trace& trace, const ReplayArgs& args, ReplaySink* sink,
             const Options& options);

  const workloads::traces::TraceDefinitions& definitions() const { return state_.definitions(); }
  TraceRank ranks() const { return static_cast<TraceRank>(state_.ranks.size()); }
  RankState& rank(TraceRank rank) { return *state_.ranks[rank]; }
  const TraceScan& scan() const { return *state_.scan; }
  ReplayResult& result() { return state_.result; }
  MessageReplay& messages() { return messages_; }
  CollectiveReplay& collectives() { return collectives_; }
  WindowReplay& windows() { return windows_; }
  ThreadWaitReplay& thread_waits() { return thread_waits_; }
  // Completes and returns the result, once all ranks have reached their end.
  ReplayResult finish();

  // `meeting`: meet() continues.
  enum class Reached { call, meeting, limit, end };
  // Processes at most `most` events, and stops after the first one that enters a call, whose events
  // it reads.
  Reached advance(RankState& me, int most);
  // Processes an event that may wait for another location of the process; returns false if it does.
  // The event may begin a call, which is open then.
  bool meet(RankState& me);
  // Whether the event may wait for anything that came before it in the trace.
  bool is_doubtful(const RankState& me) const {
    return streams_.is_meeting(me, *me.meeting) && streams_.may_wait(me, *me.meeting);
  }
  // The same without waiting, for models that do not relate the locations of a process.
  void pass_meeting(RankState& me);
  // Moves everything that the completions of the call wait for to Call::received; returns false if
  // something has not happened yet.
  bool gather(RankState& me);
  // Whether the call, at its end, waits for something although no event in it shows that.
  bool waits_at_end(const RankState& me);
  // What is not modeled in the call, whose new times are known.
  Doubt doubt(const RankState& me) const { return doubts_.of(me); }
  // Counts a cut event of the call.
  void forget(RankState& me, std::size_t index);
  // Ends the call. Requires the new times of all its events.
  void leave_call(RankState& me);
  // Calls `visit(rank)` for each rank that waited for something that has happened since then.
  template <class Visit>
  void visit_woken(const Visit& visit) {
    for (const TraceRank rank : state_.woken) visit(rank);
    state_.woken.clear();
  }

 private:
  bool is_meeting(const RankState& me, const Event& event) const;
  bool begins_call(const RankState& me, const Event& event) const;
  // Passes an event of a barrier of threads in which they work; returns false if it is none.
  bool pass_barrier(RankState& me, const Event& event);
  bool meet_others(RankState& me, const Event& event);
  void pass(RankState& me, const Event& event);
  void read_call(RankState& me, const Event& enter);
  void continue_barrier(RankState& me, const Event& leave);
  void set_implicit(RankState& me) const;
  bool gather_event(RankState& me, std::size_t index);
  void add_metrics(RankState& me);
  void add_window_wait(const RankState& me, Metric metric);
  void add_causes(const RankState& me);

  ReplayState state_;
  RegionReplay regions_;
  MessageReplay messages_;
  CollectiveReplay collectives_;
  WindowReplay windows_;
  ThreadReplay threads_;
  ThreadWaitReplay thread_waits_;
  TaskReplay tasks_;
  StreamReplay streams_;
  std::optional<ReplayResult> as_recorded_;  // only if events are cut or locks may be reordered
  CallGap call_gap_;
  std::shared_ptr<CallTimeSums> call_times_;
  CompletionOrder order_;
  CallDoubts doubts_;
  // Calls may wait at their end for something that no event in them completes.
  bool waits_without_record_;
};

}  // namespace tutti::studies::replay
