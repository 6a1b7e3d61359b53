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
  explicit MessageMatching(std::size_t ranks) : orders_(ranks) {}

  // Processes an event of a rank, in the order of the rank. `note` belongs to this event if it is a
  // send or completes a receive. Calls `meet(key, note of the send, note of the receive)`.
  template <class Meet>
  void take(TraceRank rank, const Event& event, std::uint64_t note, const Meet& meet) {
    ReceiveOrder& order = orders_[rank];
    switch (event.kind) {
      case EventKind::send:
      case EventKind::isend:
        return join(key_of(rank, event), note, true, meet);
      case EventKind::irecv_request:
        return order.post(event.request);
      case EventKind::request_cancelled:
        order.cancel(event.request);
        break;
      case EventKind::irecv:
        if (!order.complete(event.request, key_of(rank, event), note))
          order.receive(key_of(rank, event), note);
        break;
      case EventKind::recv:
        order.receive(key_of(rank, event), note);
        break;
      default:
        return;
    }
    place(order, meet);
  }

  // Call after all events. `lost(key, note, is_send)` is called for each unmatched half.
  template <class Meet, class Lost>
  void finish(const Meet& meet, const Lost& lost) {
    for (ReceiveOrder& order : orders_) {
      order.finish();
      place(order, meet);
    }
    for (const auto& [key, halves] : waiting_)
      for (const std::uint64_t note : halves.notes) lost(key, note, halves.are_sent);
  }

 private:
  struct Halves {
    bool are_sent = false;  // otherwise received
    std::deque<std::uint64_t> notes;
  };

  template <class Meet>
  void place(ReceiveOrder& order, const Meet& meet) {
    order.each_placed(
        [&](const ReceiveOrder::Placed& placed) { join(placed.key, placed.note, false, meet); });
  }

  template <class Meet>
  void join(const MessageKey& key, std::uint64_t note, bool is_sent, const Meet& meet) {
    Halves& halves = waiting_[key];
    if (halves.notes.empty() || halves.are_sent == is_sent) {
      halves.are_sent = is_sent;
      halves.notes.push_back(note);
      return;
    }
    const std::uint64_t other = halves.notes.front();
    halves.notes.pop_front();
    if (is_sent)
      meet(key, note, other);
    else
      meet(key, other, note);
  }

  std::vector<ReceiveOrder> orders_;
  ByMessageKey<Halves> waiting_;
};

}  // namespace tutti::studies::replay
