// SPDX-License-Identifier: BSD-3-Clause
// Matching of messages and receives.

#include "sim/base/common.hpp"
#include "sim/runtime/protocol_core.hpp"

namespace tutti::runtime {

using platforms::Protocol;

// ---- unexpected messages ----

void ProtocolCore::add_unexpected(MessageId id) {
  unexpected_.append(ranks_[messages_[id].destination].unexpected, id);
  if (messages_[id].is_known()) report_arrivals(id);
}

MessageId ProtocolCore::take_unexpected(RankId rank, MatchKey key) {
  MatchQueue& queue = ranks_[rank].unexpected;
  const MessageId id = unexpected_.take(queue, key);
  if (id == no_record || arrivals_.empty()) return id;
  const auto arrivals = arrivals_.find(rank);
  if (arrivals == arrivals_.end()) return id;
  if (messages_[id].is_known()) arrivals->second.remove(arrival_of(id));
  if (queue.empty()) arrivals_.erase(arrivals);
  return id;
}

Arrivals::Arrival ProtocolCore::arrival_of(MessageId id) const {
  return {.time_s = messages_[id].time_s, .key = messages_[id].key(), .message = id};
}

// Adds the message to the receiver's arrivals, if those are kept; its time of arrival is known now.
void ProtocolCore::report_arrivals(MessageId id) {
  if (arrivals_.empty()) return;
  const auto arrivals = arrivals_.find(messages_[id].destination);
  if (arrivals != arrivals_.end()) arrivals->second.add(arrival_of(id), transport_.now());
}

// The arrivals of a rank with many unexpected messages, kept until it has no more; null if there
// are few.
Arrivals* ProtocolCore::arrivals_of(RankId rank) {
  RankState& receiver = ranks_[rank];
  if (has_any_tag(rank) || !unexpected_.has_many(receiver.unexpected)) return nullptr;
  const auto [arrivals, is_new] = arrivals_.try_emplace(rank, [this, &receiver](MatchKey key) {
    return posted_.find(receiver.posted, key) != no_record;
  });
  if (is_new)
    unexpected_.for_each(receiver.unexpected, [&](MessageId id) {
      if (messages_[id].is_known()) arrivals->second.add(arrival_of(id), transport_.now());
    });
  return &arrivals->second;
}

// ---- matching ----

// Schedules the matching of arrivals for the time `known_s`, at which a message has arrived.
void ProtocolCore::match_after(RankId rank, Seconds known_s) {
  if (known_s < never)
    transport_.at(after_ties(std::max(known_s, transport_.now())),
                  {Event::Kind::match_arrivals, static_cast<std::uint32_t>(rank)});
}

Request ProtocolCore::irecv(RankId rank, RankId from, std::int32_t tag, Slice data) {
  if (pattern_ != nullptr) return pattern_->receive(from, tag, data.bytes);
  if (classes_ != nullptr) {
    const std::uint32_t message = classes_->received[next_receives_[rank]++];
    from = classes_->messages[message].source;
    tag = static_cast<std::int32_t>(message);
  }
  TUTTI_CHECK(from == any_source || (from >= 0 && from < size()),
              fmt::format("rank {} receives from rank {}", rank, from));
  RankState& receiver = ranks_[rank];
  const Request request = new_request(rank, from, tag, data);
  requests_[request.index].post = ++receives_;
  for (Observer* observer : observers_)
    observer->on_request(rank, {request.index, false, {}, from, tag, data});
  for (TimestampObserver* observer : dated_)
    observer->on_receive_posted(rank, request.index, receiver.clock_s);
  if (requests_[request.index].has_wildcard()) ++receiver.wildcards_pending;
  if (tag == any_tag) {
    ++any_tags_[rank];
    arrivals_.erase(rank);
  }
  if (receiver.wildcards_pending > 0) {
    posted_.append(receiver.posted, request.index);
    match_after(rank, earliest_for(rank, {from, tag}));
    return request;
  }
  const MessageId id = take_unexpected(rank, {from, tag});
  if (id == no_record) {
    posted_.append(receiver.posted, request.index);
  } else {
    pair(id, request.index);
  }
  return request;
}

// Offers a new message to its destination, in the order of the sends.
void ProtocolCore::offer(MessageId id) {
  const Message& message = messages_[id];
  RankState& receiver = ranks_[message.destination];
  if (receiver.wildcards_pending > 0) {
    add_unexpected(id);
    if (message.protocol != Protocol::eager)
      transport_.at(message.time_s + tie_window_s,
                    {Event::Kind::match_arrivals, static_cast<std::uint32_t>(message.destination)});
    return;
  }
  const std::uint32_t request = posted_.take(receiver.posted, message.key());
  if (request != no_record) {
    pair(id, request);
  } else if (exchange_accepts(message)) {
    match_in_exchange(id);
  } else {
    add_unexpected(id);
  }
}

void ProtocolCore::pair(MessageId id, std::uint32_t request) {
  Message& message = messages_[id];
  RequestRecord& receive = requests_[request];
  check_room(message, receive.data.bytes);
  message.recv_request = request;
  receive.peer = message.source;
  receive.tag = message.tag;
  receive.message = id;
  for (TimestampObserver* observer : dated_)
    observer->on_match(
        {.message = id, .request = request, .posted_s = receive.time_s, .known_s = message.time_s});
  flow_when_matched(id, receive.time_s);
}

void ProtocolCore::check_room(const Message& message, Bytes room) {
  if (message.bytes > room)
    truncated_.push_back(
        fmt::format("rank {} receives {} bytes from rank {}, tag {}, into a buffer of {} bytes",
                    message.destination, message.bytes, message.source, message.tag, room));
}

// The receive of the message was posted at `posted_s`.
void ProtocolCore::flow_when_matched(MessageId id, Seconds posted_s) {
  const Message& message = messages_[id];
  if (message.protocol == Protocol::eager) {
    if (message.arrived) end_of_message(id);
    return;
  }
  const Seconds L_s = message.latency_s;
  Seconds start_s = std::max(message.time_s, posted_s + L_s);  // detached, or direct
  if (message.protocol == Protocol::rendezvous && !is_direct(message)) {
    start_s = std::max(message.time_s, posted_s) + 2 * L_s +
              protocol(message.intra_node).rendezvous_overhead(message.bytes);
  }
  if (is_in_fragments(message))
    start_s += preparation(message.intra_node,
                           std::min(message.bytes, protocol(message.intra_node).fragment_max));
  transport_.at(start_s + extra_latency(message), {Event::Kind::start_flow, id});
}

bool ProtocolCore::has_arrived(const Message& message) const {
  return message.protocol == Protocol::eager ? message.arrived : message.time_s <= transport_.now();
}

// The first posted receive that accepts a message with this key.
std::uint32_t ProtocolCore::find_posted(RankId rank, MatchKey key) {
  MatchQueue& posted = ranks_[rank].posted;
  const std::uint32_t tagged = posted_.find(posted, key, {any_source, key.tag});
  if (!has_any_tag(rank)) return tagged;
  const std::uint32_t other = posted_.find(posted, {key.source, any_tag}, {any_source, any_tag});
  if (tagged == no_record || other == no_record) return std::min(tagged, other);
  return requests_[tagged].order() < requests_[other].order() ? tagged : other;
}

std::uint32_t ProtocolCore::take_posted(RankId rank, MatchKey key) {
  const std::uint32_t found = find_posted(rank, key);
  if (found == no_record) return no_record;
  const RequestRecord& receive = requests_[found];
  TUTTI_CHECK(posted_.take(ranks_[rank].posted, receive.key()) == found,
              "the first receive with its key");
  if (receive.has_wildcard()) --ranks_[rank].wildcards_pending;
  if (receive.tag == any_tag && --any_tags_[rank] == 0) any_tags_.erase(rank);
  return found;
}

// A receive of any tag accepts the oldest message of a source, of which `arrived` may not be one.
MatchKey ProtocolCore::oldest_of_source(RankId rank, MatchKey arrived) const {
  MatchKey oldest = arrived;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  unexpected_.for_each(ranks_[rank].unexpected, [&](MessageId id) {
    const Message& message = messages_[id];
    if (message.source != arrived.source || message.serial > first) return;
    first = message.serial;
    oldest = message.key();
  });
  return oldest;
}

// Called when some message with this key has arrived: matches the oldest message with the key and
// the first posted receive that accepts it.
void ProtocolCore::pair_when_arrived(RankId rank, MatchKey key) {
  if (has_any_tag(rank) && requests_[find_posted(rank, key)].tag == any_tag)
    if (const MatchKey oldest = oldest_of_source(rank, key); find_posted(rank, oldest) != no_record)
      key = oldest;
  const std::uint32_t request = take_posted(rank, key);
  const MessageId id = take_unexpected(rank, key);
  TUTTI_CHECK(request != no_record && id != no_record,
              "a message and a receive with the key exist");
  pair(id, request);
}

// The earliest arrival among known unexpected messages that match a receive with this key.
Seconds ProtocolCore::earliest_for(RankId rank, MatchKey posted) {
  Arrivals* arrivals = arrivals_of(rank);
  Seconds first_s = never;
  if (posted.tag == any_tag) {
    unexpected_.for_each(ranks_[rank].unexpected, [&](MessageId id) {
      const Message& message = messages_[id];
      if (message.is_known() && (posted.source == any_source || posted.source == message.source))
        first_s = std::min(first_s, message.time_s);
    });
    return first_s;
  }
  if (posted.source == any_source && arrivals != nullptr) {
    arrivals->want_tag(posted.tag);
    return arrivals->earliest_with(posted.tag);
  }
  const auto look_at = [&](MessageId id) {
    if (!messages_[id].is_known()) return;
    if (arrivals != nullptr) arrivals->want(arrival_of(id));
    first_s = std::min(first_s, messages_[id].time_s);
  };
  const MatchQueue& unexpected = ranks_[rank].unexpected;
  if (posted.source != any_source) {
    unexpected_.for_each_of(unexpected, posted, look_at);
  } else {
    unexpected_.for_each(unexpected, [&](MessageId id) {
      if (messages_[id].tag == posted.tag) look_at(id);
    });
  }
  return first_s;
}

// The earliest future arrival of an unexpected message. Eager messages are not included: the end of
// their flow triggers matching.
Seconds ProtocolCore::earliest_to_come(RankId rank) {
  if (Arrivals* arrivals = arrivals_of(rank)) return arrivals->earliest_after(transport_.now());
  Seconds first_s = never;
  unexpected_.for_each(ranks_[rank].unexpected, [&](MessageId id) {
    if (messages_[id].is_known() && !has_arrived(messages_[id]))
      first_s = std::min(first_s, messages_[id].time_s);
  });
  return first_s;
}

// The key of the first arrived message that a posted receive accepts; of simultaneous ones the
// smallest (source, tag).
std::optional<MatchKey> ProtocolCore::first_arrival(RankId rank) {
  if (Arrivals* arrivals = arrivals_of(rank)) return arrivals->first(transport_.now());
  RankState& receiver = ranks_[rank];
  const auto is_wanted = [&](const Message& message) {
    return has_arrived(message) && find_posted(rank, message.key()) != no_record;
  };
  Seconds first_s = never;
  unexpected_.for_each(receiver.unexpected, [&](MessageId id) {
    if (messages_[id].time_s < first_s && is_wanted(messages_[id])) first_s = messages_[id].time_s;
  });
  std::optional<MatchKey> first;
  unexpected_.for_each(receiver.unexpected, [&](MessageId id) {
    const Message& message = messages_[id];
    if (message.time_s > after_ties(first_s) || (first && *first <= message.key())) return;
    if (is_wanted(message)) first = message.key();
  });
  return first;
}

void ProtocolCore::match_arrivals(RankId rank) {
  RankState& receiver = ranks_[rank];
  if (receiver.wildcards_pending == 0) return;
  while (receiver.wildcards_pending > 0) {
    if (const std::optional<MatchKey> first = first_arrival(rank)) {
      pair_when_arrived(rank, *first);
      continue;
    }
    // Schedule only once for the same arrival.
    const Seconds next_s = earliest_to_come(rank);
    if (next_s < never && std::exchange(next_looks_[rank], next_s) != next_s)
      match_after(rank, next_s);
    return;
  }
  next_looks_.erase(rank);
  match_named_receives(rank);
}

// The keys of all pairs of a posted receive and an unexpected message that may match.
std::vector<MatchKey> ProtocolCore::keys_that_may_meet(RankState& receiver) {
  std::vector<MatchKey> keys;
  const bool many_posted = posted_.has_many(receiver.posted);
  const bool many_unexpected = unexpected_.has_many(receiver.unexpected);
  if (many_posted &&
      (!many_unexpected || unexpected_.size(receiver.unexpected) < posted_.size(receiver.posted))) {
    unexpected_.for_each(receiver.unexpected,
                         [&](MessageId id) { keys.push_back(messages_[id].key()); });
  } else {
    posted_.for_each(receiver.posted,
                     [&](std::uint32_t at) { keys.push_back(requests_[at].key()); });
  }
  return keys;
}

// Called when the last receive from any source has matched: the others need not wait for arrivals.
void ProtocolCore::match_named_receives(RankId rank) {
  RankState& receiver = ranks_[rank];
  if (receiver.posted.empty() || receiver.unexpected.empty()) return;
  std::vector<std::pair<std::uint32_t, MessageId>> pairs;
  for (const MatchKey key : keys_that_may_meet(receiver)) {
    if (posted_.find(receiver.posted, key) == no_record) continue;
    if (const MessageId id = take_unexpected(rank, key); id != no_record)
      pairs.emplace_back(posted_.take(receiver.posted, key), id);
  }
  std::sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
    return requests_[a.first].order() < requests_[b.first].order();
  });
  for (const auto& [request, id] : pairs) pair(id, request);
}

