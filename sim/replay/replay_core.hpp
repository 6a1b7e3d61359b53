// SPDX-License-Identifier: BSD-3-Clause
// The part that all replay models share: events of all ranks, computation under a hypothesis, MPI
// calls, messages and collectives in progress, and metrics. The models (contention_free.cpp,
// on_platform.cpp) compute the times of calls.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/message_waits.hpp"
#include "sim/replay/messages.hpp"
#include "sim/replay/rank_state.hpp"
#include "sim/replay/replay.hpp"
#include "sim/replay/replay_notes.hpp"

namespace tutti::studies::replay {

struct HashCollective {
  std::size_t operator()(const CollectiveNumber& number) const {
    return static_cast<std::size_t>((number.number * 0x9e3779b97f4a7c15) ^
                                    (std::uint64_t{number.comm} << 32 | number.alone));
  }
};

class ReplayCore {
 public:
  // All arguments must outlive this object; `sink` may be null. `call_gap`: time of the caller that
  // is removed with a cut call.
  ReplayCore(const workloads::traces::Trace& trace, const ReplayArgs& args, ReplaySink* sink,
             Ticks call_gap);

  const workloads::traces::TraceDefinitions& definitions() const { return trace_.definitions; }
  TraceRank ranks() const { return static_cast<TraceRank>(ranks_.size()); }
  RankState& rank(TraceRank rank) { return *ranks_[rank]; }
  const TraceScan& scan() const { return scan_; }
  MemberNumbers& members() { return members_; }
  ReplayResult& result() { return result_; }
  // Call after all ranks have reached their end.
  ReplayResult finish();

  // ---- progress of a rank ----
  enum class Reached { call, limit, end };
  // Processes at most `most` events; stops after the first one that enters a call, which is read.
  Reached go_on(TraceRank rank, int most);
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
  // Moves all messages of the call to Call::received; false if one is not sent yet.
  bool gather(TraceRank rank);
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
  void count_collective(TraceRank rank, const Event& event) {
    ++ranks_[rank]->collectives[event.comm];
  }

 private:
  bool is_beyond() const;
  Ticks arrive(TraceRank rank, Ticks time, Ticks added = 0);
  void outside_calls(TraceRank rank, const Event& event);
  bool enter(TraceRank rank, std::uint32_t region);
  void emit(TraceRank rank, Ticks before, Ticks after, bool keeps);
  void read_call(TraceRank rank, Event enter);
  void resize_sends(TraceRank rank);
  bool cuts_here(TraceRank rank, std::uint32_t region);
  bool take_message(TraceRank rank, std::size_t index, Channel& channel);
  void add_metrics(TraceRank rank);
  Causes::Place place_of(const CollectiveInstance& instance, std::uint32_t comm,
                         Causes::Place a_pair) const;
  std::shared_ptr<const Marks> marks(TraceRank rank, Causes::Place place);
  void add_causes(TraceRank rank);
  void pass(TraceRank rank, PathId path, const Times& ticks);
  void leave_collectives(TraceRank rank);

  const workloads::traces::Trace& trace_;
  const ReplayArgs& args_;
  ReplaySink* sink_;
  PartsOfRegions parts_;
  TraceScan scan_;
  BalanceTargets targets_;
  MemberNumbers members_;
  ReplayResult result_;
  std::optional<ReplayResult> as_recorded_;  // only if something is cut
  MessageWaits waits_;
  struct BothCauses {
    Causes before, after;
  };
  std::unique_ptr<BothCauses> causes_;  // null without ReplayArgs::causes
  Ticks call_gap_;
  bool resizes_;  // message sizes follow a balance
  std::vector<std::unique_ptr<RankState>> ranks_;
  Channels channels_;
  std::unordered_map<CollectiveNumber, CollectiveInstance, HashCollective> instances_;
  CollectiveMismatches mismatches_;
};

}  // namespace tutti::studies::replay
