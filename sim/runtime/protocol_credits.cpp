// SPDX-License-Identifier: BSD-3-Clause
// Eager messages that wait at their sender for a buffer at their receiver.
#include "sim/runtime/protocol_core.hpp"

namespace tutti::runtime {

using platforms::MessageProtocol;

// False: the message waits for a buffer.
bool ProtocolCore::takes_credit(MessageId id) {
  if (credits_ == nullptr) return true;
  const Message& message = messages_[id];
  const int credits = protocol(message.intra_node).eager_credits;
  return credits == 0 || credits_->take(message.source, message.destination,
                                        static_cast<std::uint32_t>(credits), id);
}

// The message has arrived. An end that waits at the same time as others must not depend on their
// order: what the sender has to do waits for the end of the tie.
void ProtocolCore::release_credit(const Message& message) {
  const MessageProtocol& costs = protocol(message.intra_node);
  if (message.protocol != platforms::Protocol::eager || costs.eager_credits == 0) return;
  const RankId receiver = message.destination;
  Seconds taken_s = credits_->works_at(receiver, message.time_s, ranks_[receiver].clock_s) +
                    costs.recv_overhead(message.bytes);
  if (costs.copy_Bps) taken_s += static_cast<double>(message.bytes) / *costs.copy_Bps;
  const EagerCredits::Return credit{
      .source = message.source, .destination = receiver, .date_s = taken_s + message.latency_s};
  transport_.at(after_ties(credit.date_s), {Event::Kind::credit, credits_->announce(credit)});
}

void ProtocolCore::credit_returned(std::uint32_t index) {
  for (const EagerCredits::Return& credit : credits_->arrived(index)) {
    const MessageId id = credits_->pass_on(credit);
    if (id == no_record) continue;
    const Seconds ready_s =
        credits_->works_at(credit.source, credit.date_s, ranks_[credit.source].clock_s);
    for (DatedObserver* observer : dated_) observer->on_credit(id, ready_s);
    launch_eager(id, ready_s);
  }
}

}  // namespace tutti::runtime