// Eager credits: messages wait at their sender for a buffer at their receiver.

using platforms::MessageProtocol;

// False if the message must wait for a buffer.
bool ProtocolCore::takes_credit(MessageId id) {
  if (credits_ == nullptr) return true;
  const Message& message = messages_[id];
  const int credits = protocol(message.intra_node).eager_credits;
  return credits == 0 || credits_->take(message.source, message.destination,
                                        static_cast<std::uint32_t>(credits), id);
}

// Releases the buffer of an arrived message. The result must not depend on the order of
// simultaneous events, so the sender's reaction is delayed to the end of the tie.
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
    for (TimestampObserver* observer : dated_) observer->on_credit(id, ready_s);
    launch_eager(id, ready_s);
  }
}

// Hardware collectives: a rank's n-th call belongs to the other ranks' n-th calls.

namespace {

using Kind = HardwareCall::Kind;

// Whether the result waits only for the root.
bool waits_for_root(const HardwareCall& call) { return call.kind == Kind::bcast; }

// Whether the rank need not wait for the result.
bool goes_on_at_once(const HardwareCall& call, RankId rank) {
  return (call.kind == Kind::bcast && rank == call.root) ||
         (call.kind == Kind::reduce && rank != call.root);
}

}  // namespace

Seconds ProtocolCore::hardware_time(const HardwareCall& call) const {
  if (!timed_) return 0;
  const platforms::HardwareCollectives& hardware = *machine_.hardware;
  if (call.kind == Kind::barrier) return hardware.barrier_s;
  return hardware.latency_s + static_cast<double>(call.recv.bytes) / hardware.bandwidth_Bps;
}

