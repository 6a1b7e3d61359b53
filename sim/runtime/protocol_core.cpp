// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/protocol_core.hpp"

namespace tutti::runtime {

using platforms::MessageProtocol;
using platforms::Path;
using platforms::Protocol;

ProtocolCore::ProtocolCore(const platforms::Machine& machine, const platforms::Placement& placement,
                           Transport& transport, const RankClasses* classes, Timing timing)
    : job_(machine, placement, transport, classes, timing),
      costs_(machine, placement.nodes, timing),
      credits_(costs_.has_credits() ? std::make_unique<EagerCredits>(size()) : nullptr) {
  if (classes == nullptr) return;
  next_sends_.assign(classes->first_sends.begin(), classes->first_sends.end() - 1);
  next_receives_.assign(classes->first_receives.begin(), classes->first_receives.end() - 1);
}

void ProtocolCore::add_observer(Observer& observer) {
  if (TimestampObserver* with_times = observer.as_timestamp_observer())
    job_.timestamp_observers.push_back(with_times);
  else
    job_.observers.push_back(&observer);
}

void ProtocolCore::set_clock(RankId rank, Seconds clock_s) {
  job_.require_time();
  job_.ranks[rank].clock_s = clock_s;
  for (TimestampObserver* observer : job_.timestamp_observers) observer->on_clock_set(rank);
}

void ProtocolCore::prefetch_rank_near(RankId rank) const {
  constexpr int lines = 6;  // cache lines of the coroutine frame that most programs use at a wait
  const RankState& state = job_.ranks[rank];
  if (state.unexpected.head != no_record)
    __builtin_prefetch(&job_.messages[state.unexpected.head], 1);
  const auto* frame = static_cast<const char*>(state.parked.address());
  for (int i = 0; i < lines; ++i) __builtin_prefetch(frame + 64 * i, 1);
}

void ProtocolCore::prefetch_message_near(MessageId id) const {
  const MessageRecord& message = job_.messages[id];
  __builtin_prefetch(&job_.ranks[message.destination], 1);
  if (message.recv_request < of_exchange)
    __builtin_prefetch(&job_.requests[message.recv_request], 1);
  eager_sends_.prefetch(message);
}

// ---- sending ----

Request ProtocolCore::isend(RankId rank, RankId to, std::int32_t tag, Slice data, SendKind kind) {
  if (job_.pattern != nullptr) return job_.pattern->send(to, tag, data.bytes, kind);
  RankId way_to = to;
  if (job_.classes != nullptr) {
    const std::uint32_t message_class = next_sends_[rank]++;
    to = job_.classes->messages[message_class].destination;
    tag = way_to = static_cast<std::int32_t>(message_class);
  }
  TUTTI_CHECK(to >= 0 && to < size(), fmt::format("rank {} sends to rank {}", rank, to));
  TUTTI_CHECK(data.bytes >= 0, fmt::format("rank {} sends {} bytes", rank, data.bytes));
  const Seconds called_s = clock(rank);
  __builtin_prefetch(&job_.ranks[to], 1);  // for offer()
  const Way way = job_.transport.find_way(rank, way_to, data.bytes);
  if (const std::uint32_t posted = job_.ranks[to].posted.head; posted != no_record)
    __builtin_prefetch(&job_.requests[posted], 1);
  const MessageProtocol& costs = costs_.protocol(way.path.intra_node);
  local_work_.work(
      rank, Work::send_overhead,
      (kind == SendKind::blocking ? costs.send_overhead : costs.isend_overhead)(data.bytes));

  const Request request = waits_.add(rank, to, tag, data);
  job_.requests[request.index].is_send = true;
  for (Observer* observer : job_.observers)
    observer->on_request(rank, {request.index, true, kind, to, tag, data});
  send_message({.source = rank,
                .destination = to,
                .tag = tag,
                .data = data,
                .kind = kind,
                .request = request.index,
                .called_s = called_s},
               way);
  return request;
}

// The event send_next: sends some messages of an exchange.
void ProtocolCore::send_next(RankId rank) {
  constexpr int sends_at_once = 8;
  for (int i = 0; i < sends_at_once && exchanges_.has_sends(rank); ++i) {
    const auto [to, data] = exchanges_.take_send(rank);
    const Way way = job_.transport.find_way(rank, to, data.bytes);
    const MessageProtocol& costs = costs_.protocol(way.path.intra_node);
    local_work_.work(rank, Work::send_overhead, costs.isend_overhead(data.bytes));
    send_message({.source = rank, .destination = to, .data = data}, way);
  }
  if (exchanges_.has_sends(rank))
    job_.schedule(clock(rank), Event::Kind::send_next, rank);
  else
    exchanges_.wake_if_complete(rank);
}

// The sender's overhead is over: creates the record of the message, and offers it to its receiver.
void ProtocolCore::send_message(const NewMessage& sent, const Way& way) {
  const Bytes bytes = sent.data.bytes;
  const Seconds sent_s = clock(sent.source);
  const MessageProtocol& costs = costs_.protocol(way.path.intra_node);
  const MessageId id = job_.messages.take();
  MessageRecord& message = job_.messages[id];
  message = {};
  message.latency_s = costs.latency_s(way.path.latency_s, bytes);
  message.bytes = bytes;
  message.source = sent.source;
  message.destination = sent.destination;
  message.tag = sent.tag;
  message.send_request = sent.request;
  message.protocol =
      sent.kind == SendKind::synchronous ? Protocol::rendezvous : costs.protocol_of(bytes);
  message.intra_node = way.path.intra_node;
  count(message);
  message.serial = counts_.messages;
  for (Observer* observer : job_.observers)
    observer->on_send({message.serial, sent.source, sent.destination, sent.tag, sent.data,
                       message.protocol, message.intra_node, sent_s});
  if (!job_.timestamp_observers.empty()) report_sent(id, way.path, sent.called_s);

  if (costs.carries_data(bytes))
    job_.transport.prepare(id, way, costs_.rate_limit_Bps(message, way.path));
  if (message.protocol == Protocol::eager) {
    message.time_s = costs_.nic_time(message, way.path);
    eager_sends_.send(id, sent_s);
  } else {
    message.time_s = sent_s + message.latency_s;
    if (message.protocol == Protocol::detached) complete_send(message, sent_s);
  }
  offer(id);
}

// Counts the message, or, if its source represents a class of ranks, the messages of all of them.
void ProtocolCore::count(const MessageRecord& message) {
  const std::int64_t ranks = job_.classes == nullptr ? 1 : job_.classes->sizes[message.source];
  const Bytes bytes = ranks == 1 ? message.bytes : product_of_bytes(ranks, message.bytes);
  counts_.messages += ranks;
  add_bytes(counts_.wire_bytes, bytes);
  if (message.protocol == Protocol::eager) counts_.eager_messages += ranks;
  if (message.protocol == Protocol::detached) counts_.detached_messages += ranks;
  if (message.protocol == Protocol::rendezvous) counts_.rendezvous_messages += ranks;
  if (message.intra_node) {
    counts_.intra_node_messages += ranks;
    counts_.intra_node_bytes += bytes;
  }
}

void ProtocolCore::report_sent(MessageId id, const Path& path, Seconds called_s) const {
  const MessageRecord& message = job_.messages[id];
  const bool is_rendezvous = message.protocol == Protocol::rendezvous;
  for (TimestampObserver* observer : job_.timestamp_observers)
    observer->on_sent(
        {.id = id,
         .serial = message.serial,
         .source = message.source,
         .destination = message.destination,
         .tag = message.tag,
         .send_request = message.send_request,
         .bytes = message.bytes,
         .link_bytes = link_bytes(id),
         .protocol = message.protocol,
         .has_handshake = is_rendezvous && !costs_.is_direct(message),
         .intra_node = message.intra_node,
         .called_s = called_s,
         .sent_s = clock(message.source),
         .latency_s = message.latency_s + costs_.extra_latency(message),
         .ack_s = costs_.ack_time(message),
         .bandwidth_Bps = std::min(path.bandwidth_Bps, costs_.rate_limit_Bps(message, path))});
}

// ---- receiving ----

Request ProtocolCore::irecv(RankId rank, RankId from, std::int32_t tag, Slice data) {
  if (job_.pattern != nullptr) return job_.pattern->receive(from, tag, data.bytes);
  if (job_.classes != nullptr) {
    const std::uint32_t message_class = job_.classes->received[next_receives_[rank]++];
    from = job_.classes->messages[message_class].source;
    tag = static_cast<std::int32_t>(message_class);
  }
  TUTTI_CHECK(from == any_source || (from >= 0 && from < size()),
              fmt::format("rank {} receives from rank {}", rank, from));
  const Request request = waits_.add(rank, from, tag, data);
  for (Observer* observer : job_.observers)
    observer->on_request(rank, {request.index, false, {}, from, tag, data});
  for (TimestampObserver* observer : job_.timestamp_observers)
    observer->on_receive_posted(rank, request.index, clock(rank));
  if (const MessageId id = matching_.post(request.index); id != no_record) pair(id, request.index);
  return request;
}

bool ProtocolCore::start_exchange(RankId rank, const ExchangeArgs& args) {
  if (!exchanges_.start(rank, args)) return false;
  match_early_messages(rank, args.receives);
  job_.schedule(clock(rank), Event::Kind::send_next, rank);
  return true;
}

// Matches messages that were sent before the rank posted the receives of its exchange, in the order
// of arrival.
void ProtocolCore::match_early_messages(RankId rank, const ExchangeOrder& receives) {
  std::vector<MessageId> early;
  RankId from = receives.first;
  for (RankId i = 0; i < size() && !job_.ranks[rank].unexpected.empty(); ++i) {
    if (const MessageId id = matching_.take_unexpected(rank, {from, 0}); id != no_record)
      early.push_back(id);
    from = receives.next(from, size());
  }
  std::ranges::stable_sort(early, {}, [&](MessageId id) { return job_.messages[id].time_s; });
  for (const MessageId id : early) pair_in_exchange(id);
}

// Offers a new message to its destination, in the order of the sends.
void ProtocolCore::offer(MessageId id) {
  const MessageRecord& message = job_.messages[id];
  if (matching_.is_delayed(message.destination)) return matching_.delay(id);
  if (const std::uint32_t request = matching_.take_posted(message); request != no_record)
    pair(id, request);
  else if (exchanges_.expects(message))
    pair_in_exchange(id);
  else
    matching_.add_unexpected(id);
}

void ProtocolCore::match_arrivals(RankId rank) {
  if (!matching_.is_delayed(rank)) return;
  while (matching_.is_delayed(rank)) {
    const auto arrived = matching_.next_arrived_pair(rank);
    if (!arrived) return;
    pair(arrived->message, arrived->request);
  }
  for (const auto& [request, id] : matching_.take_named_pairs(rank)) pair(id, request);
}

// Matches the message and the receive, and starts what has waited for that.
void ProtocolCore::pair(MessageId id, std::uint32_t request) {
  MessageRecord& message = job_.messages[id];
  RequestRecord& receive = job_.requests[request];
  check_buffer(message, receive.data.bytes);
  message.recv_request = request;
  receive.peer = message.source;
  receive.tag = message.tag;
  receive.message = id;
  for (TimestampObserver* observer : job_.timestamp_observers)
    observer->on_match(
        {.message = id, .request = request, .posted_s = receive.time_s, .known_s = message.time_s});
  flow_when_matched(id, receive.time_s);
}

void ProtocolCore::pair_in_exchange(MessageId id) {
  MessageRecord& message = job_.messages[id];
  check_buffer(message, exchanges_.buffer_bytes(message));
  flow_when_matched(id, exchanges_.match(message));
}

void ProtocolCore::check_buffer(const MessageRecord& message, Bytes buffer_bytes) {
  if (message.bytes > buffer_bytes)
    truncated_.push_back(
        fmt::format("rank {} receives {} bytes from rank {}, tag {}, into a buffer of {} bytes",
                    message.destination, message.bytes, message.source, message.tag, buffer_bytes));
}

// Schedules the flow of a message whose receive was posted at `posted_s`. The flow of an eager
// message does not wait for the receive; if it has ended, the message ends here.
void ProtocolCore::flow_when_matched(MessageId id, Seconds posted_s) {
  const MessageRecord& message = job_.messages[id];
  if (message.protocol != Protocol::eager)
    job_.transport.at(costs_.flow_start(message, posted_s), {Event::Kind::start_flow, id});
  else if (message.arrived)
    end_message(id);
}

// ---- callbacks of the engine ----

void ProtocolCore::on_event(Event event) {
  switch (event.kind) {
    case Event::Kind::start_flow:
      start_flow(event.subject);
      break;
    case Event::Kind::match_arrivals:
      match_arrivals(static_cast<RankId>(event.subject));
      break;
    case Event::Kind::choose_completed:
      waits_.choose_completed(static_cast<RankId>(event.subject));
      break;
    case Event::Kind::look:
      waits_.look(static_cast<RankId>(event.subject));
      break;
    case Event::Kind::hardware_done:
      hardware_.finish(event.subject);
      break;
    case Event::Kind::credit:
      eager_sends_.return_credit(event.subject);
      break;
    case Event::Kind::send_next:
      send_next(static_cast<RankId>(event.subject));
      break;
  }
}

void ProtocolCore::start_flow(MessageId id) {
  if (eager_sends_.must_wait(id)) return;
  for (TimestampObserver* observer : job_.timestamp_observers)
    observer->on_flow_start(id, job_.transport.now());
  if (costs_.protocol(message(id)).carries_data(message(id).bytes)) {
    job_.transport.flow(id);
  } else {
    on_flow_done(id);
  }
}

void ProtocolCore::on_flow_done(MessageId id) {
  MessageRecord& message = job_.messages[id];
  message.time_s = job_.transport.now();
  message.arrived = true;
  for (TimestampObserver* observer : job_.timestamp_observers)
    observer->on_flow_end(id, message.time_s);
  eager_sends_.on_arrival(id);
  if (message.recv_request != no_record)
    end_message(id);
  else
    matching_.on_arrival(id);
}

// Completes the requests of a message whose data have arrived and whose receive is matched.
void ProtocolCore::end_message(MessageId id) {
  const MessageRecord& message = job_.messages[id];
  if (message.protocol == Protocol::rendezvous)
    complete_send(message, message.time_s + costs_.ack_time(message));
  if (message.recv_request == of_exchange) return exchanges_.receive(id);
  waits_.complete(message.recv_request, message.time_s);
}

// ---- ends of waits ----

void ProtocolCore::finish_wait_all(RankId rank, std::span<const Request> requests) {
  if (job_.pattern != nullptr) return job_.pattern->wait(requests);
  waits_.end_all(rank);
  for (Observer* observer : job_.observers) observer->on_wait(rank, requests, requests.size() > 1);
  if (requests.size() == 1) return finish(requests[0]);
  for (const Request& request : waits_.order_by_completion(requests)) finish(request);
}

std::size_t ProtocolCore::finish_wait_any(RankId rank, std::span<const Request> requests) {
  const std::size_t chosen = waits_.chosen(rank);
  waits_.end_any(rank);
  finish_watched(rank, requests[chosen]);
  return chosen;
}

void ProtocolCore::finish_watched(RankId rank, Request request) {
  job_.require_time();
  for (Observer* observer : job_.observers) observer->on_wait(rank, {&request, 1}, false);
  finish(request);
}

void ProtocolCore::finish(Request request) {
  TUTTI_CHECK(waits_.record(request).done, "a request is freed before it is done");
  charge(request.index);
  waits_.free(request);
}

// Charges a completed request, and frees the message of a receive.
void ProtocolCore::charge(std::uint32_t index) {
  const RequestRecord& request = job_.requests[index];
  if (request.is_hardware) return hardware_.charge(request);
  const RankId rank = request.owner;
  Seconds& clock_s = job_.ranks[rank].clock_s;
  const Seconds begin_s = clock_s;
  clock_s = std::max(clock_s, job_.timed ? request.time_s : 0.0);
  for (TimestampObserver* observer : job_.timestamp_observers)
    observer->on_completion({.rank = rank,
                             .request = index,
                             .message = request.is_send ? no_record : request.message,
                             .begin_s = begin_s,
                             .end_s = clock_s});
  if (request.is_send) return;
  const MessageRecord& message = job_.messages[request.message];
  local_work_.work(rank, Work::recv_overhead, costs_.receive_overhead(message));
  if (const auto copy_s = costs_.copy_out_time(message))
    local_work_.work(rank, Work::copy_out, *copy_s);
  for (Observer* observer : job_.observers)
    observer->on_receive(message.serial, rank,
                         request.data.part(0, std::min(message.bytes, request.data.bytes)));
  job_.messages.give_back(request.message);
}

}  // namespace tutti::runtime
