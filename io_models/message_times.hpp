// SPDX-License-Identifier: BSD-3-Clause
// Timestamps of each shuffle message, to detect what carries over from one cycle to the next.
#pragma once

#include "io_models/shuffle.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/observer.hpp"

namespace tutti::io_models {

struct MessageTime {
  Seconds sent_s = 0;
  // The receiver's node has been notified, or has the data (eager); until then, the message
  // proceeds on its own.
  Seconds settled_s = 0;
  Seconds taken_s = 0;  // the receive was posted
  Seconds over_s = 0;   // the data have arrived
};

class MessageTimes : public runtime::TimestampObserver {
 public:
  // `job` must outlive the object. 36 bytes per message.
  explicit MessageTimes(const ShuffleJob& job);

  // The times of the messages of Legs::of_aggregator.
  std::span<const MessageTime> of_aggregator(int aggregator) const;

  void on_sent(const runtime::TimedMessage& message) override;
  void on_match(const runtime::Match& match) override;
  void on_flow_end(runtime::MessageId id, Seconds date_s) override;

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t place_of(const runtime::TimedMessage& message) const;
  MessageTime* entry_of(runtime::MessageId id);

  const ShuffleJob& job_;
  std::vector<std::size_t> first_;  // by aggregator, into times_; one extra entry
  std::vector<MessageTime> times_;
  std::vector<std::size_t> places_;  // by message in flight, into times_
};

}  // namespace tutti::io_models
