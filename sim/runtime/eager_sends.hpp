// SPDX-License-Identifier: BSD-3-Clause
// Eager messages from their send until they leave the NIC: they wait for a buffer at the receiver
// (a credit), for the NIC or the memory bus, and, with mpi/nic_order = shared, for the previous
// eager message to the same rank.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/eager_credits.hpp"
#include "sim/runtime/job_state.hpp"
#include "sim/runtime/message_costs.hpp"
#include "sim/runtime/pair_index.hpp"
#include "sim/runtime/waits.hpp"

namespace tutti::runtime {

class EagerSends {
 public:
  // `credits` is null if buffers are unlimited.
  EagerSends(JobState& job, const MessageCosts& costs, EagerCredits* credits, Waits& waits)
      : job_(job), costs_(costs), credits_(credits), waits_(waits) {}

  // The sender's overhead ends at `ready_s`. Schedules the flow of the message and completes its
  // send, unless the message must wait for a credit.
  void send(MessageId id, Seconds ready_s) {
    if (takes_credit(id)) launch(id, ready_s);
  }
  // Whether the flow of a message must wait for the previous one to the same rank; then the event
  // start_flow is scheduled again.
  bool must_wait(MessageId id);
  // Releases the place in the order and the buffer of a message that has arrived.
  void on_arrival(MessageId id);
  // Handles the event credit.
  void return_credit(std::uint32_t credit);
  // Prefetches data for `on_arrival`.
  void prefetch(const MessageRecord& message) const {
    if (keeps_order(message)) last_to_.prefetch(PairIndex::hash(pair_of_ranks(message)));
  }

 private:
  bool takes_credit(MessageId id);
  void release_credit(const MessageRecord& message);
  void launch(MessageId id, Seconds ready_s);
  bool keeps_order(const MessageRecord& message) const {
    return message.protocol == platforms::Protocol::eager &&
           costs_.protocol(message).nic_order == platforms::NicOrder::shared;
  }
  std::uint64_t pair_of_ranks(const MessageRecord& message) const;
  void join_order(MessageId id);
  void leave_order(MessageId id);

  JobState& job_;
  const MessageCosts& costs_;
  EagerCredits* credits_;
  Waits& waits_;
  PairIndex last_to_;  // the last message in flight from one rank to another that keeps the order
};

}  // namespace tutti::runtime
