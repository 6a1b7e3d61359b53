// SPDX-License-Identifier: BSD-3-Clause
// The part that all replay models share: events of all ranks, computation under a hypothesis, MPI
// calls, messages and collectives in progress, and metrics. The models (contention_free.cpp,
// on_platform.cpp) compute the times of calls.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/call_gap.hpp"
#include "sim/replay/call_kinds.hpp"
#include "sim/replay/message_waits.hpp"
#include "sim/replay/messages.hpp"
#include "sim/replay/rank_state.hpp"
#include "sim/replay/replay.hpp"
#include "sim/replay/replay_notes.hpp"
#include "sim/replay/rma.hpp"
#include "sim/replay/send_observations.hpp"
#include "sim/replay/teams.hpp"
#include "sim/replay/verdict.hpp"

namespace tutti::studies::replay {

struct HashCollective {
  std::size_t operator()(const CollectiveNumber& number) const {
    return static_cast<std::size_t>((number.number * 0x9e3779b97f4a7c15) ^
                                    (std::uint64_t{number.comm} << 32 | number.alone));
  }
};

class ReplayCore {
 public:
  struct Options {
    // Null: the model decides what sends wait for.
    const WaitRules* rules = nullptr;
    // Gets what the trace shows about these rules; may be null.
    WaitLearner* learner = nullptr;
    // Scans of the trace with the same hypothesis, and without cuts; null: made.
    std::shared_ptr<const TraceScan> scan = {}, uncut = {};
  };
  // All arguments must outlive this object; `sink` may be null.
  ReplayCore(const workloads::traces::Trace& trace, const ReplayArgs& args, ReplaySink* sink,
             const Options& options);

  const workloads::traces::TraceDefinitions& definitions() const { return trace_.definitions; }
  TraceRank ranks() const { return static_cast<TraceRank>(ranks_.size()); }
  RankState& rank(TraceRank rank) { return *ranks_[rank]; }
  const TraceScan& scan() const { return scan_; }
  MemberNumbers& members() { return members_; }
  ReplayResult& result() { return result_; }
  // Call after all ranks have reached their end.
  ReplayResult finish();

  // ---- progress of a rank ----
  // `meeting`: meet() continues.
  enum class Reached { call, meeting, limit, end };
  // Processes at most `most` events; stops after the first one that enters a call, which is read.
  Reached go_on(TraceRank rank, int most);
  // Processes an event that may wait for another location of the process; false if it waits.
  bool meet(TraceRank rank);
  // The same without waiting, for models that do not relate the locations of a process.
  void pass_meeting(TraceRank rank);
  // Requires the new times of all events of the call.
  void leave_call(TraceRank rank);
  // Counts a cut event of the call. Returns the rank, if any, that waits for a message that is now
  // not sent.
  std::optional<TraceRank> forget(TraceRank rank, std::size_t index);

  // ---- messages ----
  void post(TraceRank rank, std::uint64_t request);
  void cancel(TraceRank rank, std::uint64_t request);
  // An event of the call sends a message. `sent_after`: time at which it leaves; `leave_after`: end
  // of the call if it only sends. Returns whether the receiver waits for the message.
  struct Sending {
    Ticks sent_after = 0;
    Ticks leave_after = 0;
  };
  bool send(TraceRank rank, std::size_t index, const Sending& times);
  // Moves everything that the completions of the call wait for to Call::received; false if
  // something has not happened yet.
  bool gather(TraceRank rank);
  // The call does not wait for the receive that it waits for.
  void send_does_not_wait(TraceRank rank);
  // Whether the call, at its end, waits for something although no event in it shows that.
  bool waits_at_end(TraceRank rank) const;
  // The ranks that waited for something that has happened since the last call.
  std::vector<TraceRank> take_woken() { return std::exchange(woken_, {}); }
  void wake(TraceRank rank) { woken_.push_back(rank); }
  Channel& channel(const MessageKey& key) { return channels_.of(key); }

  // ---- collectives ----
  struct Member {
    CollectiveNumber number;
    CollectiveInstance& instance;
    std::uint32_t member;
    bool is_new;  // the rank had not entered before
  };
  // The collective that the event ends; marks the rank as entered.
  Member enter_collective(TraceRank rank, const Event& event);
  // The rank begins a nonblocking one.
  void begin_collective(TraceRank rank, const Event& request);
  // The members of this collective no longer wait for each other.
  void abandon(const CollectiveNumber& number) { instances_[number].is_abandoned = true; }

  // ---- windows ----
  void request_lock(TraceRank rank, const Event& event);
  void count_collective(TraceRank rank, const Event& event) {
    ++ranks_[rank]->collectives[event.comm];
  }

