// SPDX-License-Identifier: BSD-3-Clause
// What the non-blocking receives of a rank get, as they are posted: a trace tells it where they
// complete, so it is read ahead until then.
#pragma once

#include <deque>
#include <optional>

#include "sim/replay/event_reading.hpp"
#include "sim/replay/receive_order.hpp"

namespace tutti::studies::replay {

class ReceivesAhead {
 public:
  ReceivesAhead(const workloads::traces::Trace& trace, TraceRank rank)
      : events_(trace.events, rank), rank_(rank) {}

  struct Receive {
    MessageKey key;
    std::uint64_t number = 0;  // of the messages of that key
    std::uint64_t bytes = 0;
  };
  // Of the rank's next event of kind irecv_request; nothing: it never completes.
  std::optional<Receive> next() {
    while (!is_over_ && (asked_.empty() || !is_placed(asked_.front()))) read();
    const std::uint64_t post = asked_.front();
    asked_.pop_front();
    while (!placed_.empty() && placed_.front().post < post) placed_.pop_front();
    if (placed_.empty() || placed_.front().post != post) return std::nullopt;
    return Receive{placed_.front().key, placed_.front().number, placed_.front().note};
  }

 private:
  // All that was posted before is placed, or will never be.
  bool is_placed(std::uint64_t post) const { return order_.first_waiting() > post; }

  void read() {
    const Event* event = events_.next();
    if (event == nullptr) {
      is_over_ = true;
      order_.finish();
    } else {
      if (event->kind == EventKind::irecv_request) asked_.push_back(order_.posts());
      order_.take(rank_, *event, event->bytes);
    }
    order_.each_placed([&](const ReceiveOrder::Placed& each) { placed_.push_back(each); });
  }

  EventReading events_;
  TraceRank rank_;
  ReceiveOrder order_;
  std::deque<std::uint64_t> asked_;  // places of the posts that were read and not asked for yet
  std::deque<ReceiveOrder::Placed> placed_;
  bool is_over_ = false;
};

}  // namespace tutti::studies::replay
