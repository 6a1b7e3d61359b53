// SPDX-License-Identifier: BSD-3-Clause
// Which receive gets which message.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/base/check.hpp"
#include "sim/runtime/protocol_core.hpp"

namespace tutti::runtime {

using platforms::Protocol;

// Looks again when the first of the unexpected messages for which `counts` holds is known to have
// arrived. (The end of an eager flow looks by itself.)
template <class Counts>
void ProtocolCore::schedule_match(RankId rank, Counts counts) {
  Seconds next_s = std::numeric_limits<double>::infinity();
  for (std::uint32_t id = ranks_[rank].unexpected.head; id != no_record; id = messages_[id].next) {
    const Message& message = messages_[id];
    if ((message.protocol != Protocol::eager || message.arrived) && counts(message))
      next_s = std::min(next_s, message.time_s);
    if (next_s <= transport_.now()) break;  // at once, whatever the others are
  }
  if (next_s < std::numeric_limits<double>::infinity())
    transport_.at(after_ties(std::max(next_s, transport_.now())),
                  {Event::Kind::match_arrivals, static_cast<std::uint32_t>(rank)});
}

Request ProtocolCore::irecv(RankId rank, RankId from, std::int32_t tag, Slice data) {
  TUTTI_CHECK(from == any_source || (from >= 0 && from < size()),
              fmt::format("rank {} receives from rank {}", rank, from));
  RankState& receiver = ranks_[rank];
  const Request request = new_request(rank, from, tag, data);
  for (DatedObserver* observer : dated_) observer->on_receive_posted(rank, request.index);
  if (from == any_source) ++receiver.any_source_pending;
  if (receiver.any_source_pending > 0) {
    append(receiver.posted, requests_, request.index);
    schedule_match(rank, [&](const Message& message) {
      return (from == any_source || message.source == from) && message.tag == tag;
    });
    return request;
  }
  const MessageId id = extract_first(receiver.unexpected, messages_, [&](const Message& message) {
    return message.source == from && message.tag == tag;
  });
  if (id == no_record) {
    append(receiver.posted, requests_, request.index);
  } else {
    pair(id, request.index);
  }
  return request;
}

// The destination learns of a new message, in the order of the sends.
void ProtocolCore::offer(MessageId id) {
  const Message& message = messages_[id];
  RankState& receiver = ranks_[message.destination];
  if (receiver.any_source_pending > 0) {
    append(receiver.unexpected, messages_, id);
    if (message.protocol != Protocol::eager)
      transport_.at(message.time_s + tie_window_s,
                    {Event::Kind::match_arrivals, static_cast<std::uint32_t>(message.destination)});
    return;
  }
  const std::uint32_t request =
      extract_first(receiver.posted, requests_, [&](const RequestRecord& posted) {
        return posted.peer == message.source && posted.tag == message.tag;
      });
  if (request == no_record) {
    append(receiver.unexpected, messages_, id);
  } else {
    pair(id, request);
  }
}

void ProtocolCore::pair(MessageId id, std::uint32_t request) {
  Message& message = messages_[id];
  RequestRecord& receive = requests_[request];
  if (message.bytes > receive.data.bytes)
    truncated_.push_back(
        fmt::format("rank {} receives {} bytes from rank {}, tag {}, into a buffer of {} bytes",
                    receive.owner, message.bytes, message.source, message.tag, receive.data.bytes));
  message.recv_request = request;
  receive.peer = message.source;
  receive.message = id;
  for (DatedObserver* observer : dated_)
    observer->on_match(
        {.message = id, .request = request, .posted_s = receive.time_s, .known_s = message.time_s});
  if (message.protocol == Protocol::eager) {
    if (message.arrived) end_of_message(id);
    return;
  }
  const Seconds L_s = message.latency_s;
  Seconds start_s = std::max(message.time_s, receive.time_s + L_s);  // detached
  if (message.protocol == Protocol::rendezvous)
    start_s = std::max(message.time_s, receive.time_s) + 2 * L_s +
              protocol(message.intra_node).rendezvous_overhead(message.bytes);
  transport_.at(start_s, {Event::Kind::start_flow, id});
}

bool ProtocolCore::has_arrived(const Message& message) const {
  return message.protocol == Protocol::eager ? message.arrived : message.time_s <= transport_.now();
}

// Some message with this key has arrived: the oldest message with the key takes the first posted
// receive that accepts it.
void ProtocolCore::pair_when_arrived(RankId rank, RankId source, std::int32_t tag) {
  RankState& receiver = ranks_[rank];
  const std::uint32_t request =
      extract_first(receiver.posted, requests_, [&](const RequestRecord& posted) {
        return (posted.peer == any_source || posted.peer == source) && posted.tag == tag;
      });
  if (request == no_record) return;
  const MessageId id = extract_first(receiver.unexpected, messages_, [&](const Message& message) {
    return message.source == source && message.tag == tag;
  });
  if (requests_[request].peer == any_source) --receiver.any_source_pending;
  pair(id, request);
}

// The message that has arrived first of those that a posted receive accepts; of several at one time
// that with the smallest (source, tag). none if there is no such message.
MessageId ProtocolCore::first_arrival(RankId rank) const {
  const RankState& receiver = ranks_[rank];
  const auto is_wanted = [&](const Message& message) {
    if (!has_arrived(message)) return false;
    for (std::uint32_t i = receiver.posted.head; i != no_record; i = requests_[i].next)
      if ((requests_[i].peer == any_source || requests_[i].peer == message.source) &&
          requests_[i].tag == message.tag)
        return true;
    return false;
  };
  Seconds first_s = std::numeric_limits<double>::infinity();
  for (std::uint32_t id = receiver.unexpected.head; id != no_record; id = messages_[id].next)
    if (messages_[id].time_s < first_s && is_wanted(messages_[id])) first_s = messages_[id].time_s;
  MessageId first = no_record;
  for (std::uint32_t id = receiver.unexpected.head; id != no_record; id = messages_[id].next) {
    const Message& message = messages_[id];
    if (message.time_s > after_ties(first_s) || !is_wanted(message)) continue;
    if (first == no_record || std::pair(message.source, message.tag) <
                                  std::pair(messages_[first].source, messages_[first].tag))
      first = id;
  }
  return first;
}

void ProtocolCore::match_arrivals(RankId rank) {
  RankState& receiver = ranks_[rank];
  while (receiver.any_source_pending > 0) {
    const MessageId first = first_arrival(rank);
    if (first == no_record) {
      schedule_match(rank, [&](const Message& message) { return !has_arrived(message); });
      return;
    }
    pair_when_arrived(rank, messages_[first].source, messages_[first].tag);
  }
  match_named_receives(rank);
}

// The last receive from any source is gone: the named ones need not wait for arrivals any more.
void ProtocolCore::match_named_receives(RankId rank) {
  RankState& receiver = ranks_[rank];
  IndexList unmatched = std::exchange(receiver.posted, {});
  while (!unmatched.empty()) {
    const std::uint32_t request =
        extract_first(unmatched, requests_, [](const RequestRecord&) { return true; });
    const RequestRecord& posted = requests_[request];
    const MessageId id = extract_first(receiver.unexpected, messages_, [&](const Message& message) {
      return message.source == posted.peer && message.tag == posted.tag;
    });
    if (id == no_record) {
      append(receiver.posted, requests_, request);
    } else {
      pair(id, request);
    }
  }
}

}  // namespace tutti::runtime