 private:
  bool is_on_platform() const { return options_.rules == nullptr; }
  bool is_beyond() const;
  Ticks arrive(TraceRank rank, Ticks time, std::uint32_t call = workloads::traces::none,
               Ticks added = 0);
  void outside_calls(TraceRank rank, const Event& event);
  static Ticks changed_between(RankState& me, Ticks piece, std::uint32_t from, std::uint32_t to);
  bool enter(TraceRank rank, std::uint32_t region);
  void leave(TraceRank rank, std::uint32_t region);
  void emit(TraceRank rank, Ticks before, Ticks after, bool keeps);
  void read_call(TraceRank rank, Event enter);
  void resize_sends(TraceRank rank);
  bool cuts_here(TraceRank rank, std::uint32_t region);
  bool take_message(TraceRank rank, std::size_t index, Channel& channel);
  void add_metrics(TraceRank rank);
  Causes::Place place_of(const CollectiveInstance& instance, std::uint32_t comm,
                         Causes::Place a_pair) const;
  CollectiveInstance& instance_of(const CollectiveNumber& number, TraceRank rank,
                                  const Event& event);
  void begin_open_collectives(TraceRank rank);
  void post_receives(TraceRank rank);
  bool gather_event(TraceRank rank, std::size_t index);
  bool gather_receive(TraceRank rank, const WaitingSend& send);
  bool gather_collective(TraceRank rank, const Event& event);
  bool gather_epoch(TraceRank rank, const Event& event);
  bool take_epochs(TraceRank rank, std::uint32_t window, std::uint32_t group, Epochs::Kind kind);
  bool gather_lock(TraceRank rank, const Event& event);
  void send_epochs(TraceRank rank, const Event& event, Epochs::Kind kind);
  void release_locks(TraceRank rank);
  void observe_sends(TraceRank rank);
  void add_to_verdict(TraceRank rank);
  bool is_meeting(TraceRank rank, const Event& event) const;
  Received here(TraceRank rank, TraceRank other);
  void fork(TraceRank rank, const Event& event);
  bool begin_in_team(TraceRank rank, const Event& event);
  bool begin_team(TraceRank rank, Ticks time, std::uint32_t team);
  void begin_thread(TraceRank rank, Ticks time, const std::optional<Received>& fork);
  void signal_thread(TraceRank rank, const Event& event);
  bool await_thread(TraceRank rank, const Event& event);
  bool is_of_unrecorded_team(TraceRank rank, const Event& event) const;
  bool is_of_nested_team(TraceRank rank) const;
  bool begin_parallel(TraceRank rank, const Event& event);
  bool end_parallel(TraceRank rank, const Event& event);
  bool end_first_thread(TraceRank rank, Ticks time, const CollectiveNumber& number);
  void wait_for_team(TraceRank rank, Ticks time, const std::pair<Received, Received>& ends);
  void end_in_team(TraceRank rank, const Event& event);
  bool join(TraceRank rank, const Event& event);
  void wait_for(TraceRank rank, PathId path, const Marks& marks, const Times& from,
                const Times& now);
  bool begin_operation(TraceRank rank, const Event& event);
  Ticks operation_begin(const Times& last, const Received& launch, Ticks recorded);
  void end_operation(TraceRank rank);
  void launch(TraceRank rank);
  bool gather_operations(TraceRank rank);
  bool gather_probe(TraceRank rank);
  void set_implicit(TraceRank rank);
  void read_events(RankState& me);
  static void add_event(Call& call, const Event& event);
  void add_idle(TraceRank rank, const Times& from, const Times& to);
  void add_idle_end(TraceRank rank);
  void add_window_wait(TraceRank rank, Metric metric);
  std::shared_ptr<const Marks> marks_if_needed(TraceRank rank, Causes::Place place) {
    return causes_ ? marks(rank, place) : nullptr;
  }
  const std::string& region_name(const Call& call) const {
    return trace_.definitions.regions[call.events.front().id].name;
  }
  const CallKind& kind_of_call(const Call& call) const { return kinds_[call.events.front().id]; }
  std::shared_ptr<const Marks> marks(TraceRank rank, Causes::Place place);
  void add_causes(TraceRank rank);
  void pass(TraceRank rank, PathId path, const Times& ticks);
  void leave_collectives(TraceRank rank);

  struct Span {
    Times enter, leave;
  };

  const workloads::traces::Trace& trace_;
  const ReplayArgs& args_;
  ReplaySink* sink_;
  PartsOfRegions parts_;
  std::shared_ptr<const TraceScan> scanned_;
  const TraceScan& scan_;
  BalanceTargets targets_;
  MemberNumbers members_;
  ReplayResult result_;
  std::optional<ReplayResult> as_recorded_;  // only if events are cut or locks may be reordered
  MessageWaits waits_;
  struct BothCauses {
    Causes before, after;
  };
  std::unique_ptr<BothCauses> causes_;  // null without ReplayArgs::causes
  CallGap call_gap_;
  Options options_;
  WaitRules rules_;
  const std::vector<CallKind>& kinds_;  // by region
  bool tracks_posts_;                   // some sends wait for their receives
  CallTimeSums call_times_;
  std::uint32_t world_;  // the communicator of all ranks
  // Calls may wait at their end for something that no event in them completes.
  bool waits_without_record_;
  bool resizes_;  // message sizes follow a balance
  std::optional<SendObservations> observations_;
  Epochs epochs_;
  Locks locks_;
  Teams teams_;
  ThreadSignals thread_signals_;
  std::vector<TraceRank> woken_;
  std::vector<std::unique_ptr<RankState>> ranks_;
  Channels channels_;
  std::unordered_map<CollectiveNumber, CollectiveInstance, HashCollective> instances_;
  CollectiveMismatches mismatches_;
};

}  // namespace tutti::studies::replay
