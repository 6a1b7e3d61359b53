// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/eager_sends.hpp"

namespace tutti::runtime {

using platforms::MessageProtocol;
using platforms::Protocol;

void EagerSends::launch(MessageId id, Seconds ready_s) {
  const MessageRecord& message = job_.messages[id];
  RankState& sender = job_.ranks[message.source];
  Seconds& free_s = message.intra_node && costs_.has_bus() ? sender.bus_free_s : sender.nic_free_s;
  const Seconds injected_s = std::max(ready_s, free_s);
  free_s = injected_s + message.time_s;
  for (TimestampObserver* observer : job_.timestamp_observers)
    observer->on_injected(id, injected_s);
  if (keeps_order(message)) join_order(id);
  job_.transport.at(injected_s + message.latency_s + costs_.extra_latency(message),
                    {Event::Kind::start_flow, id});
  if (message.send_request != no_record) waits_.complete(message.send_request, ready_s);
}

void EagerSends::on_arrival(MessageId id) {
  const MessageRecord& message = job_.messages[id];
  if (keeps_order(message)) leave_order(id);
  if (credits_ != nullptr) release_credit(message);
}

// ---- the order of messages to one rank ----

// The sender and the receiver as a key; of ranks that represent a class, those of the job. Between
// GPUs, each channel, which is one of a rank's concurrent programs (View::world_tag), has an order
// of its own, because it copies its messages one after the other.
std::uint64_t EagerSends::pair_of_ranks(const MessageRecord& message) const {
  if (job_.classes != nullptr)
    return job_.classes->messages[static_cast<std::size_t>(message.tag)].pair;
  std::uint64_t to = static_cast<std::uint32_t>(message.destination);
  if (job_.machine.intra_node == platforms::IntraNode::devices) {
    constexpr int rank_bits = 21, tag_bits = 20;
    TUTTI_CHECK(to >> rank_bits == 0, "too many GPUs");
    const auto program = static_cast<std::uint32_t>(message.tag) >> tag_bits;
    to |= std::uint64_t{program} << rank_bits & 0xffffffff;
  }
  return std::uint64_t{static_cast<std::uint32_t>(message.source)} << 32 | to;
}

void EagerSends::join_order(MessageId id) {
  const std::uint64_t pair = pair_of_ranks(job_.messages[id]);
  const MessageId before = last_to_.put(PairIndex::hash(pair), id, [&](MessageId other) {
    return pair_of_ranks(job_.messages[other]) == pair;
  });
  if (before == no_record) return;
  job_.messages[before].follower = id;
  job_.messages[id].follows = true;
}

bool EagerSends::must_wait(MessageId id) {
  MessageRecord& message = job_.messages[id];
  if (message.follows) message.due = true;
  return message.follows;
}

// Lets the next message to that rank flow after its latency.
void EagerSends::leave_order(MessageId id) {
  const MessageId next = job_.messages[id].follower;
  if (next == no_record) {
    last_to_.remove(PairIndex::hash(pair_of_ranks(job_.messages[id])), id);
    return;
  }
  job_.messages[next].follows = false;
  if (job_.messages[next].due)
    job_.transport.at(job_.transport.now(), {Event::Kind::start_flow, next});
}

// ---- credits ----

// False if the message must wait for a buffer.
bool EagerSends::takes_credit(MessageId id) {
  if (credits_ == nullptr) return true;
  const MessageRecord& message = job_.messages[id];
  const int credits = costs_.protocol(message).eager_credits;
  return credits == 0 || credits_->take(message.source, message.destination,
                                        static_cast<std::uint32_t>(credits), id);
}

// Releases the buffer of an arrived message. The result must not depend on the order of
// simultaneous events, so the sender's reaction is delayed to the end of the tie.
void EagerSends::release_credit(const MessageRecord& message) {
  const MessageProtocol& costs = costs_.protocol(message);
  if (message.protocol != Protocol::eager || costs.eager_credits == 0) return;
  const RankId receiver = message.destination;
  Seconds taken_s = credits_->works_at(receiver, message.time_s, job_.ranks[receiver].clock_s) +
                    costs.recv_overhead(message.bytes);
  if (costs.copy_Bps) taken_s += static_cast<double>(message.bytes) / *costs.copy_Bps;
  const EagerCredits::Return credit{
      .source = message.source, .destination = receiver, .date_s = taken_s + message.latency_s};
  job_.transport.at(after_ties(credit.date_s), {Event::Kind::credit, credits_->announce(credit)});
}

void EagerSends::return_credit(std::uint32_t index) {
  for (const EagerCredits::Return& credit : credits_->arrived(index)) {
    const MessageId id = credits_->pass_on(credit);
    if (id == no_record) continue;
    const Seconds ready_s =
        credits_->works_at(credit.source, credit.date_s, job_.ranks[credit.source].clock_s);
    for (TimestampObserver* observer : job_.timestamp_observers) observer->on_credit(id, ready_s);
    launch(id, ready_s);
  }
}

}  // namespace tutti::runtime
