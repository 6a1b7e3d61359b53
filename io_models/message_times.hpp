// SPDX-License-Identifier: BSD-3-Clause
// When each message of the shuffle is on its way: what carries over from one cycle to the next.
#pragma once

#include "io_models/shuffle.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/observer.hpp"

namespace tutti::io_models {

struct MessageTime {
  Seconds sent_s = 0;
  // Its receiver's node knows of it, or has it (eager): until then it moves by itself.
  Seconds settled_s = 0;
  Seconds taken_s = 0;  // the receive was posted
  Seconds over_s = 0;   // the data are there
};

class MessageTimes : public runtime::TimestampObserver {
 public:
  // Both outlive it. 36 bytes a message.
  explicit MessageTimes(const ShuffleJob& job);

  // As Legs::of_aggregator.
  std::span<const MessageTime> of_aggregator(int aggregator) const;

  void on_sent(const runtime::TimedMessage& message) override;
  void on_match(const runtime::Match& match) override;
  void on_flow_end(runtime::MessageId id, Seconds date_s) override;

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t place_of(const runtime::TimedMessage& message) const;
  MessageTime* entry_of(runtime::MessageId id);

  const ShuffleJob& job_;
  std::vector<std::size_t> first_;  // by aggregator, into dates_; one more
  std::vector<MessageTime> times_;
  std::vector<std::size_t> places_;  // by message under way, into dates_
};

}  // namespace tutti::io_models
