// SPDX-License-Identifier: BSD-3-Clause
// Wait states of messages: late senders and late receivers.
#pragma once

#include "sim/replay/messages.hpp"
#include "sim/replay/rank_state.hpp"
#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

class MessageWaits {
 public:
  // Both arguments must outlive this object. `kinds` are those of the calls, by region.
  MessageWaits(const std::vector<CallKind>& kinds, ReplayResult& result)
      : kinds_(kinds), result_(result) {}

  // Notes that the receive of the message was posted at the time `posted`.
  void posted(RankState& sender, const SentMessage& message, const Times& posted);
  // Adds the wait states of the call that the rank leaves.
  void leave(RankState& me);

 private:
  void add_late_receiver(TraceRank sender, PathId path, const Times& enter, const Times& leave,
                         const Times& posted);
  void add_late_receivers(const RankState& me);
  void add_late_senders(RankState& me, Ticks Times::*time);
  void end_sends(RankState& me);
  const CallKind& kind_of(const Call& call) const { return kinds_[call.events.front().id]; }

  const std::vector<CallKind>& kinds_;
  ReplayResult& result_;
};

}  // namespace tutti::studies::replay
