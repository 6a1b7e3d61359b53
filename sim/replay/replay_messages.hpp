// SPDX-License-Identifier: BSD-3-Clause
// Point-to-point messages in a replay: the messages in flight, the posts that sends and probes wait
// for, and the wait states of both sides.
#pragma once

#include "sim/replay/message_waits.hpp"
#include "sim/replay/messages.hpp"
#include "sim/replay/replay_state.hpp"

namespace tutti::studies::replay {

class MessageReplay {
 public:
  // The state must outlive this object.
  explicit MessageReplay(ReplayState& state);

  Channel& channel(const MessageKey& key) { return channels_.of(key); }
  // The number of the message that the rank's next completing receive gets from the channel.
  std::uint64_t next_number(const RankState& me, const Channel& channel) const;

  // ---- begin of a call ----
  // Marks the messages and collectives of the call that the hypothesis cuts, or the entire call if
  // it does only that.
  void mark_cuts(RankState& me);
  // Changes the sizes of the messages that the call sends, if they follow a balance.
  void resize_sends(RankState& me);
  // Posts the receives of the call for the sends that wait for them, if sends may wait.
  void post_receives(RankState& me);

  // ---- events of a call ----
  // Posts a nonblocking receive.
  static void post(RankState& me, std::uint64_t request);
  static void cancel(RankState& me, std::uint64_t request);
  struct SendTimes {
    Ticks sent = 0;   // the new time at which the message leaves
    Ticks leave = 0;  // the new end of the call if it only sends
  };
  // Sends the message of an event, and wakes a receiver that waits for it.
  void send(RankState& me, std::size_t index, const SendTimes& times);
  // Counts a cut event, and wakes the rank that waits for a message that is now not sent.
  void forget(RankState& me, std::size_t index);
  // Takes the message of a receive event into Call::received; returns false if it is not sent yet.
  bool gather_message(RankState& me, std::size_t index);
  // A nonblocking send completes, so that the call waits for its receive if the send does.
  static void complete_send(RankState& me, const Event& event);
  // Takes the posts that the sends of the call wait for into Call::received; returns false if one
  // has not happened yet.
  bool gather_posts(RankState& me);
  // The same for the message that a probe waits for: the one that the rank receives next.
  bool gather_probe(RankState& me);
  // Ends the wait of the call for the post that it waits for now.
  void send_does_not_wait(RankState& me);

  // ---- end of a call ----
  // Passes the sends of the call on to the learner, if there is one.
  void observe_sends(RankState& me);
  // Adds the wait states of the call, whose new times are known.
  void leave_call(RankState& me) { waits_.leave(me); }

 private:
  ReceivesAhead& ahead(RankState& me) const;
  bool take_message(RankState& me, std::size_t index, Channel& channel);

  ReplayState& state_;
  Channels channels_;
  MessageWaits waits_;
  std::optional<SendObservations> observations_;  // only with a learner
  bool tracks_posts_;                             // some sends wait for their receives
  bool resizes_;                                  // message sizes follow a balance
};

}  // namespace tutti::studies::replay
