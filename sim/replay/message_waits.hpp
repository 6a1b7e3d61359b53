// SPDX-License-Identifier: BSD-3-Clause
// Wait states of messages: late senders and late receivers.
#pragma once

#include "sim/replay/messages.hpp"
#include "sim/replay/rank_state.hpp"

namespace tutti::studies::replay {

class MessageWaits {
 public:
  // All arguments must outlive this object.
  // `kinds`: by region.
  MessageWaits(const std::vector<CallKind>& kinds, MetricTable& before, MetricTable& after)
      : kinds_(kinds), before_(before), after_(after) {}

  // The receive of the message was posted at the time `posted`.
  void posted(RankState& sender, TraceRank rank, const SentMessage& message, const Times& posted);
  // The rank leaves its call.
  void leave(RankState& me, TraceRank rank);

 private:
  struct Span {
    Times enter, leave;
  };
  static Span span_of(const Call& call);
  void add_late_receiver(TraceRank sender, PathId path, const Span& call, const Times& posted);
  void add_late_receivers(RankState& me, TraceRank rank);
  void add_late_senders(RankState& me, TraceRank rank, Ticks Times::*which);
  void end_sends(RankState& me, TraceRank rank);
  const CallKind& kind_of(const Call& call) const { return kinds_[call.events.front().id]; }

  const std::vector<CallKind>& kinds_;
  MetricTable& before_;
  MetricTable& after_;
};

}  // namespace tutti::studies::replay