Request ProtocolCore::join_hardware(RankId rank, const HardwareCall& call) {
  needs_time();
  TUTTI_CHECK(machine_.hardware.has_value(), "the machine has no hardware collectives");
  if (hardware_calls_.empty()) hardware_calls_.resize(ranks_.size());
  const std::uint32_t index = hardware_calls_[rank]++;
  HardwareMeeting& meeting = hardware_[index];
  meeting.joined += 1;
  meeting.latest_s = std::max(meeting.latest_s, ranks_[rank].clock_s);
  for (Observer* observer : observers_) observer->on_hardware_join(index, rank, call);

  const Request request = new_request(rank, call.root, 0, call.recv);
  RequestRecord& record = requests_[request.index];
  record.is_send = record.is_hardware = true;
  record.message = index;
  if (goes_on_at_once(call, rank))
    complete(request.index, ranks_[rank].clock_s);
  else if (meeting.is_over)
    complete(request.index, meeting.done_s);
  else
    meeting.waiting.push_back(request.index);

  const bool is_known = waits_for_root(call) ? rank == call.root : meeting.joined == size();
  if (is_known) {
    meeting.done_s =
        (waits_for_root(call) ? ranks_[rank].clock_s : meeting.latest_s) + hardware_time(call);
    transport_.at(meeting.done_s, {Event::Kind::hardware_done, index});
  }
  return request;
}

void ProtocolCore::hardware_done(std::uint32_t index) {
  HardwareMeeting& meeting = hardware_.at(index);
  meeting.is_over = true;
  for (const std::uint32_t request : std::exchange(meeting.waiting, {}))
    complete(request, meeting.done_s);
  if (meeting.left == size()) hardware_.erase(index);
}

void ProtocolCore::charge_hardware(const RequestRecord& request) {
  const Seconds begin_s = ranks_[request.owner].clock_s;
  if (timed_ && request.time_s > begin_s)
    pass(request.owner, Work::hardware, request.time_s - begin_s);
  const std::uint32_t index = request.message;
  for (Observer* observer : observers_)
    observer->on_hardware_result(index, request.owner, request.data);
  HardwareMeeting& meeting = hardware_.at(index);
  if (++meeting.left == size() && meeting.is_over) hardware_.erase(index);
}

}  // namespace tutti::runtime
