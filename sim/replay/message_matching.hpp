// SPDX-License-Identifier: BSD-3-Clause
// Matches the send and the receive of each message, whichever is read first.
#pragma once

#include <deque>

#include "sim/base/common.hpp"
#include "sim/replay/receive_order.hpp"

namespace tutti::studies::replay {

// Each half is represented by a note of the reader. Memory is used only for unmatched halves.
class MessageMatching {
 public:
  // Receives the notes of the send and of the receive of a matched message.
  using Meet = std::function<void(const MessageKey&, std::uint64_t sent, std::uint64_t received)>;

  MessageMatching(std::size_t ranks, Meet meet) : orders_(ranks), meet_(std::move(meet)) {}

  // Processes an event of a rank, in the order of the rank. `note` belongs to this event if it is a
  // send or completes a receive.
  void take(TraceRank rank, const Event& event, std::uint64_t note) {
    if (event.kind == EventKind::send || event.kind == EventKind::isend)
      return join(key_of(rank, event), note, true);
    orders_[rank].take(rank, event, note);
    place(orders_[rank]);
  }

  // Ends the receives in progress, which never complete. Call it after all events.
  void finish() {
    for (ReceiveOrder& order : orders_) {
      order.finish();
      place(order);
    }
  }

 private:
  struct Halves {
    bool are_sent = false;  // otherwise received
    std::deque<std::uint64_t> notes;
  };

  void place(ReceiveOrder& order) {
    order.each_placed(
        [&](const ReceiveOrder::Placed& placed) { join(placed.key, placed.note, false); });
  }

  void join(const MessageKey& key, std::uint64_t note, bool is_sent) {
    Halves& halves = waiting_[key];
    if (halves.notes.empty() || halves.are_sent == is_sent) {
      halves.are_sent = is_sent;
      halves.notes.push_back(note);
      return;
    }
    const std::uint64_t other = halves.notes.front();
    halves.notes.pop_front();
    meet_(key, is_sent ? note : other, is_sent ? other : note);
  }

  std::vector<ReceiveOrder> orders_;
  ByMessageKey<Halves> waiting_;
  Meet meet_;
};

}  // namespace tutti::studies::replay
