// SPDX-License-Identifier: BSD-3-Clause
// Wait states of messages: late senders and late receivers.
#pragma once

#include "sim/replay/messages.hpp"
#include "sim/replay/rank_state.hpp"

namespace tutti::studies::replay {

class MessageWaits {
 public:
  // All arguments must outlive this object.
  MessageWaits(const workloads::traces::TraceDefinitions& definitions, MetricTable& before,
               MetricTable& after)
      : definitions_(definitions), before_(before), after_(after) {}

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
  const std::string& region_of(const Call& call) const {
    return definitions_.regions[call.events.front().id].name;
  }

  const workloads::traces::TraceDefinitions& definitions_;
  MetricTable& before_;
  MetricTable& after_;
};

}  // namespace tutti::studies::replay
