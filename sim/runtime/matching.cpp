// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/matching.hpp"

namespace tutti::runtime {

using platforms::Protocol;

MessageId Matching::post(std::uint32_t request) {
  RequestRecord& receive = job_.requests[request];
  const RankId rank = receive.owner;
  RankState& receiver = job_.ranks[rank];
  receive.post = ++receives_;
  if (receive.has_wildcard()) ++receiver.wildcards_pending;
  if (receive.tag == any_tag) {
    ++any_tags_[rank];
    arrivals_.erase(rank);
  }
  if (is_delayed(rank)) {
    posted_.append(receiver.posted, request);
    match_after(rank, find_earliest_for(rank, receive.key()));
    return no_record;
  }
  const MessageId id = take_unexpected(rank, receive.key());
  if (id == no_record) posted_.append(receiver.posted, request);
  return id;
}

void Matching::delay(MessageId id) {
  add_unexpected(id);
  const MessageRecord& message = job_.messages[id];
  if (message.protocol != Protocol::eager)
    job_.schedule(message.time_s + tie_window_s, Event::Kind::match_arrivals, message.destination);
}

// ---- unexpected messages and their arrivals ----

void Matching::add_unexpected(MessageId id) {
  const MessageRecord& message = job_.messages[id];
  unexpected_.append(job_.ranks[message.destination].unexpected, id);
  if (message.is_known()) report_arrival(id);
}

MessageId Matching::take_unexpected(RankId rank, MatchKey key) {
  MatchQueue& queue = job_.ranks[rank].unexpected;
  const MessageId id = unexpected_.take(queue, key);
  if (id == no_record || arrivals_.empty()) return id;
  const auto arrivals = arrivals_.find(rank);
  if (arrivals == arrivals_.end()) return id;
  if (job_.messages[id].is_known()) arrivals->second.remove(make_arrival(id));
  if (queue.empty()) arrivals_.erase(arrivals);
  return id;
}

void Matching::on_arrival(MessageId id) {
  report_arrival(id);
  const MessageRecord& message = job_.messages[id];
  if (is_delayed(message.destination)) match_after(message.destination, message.time_s);
}

bool Matching::has_arrived(const MessageRecord& message) const {
  return message.protocol == Protocol::eager ? message.arrived
                                             : message.time_s <= job_.transport.now();
}

Arrivals::Arrival Matching::make_arrival(MessageId id) const {
  const MessageRecord& message = job_.messages[id];
  return {.time_s = message.time_s, .key = message.key(), .message = id};
}

// Adds the message to the receiver's arrivals, if those are kept; its time of arrival is known now.
void Matching::report_arrival(MessageId id) {
  if (arrivals_.empty()) return;
  const auto arrivals = arrivals_.find(job_.messages[id].destination);
  if (arrivals != arrivals_.end()) arrivals->second.add(make_arrival(id), job_.transport.now());
}

// The arrivals of a rank with many unexpected messages, kept until it has no more; null if there
// are few.
Arrivals* Matching::find_arrivals(RankId rank) {
  RankState& receiver = job_.ranks[rank];
  if (has_any_tag(rank) || !unexpected_.has_many(receiver.unexpected)) return nullptr;
  const auto [arrivals, is_new] = arrivals_.try_emplace(rank, [this, &receiver](MatchKey key) {
    return posted_.find(receiver.posted, key) != no_record;
  });
  if (is_new)
    unexpected_.for_each(receiver.unexpected, [&](MessageId id) {
      if (job_.messages[id].is_known())
        arrivals->second.add(make_arrival(id), job_.transport.now());
    });
  return &arrivals->second;
}

// ---- receives with wildcards ----

// Schedules the matching of arrivals for the time `known_s`, at which a message has arrived.
void Matching::match_after(RankId rank, Seconds known_s) {
  if (known_s < never)
    job_.schedule(after_ties(std::max(known_s, job_.transport.now())), Event::Kind::match_arrivals,
                  rank);
}

// The first posted receive that accepts a message with this key.
std::uint32_t Matching::find_posted(RankId rank, MatchKey key) {
  MatchQueue& posted = job_.ranks[rank].posted;
  const std::uint32_t tagged = posted_.find(posted, key, {any_source, key.tag});
  if (!has_any_tag(rank)) return tagged;
  const std::uint32_t other = posted_.find(posted, {key.source, any_tag}, {any_source, any_tag});
  if (tagged == no_record || other == no_record) return std::min(tagged, other);
  return job_.requests[tagged].order() < job_.requests[other].order() ? tagged : other;
}

std::uint32_t Matching::take_posted(RankId rank, MatchKey key) {
  const std::uint32_t request = find_posted(rank, key);
  if (request == no_record) return no_record;
  const RequestRecord& receive = job_.requests[request];
  TUTTI_CHECK(posted_.take(job_.ranks[rank].posted, receive.key()) == request,
              "the first receive with its key");
  if (receive.has_wildcard()) --job_.ranks[rank].wildcards_pending;
  if (receive.tag == any_tag && --any_tags_[rank] == 0) any_tags_.erase(rank);
  return request;
}

// The key of the oldest message of the source, which a receive of any tag accepts. `arrived` is the
// key of an arrived message, which may not be the oldest one.
MatchKey Matching::find_oldest_of_source(RankId rank, MatchKey arrived) const {
  MatchKey oldest = arrived;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  unexpected_.for_each(job_.ranks[rank].unexpected, [&](MessageId id) {
    const MessageRecord& message = job_.messages[id];
    if (message.source != arrived.source || message.serial > first) return;
    first = message.serial;
    oldest = message.key();
  });
  return oldest;
}

// Called when some message with this key has arrived: takes the oldest message with the key and the
// first posted receive that accepts it.
Matching::Pair Matching::take_pair(RankId rank, MatchKey key) {
  if (has_any_tag(rank) && job_.requests[find_posted(rank, key)].tag == any_tag)
    if (const MatchKey oldest = find_oldest_of_source(rank, key);
        find_posted(rank, oldest) != no_record)
      key = oldest;
  const Pair pair{.request = take_posted(rank, key), .message = take_unexpected(rank, key)};
  TUTTI_CHECK(pair.request != no_record && pair.message != no_record,
              "a message and a receive with the key exist");
  return pair;
}

// The earliest arrival among known unexpected messages that match a receive with this key.
Seconds Matching::find_earliest_for(RankId rank, MatchKey posted) {
  Arrivals* arrivals = find_arrivals(rank);
  const MatchQueue& unexpected = job_.ranks[rank].unexpected;
  Seconds first_s = never;
  if (posted.tag == any_tag) {
    unexpected_.for_each(unexpected, [&](MessageId id) {
      const MessageRecord& message = job_.messages[id];
      if (message.is_known() && (posted.source == any_source || posted.source == message.source))
        first_s = std::min(first_s, message.time_s);
    });
    return first_s;
  }
  if (posted.source == any_source && arrivals != nullptr) {
    arrivals->want_tag(posted.tag);
    return arrivals->earliest_with(posted.tag);
  }
  const auto visit = [&](MessageId id) {
    if (!job_.messages[id].is_known()) return;
    if (arrivals != nullptr) arrivals->want(make_arrival(id));
    first_s = std::min(first_s, job_.messages[id].time_s);
  };
  if (posted.source != any_source) {
    unexpected_.for_each_of(unexpected, posted, visit);
  } else {
    unexpected_.for_each(unexpected, [&](MessageId id) {
      if (job_.messages[id].tag == posted.tag) visit(id);
    });
  }
  return first_s;
}

// The earliest future arrival of an unexpected message. Eager messages are not included: the end of
// their flow triggers matching.
Seconds Matching::find_next_arrival(RankId rank) {
  if (Arrivals* arrivals = find_arrivals(rank))
    return arrivals->earliest_after(job_.transport.now());
  Seconds first_s = never;
  unexpected_.for_each(job_.ranks[rank].unexpected, [&](MessageId id) {
    const MessageRecord& message = job_.messages[id];
    if (message.is_known() && !has_arrived(message)) first_s = std::min(first_s, message.time_s);
  });
  return first_s;
}

// The key of the first arrived message that a posted receive accepts; of simultaneous ones the
// smallest (source, tag).
std::optional<MatchKey> Matching::find_first_arrival(RankId rank) {
  if (Arrivals* arrivals = find_arrivals(rank)) return arrivals->first(job_.transport.now());
  const MatchQueue& unexpected = job_.ranks[rank].unexpected;
  const auto is_wanted = [&](const MessageRecord& message) {
    return has_arrived(message) && find_posted(rank, message.key()) != no_record;
  };
  Seconds first_s = never;
  unexpected_.for_each(unexpected, [&](MessageId id) {
    const MessageRecord& message = job_.messages[id];
    if (message.time_s < first_s && is_wanted(message)) first_s = message.time_s;
  });
  std::optional<MatchKey> first;
  unexpected_.for_each(unexpected, [&](MessageId id) {
    const MessageRecord& message = job_.messages[id];
    if (message.time_s > after_ties(first_s) || (first && *first <= message.key())) return;
    if (is_wanted(message)) first = message.key();
  });
  return first;
}

std::optional<Matching::Pair> Matching::next_arrived_pair(RankId rank) {
  if (const std::optional<MatchKey> first = find_first_arrival(rank))
    return take_pair(rank, *first);
  // Schedule only once for the same arrival.
  const Seconds next_s = find_next_arrival(rank);
  if (next_s < never && std::exchange(next_looks_[rank], next_s) != next_s)
    match_after(rank, next_s);
  return std::nullopt;
}

// The keys of all pairs of a posted receive and an unexpected message that may match.
std::vector<MatchKey> Matching::list_keys(RankState& receiver) {
  std::vector<MatchKey> keys;
  const bool many_posted = posted_.has_many(receiver.posted);
  const bool many_unexpected = unexpected_.has_many(receiver.unexpected);
  if (many_posted &&
      (!many_unexpected || unexpected_.size(receiver.unexpected) < posted_.size(receiver.posted))) {
    unexpected_.for_each(receiver.unexpected,
                         [&](MessageId id) { keys.push_back(job_.messages[id].key()); });
  } else {
    posted_.for_each(receiver.posted,
                     [&](std::uint32_t request) { keys.push_back(job_.requests[request].key()); });
  }
  return keys;
}

std::vector<Matching::Pair> Matching::take_named_pairs(RankId rank) {
  next_looks_.erase(rank);
  RankState& receiver = job_.ranks[rank];
  std::vector<Pair> pairs;
  if (receiver.posted.empty() || receiver.unexpected.empty()) return pairs;
  for (const MatchKey key : list_keys(receiver)) {
    if (posted_.find(receiver.posted, key) == no_record) continue;
    if (const MessageId id = take_unexpected(rank, key); id != no_record)
      pairs.push_back({posted_.take(receiver.posted, key), id});
  }
  std::ranges::sort(pairs, {},
                    [&](const Pair& pair) { return job_.requests[pair.request].order(); });
  return pairs;
}

}  // namespace tutti::runtime
