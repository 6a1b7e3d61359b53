// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/protocol_core.hpp"

namespace tutti::runtime {

using platforms::MessageProtocol;
using platforms::NicOrder;
using platforms::Path;
using platforms::Protocol;
using platforms::Rendezvous;

namespace {

// A protocol with the same eager limits, but without costs.
MessageProtocol without_costs(const MessageProtocol& protocol) {
  MessageProtocol free;
  free.nic_order = NicOrder::fifo;
  free.eager_max = protocol.eager_max;
  free.detached_max = protocol.detached_max;
  return free;
}

}  // namespace

ProtocolCore::ProtocolCore(const platforms::Machine& machine, const platforms::Placement& placement,
                           Transport& transport, Timing timing)
    : machine_(machine),
      placement_(placement),
      transport_(transport),
      timed_(timing == Timing::simulated),
      has_bus_(machine.intra_node == platforms::IntraNode::bus),
      inter_(timed_ ? machine.inter : without_costs(machine.inter)),
      intra_(timed_ ? machine.intra : without_costs(machine.intra)),
      ranks_(placement.host_of.size()) {
  if (timed_)
    for (MessageProtocol* protocol : {&inter_, &intra_})
      protocol->extra_latency =
          protocol->extra_latency.plus(protocol->scale_latency(placement.nodes));
  if (inter_.eager_credits > 0 || intra_.eager_credits > 0)
    credits_ = std::make_unique<EagerCredits>(size());
}

ProtocolCore::ProtocolCore(const platforms::Machine& machine, const platforms::Placement& placement,
                           Transport& transport, const RankClasses& classes)
    : ProtocolCore(machine, placement, transport) {
  classes_ = &classes;
  ranks_ = LargeVector<RankState>(classes.representatives.size());
  next_sends_.assign(classes.first_sends.begin(), classes.first_sends.end() - 1);
  next_receives_.assign(classes.first_receives.begin(), classes.first_receives.end() - 1);
}

void ProtocolCore::prefetch_rank_near(RankId rank) const {
  constexpr int lines = 6;  // cache lines of the coroutine frame that most programs use at a wait
  const RankState& state = ranks_[rank];
  if (state.unexpected.head != no_record) __builtin_prefetch(&messages_[state.unexpected.head], 1);
  const auto* frame = static_cast<const char*>(state.parked.address());
  for (int i = 0; i < lines; ++i) __builtin_prefetch(frame + 64 * i, 1);
}

void ProtocolCore::prefetch_message_near(MessageId id) const {
  const Message& message = messages_[id];
  __builtin_prefetch(&ranks_[message.destination], 1);
  if (message.recv_request < of_exchange) __builtin_prefetch(&requests_[message.recv_request], 1);
  if (keeps_order(message)) last_to_.prefetch(PairIndex::hash(pair_of_ranks(message)));
}

// ---- requests ----

ProtocolCore::RequestRecord& ProtocolCore::record(Request request) {
  RequestRecord& found = requests_[request.index];
  TUTTI_CHECK(found.in_use && found.generation == request.generation,
              "a request was waited for twice, or never created");
  return found;
}

Request ProtocolCore::new_request(RankId owner, RankId peer, std::int32_t tag, Slice data) {
  const std::uint32_t index = requests_.take();
  RequestRecord& request = requests_[index];
  const std::uint32_t generation = request.generation;
  request = {};
  request.generation = generation;
  request.in_use = true;
  request.time_s = ranks_[owner].clock_s;
  request.owner = owner;
  request.peer = peer;
  request.tag = tag;
  request.data = data;
  return {index, generation};
}

void ProtocolCore::finish(Request request) {
  RequestRecord& finished = record(request);
  TUTTI_CHECK(finished.done, "a request is freed before it is done");
  charge(request.index);
  finished.in_use = false;
  ++finished.generation;
  requests_.give_back(request.index);
}

// ---- sending and receiving ----

// Counts the message, or those of all ranks of a class.
void ProtocolCore::count(const Message& message) {
  const std::int64_t ranks = classes_ == nullptr ? 1 : classes_->sizes[message.source];
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

Request ProtocolCore::isend(RankId rank, RankId to, std::int32_t tag, Slice data, SendKind kind) {
  if (pattern_ != nullptr) return pattern_->send(to, tag, data.bytes, kind);
  RankId way_to = to;
  if (classes_ != nullptr) {
    const std::uint32_t message_class = next_sends_[rank]++;
    to = classes_->messages[message_class].destination;
    tag = way_to = static_cast<std::int32_t>(message_class);
  }
  TUTTI_CHECK(to >= 0 && to < size(), fmt::format("rank {} sends to rank {}", rank, to));
  TUTTI_CHECK(data.bytes >= 0, fmt::format("rank {} sends {} bytes", rank, data.bytes));
  RankState& sender = ranks_[rank];
  const Seconds called_s = sender.clock_s;
  __builtin_prefetch(&ranks_[to], 1);  // for offer()
  const Way way = transport_.way(rank, way_to, data.bytes);
  if (const std::uint32_t posted = ranks_[to].posted.head; posted != no_record)
    __builtin_prefetch(&requests_[posted], 1);
  const MessageProtocol& costs = protocol(way.path.intra_node);
  work(rank, Work::send_overhead,
       (kind == SendKind::blocking ? costs.send_overhead : costs.isend_overhead)(data.bytes));

  const Request request = new_request(rank, to, tag, data);
  requests_[request.index].is_send = true;
  for (Observer* observer : observers_)
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

// The sender's overhead is over.
void ProtocolCore::send_message(const NewMessage& sent, const Way& way) {
  const Bytes bytes = sent.data.bytes;
  const Seconds sent_s = ranks_[sent.source].clock_s;
  const MessageProtocol& costs = protocol(way.path.intra_node);
  const MessageId id = messages_.take();
  Message& message = messages_[id];
  message = {};
  message.latency_s = costs.latency_s(way.path.latency_s, bytes);
  message.bytes = bytes;
  message.source = sent.source;
  message.destination = sent.destination;
  message.tag = sent.tag;
  message.send_request = sent.request;
  message.recv_request = no_record;
  message.protocol =
      sent.kind == SendKind::synchronous ? Protocol::rendezvous : costs.protocol_of(bytes);
  message.intra_node = way.path.intra_node;
  count(message);
  message.serial = counts_.messages;
  for (Observer* observer : observers_)
    observer->on_send({message.serial, sent.source, sent.destination, sent.tag, sent.data,
                       message.protocol, message.intra_node, sent_s});
  if (!dated_.empty()) report_sent(id, way.path, sent.called_s);

  if (costs.carries_data(bytes)) transport_.prepare(id, way, rate_limit_Bps(message, way.path));
  if (message.protocol == Protocol::eager) {
    message.time_s = nic_time(message, way.path);
    if (takes_credit(id)) launch_eager(id, sent_s);
  } else {
    message.time_s = sent_s + message.latency_s;
    if (message.protocol == Protocol::detached) complete_send(message, sent_s);
  }
  offer(id);
}

void ProtocolCore::report_sent(MessageId id, const Path& path, Seconds called_s) const {
  const Message& message = messages_[id];
  for (TimestampObserver* observer : dated_)
    observer->on_sent(
        {.id = id,
         .serial = message.serial,
         .source = message.source,
         .destination = message.destination,
         .tag = message.tag,
         .send_request = message.send_request,
         .bytes = message.bytes,
         .link_bytes = link_bytes_of(id),
         .protocol = message.protocol,
         .has_handshake = message.protocol == Protocol::rendezvous && !is_direct(message),
         .intra_node = message.intra_node,
         .called_s = called_s,
         .sent_s = ranks_[message.source].clock_s,
         .latency_s = message.latency_s + extra_latency(message),
         .ack_s = ack_time(message),
         .bandwidth_Bps = std::min(path.bandwidth_Bps, rate_limit_Bps(message, path))});
}

// At most this much of the links' bandwidth; infinite if only the links limit the message.
double ProtocolCore::rate_limit_Bps(const Message& message, const Path& path) const {
  const MessageProtocol& costs = protocol(message.intra_node);
  const double factor = costs.bandwidth_factor(message.bytes + costs.envelope);
  double limit_Bps = std::min(path.both_ways_Bps, costs.window_Bps(path.latency_s));
  if (factor < 1) limit_Bps = std::min(limit_Bps, factor * path.bandwidth_Bps);
  if (limit_Bps >= path.bandwidth_Bps) limit_Bps = std::numeric_limits<double>::infinity();
  if (!is_in_fragments(message)) return limit_Bps;
  const double efficiency = efficiency_of(message);
  const double data_Bps = efficiency * std::min(limit_Bps, path.bandwidth_Bps);
  return std::min(limit_Bps, fragments_Bps(message, data_Bps) / efficiency);
}

// Latency of the data in addition to that of the route.
Seconds ProtocolCore::extra_latency(const Message& message) const {
  return protocol(message.intra_node).extra_latency(message.bytes);
}

// The time from the end of a rendezvous to the completion of its send, which the receiver reports
// if it has read the data.
Seconds ProtocolCore::ack_time(const Message& message) const {
  const bool is_read = protocol(message.intra_node).rendezvous == Rendezvous::get;
  return is_read ? message.latency_s : 0;
}

// The time for which an eager message occupies the NIC or the memory bus.
Seconds ProtocolCore::nic_time(const Message& message, const Path& path) const {
  if (!timed_) return 0;
  const MessageProtocol& costs = protocol(path.intra_node);
  const Bytes bytes = message.bytes;
  if (costs.nic_order != NicOrder::fifo) return costs.gap(bytes);
  const double factor = costs.bandwidth_factor(bytes + costs.envelope);
  const double bandwidth_Bps = std::min(path.nic_bandwidth_Bps, path.bandwidth_Bps * factor);
  const double G = costs.gap_per_byte.value_or(1 / bandwidth_Bps);
  return std::max(costs.gap(bytes), costs.link_bytes(bytes) * G);
}

// The sender's overhead ends at `ready_s`; the message waits for the NIC.
void ProtocolCore::launch_eager(MessageId id, Seconds ready_s) {
  const Message& message = messages_[id];
  RankState& sender = ranks_[message.source];
  Seconds& free_s = message.intra_node && has_bus_ ? sender.bus_free_s : sender.nic_free_s;
  const Seconds injected_s = std::max(ready_s, free_s);
  free_s = injected_s + message.time_s;
  for (TimestampObserver* observer : dated_) observer->on_injected(id, injected_s);
  if (keeps_order(message)) join_order(id);
  transport_.at(injected_s + message.latency_s + extra_latency(message),
                {Event::Kind::start_flow, id});
  complete_send(message, ready_s);
}

// The sender and the receiver as a key; of ranks that represent a class, those of the job.
std::uint64_t ProtocolCore::pair_of_ranks(const Message& message) const {
  if (classes_ != nullptr) return classes_->messages[static_cast<std::size_t>(message.tag)].pair;
  return std::uint64_t{static_cast<std::uint32_t>(message.source)} << 32 |
         static_cast<std::uint32_t>(message.destination);
}

bool ProtocolCore::keeps_order(const Message& message) const {
  return message.protocol == Protocol::eager &&
         protocol(message.intra_node).nic_order == NicOrder::shared;
}

void ProtocolCore::join_order(MessageId id) {
  const std::uint64_t pair = pair_of_ranks(messages_[id]);
  const MessageId before = last_to_.put(PairIndex::hash(pair), id, [&](MessageId other) {
    return pair_of_ranks(messages_[other]) == pair;
  });
  if (before == no_record) return;
  messages_[before].follower = id;
  messages_[id].follows = true;
}

// The message has arrived: the next one to that rank may flow after its latency.
void ProtocolCore::leave_order(MessageId id) {
  const MessageId next = messages_[id].follower;
  if (next == no_record) {
    last_to_.remove(PairIndex::hash(pair_of_ranks(messages_[id])), id);
    return;
  }
  messages_[next].follows = false;
  if (messages_[next].due) transport_.at(transport_.now(), {Event::Kind::start_flow, next});
}

void ProtocolCore::work(RankId rank, Work kind, Seconds duration_s) {
  if (timed_ && noise_.kind != Noise::Kind::none)
    duration_s =
        noise_.prolonged(duration_s, static_cast<std::uint64_t>(rank), ranks_[rank].works++);
  pass(rank, kind, duration_s);
}

void ProtocolCore::local_work(RankId rank, Work kind, Seconds duration_s) {
  for (Observer* observer : observers_) observer->on_local_work(rank, duration_s);
  work(rank, kind, duration_s);
}

void ProtocolCore::pass(RankId rank, Work kind, Seconds duration_s) {
  if (pattern_ != nullptr) return pattern_->work(static_cast<std::uint64_t>(kind), duration_s);
  Seconds& clock_s = ranks_[rank].clock_s;
  const Seconds begin_s = clock_s;
  clock_s += duration_s;
  for (TimestampObserver* observer : dated_) observer->on_work(rank, kind, begin_s, clock_s);
}

void ProtocolCore::compute(RankId rank, Seconds duration_s) {
  TUTTI_CHECK(duration_s >= 0, "compute needs a duration of at least 0 s");
  if (timed_) work(rank, Work::compute, duration_s);
  for (Observer* observer : observers_) observer->on_compute(rank, duration_s);
}

void ProtocolCore::sleep(RankId rank, Seconds duration_s) {
  TUTTI_CHECK(duration_s >= 0, "sleep needs a duration of at least 0 s");
  if (timed_) pass(rank, Work::compute, duration_s);
  for (Observer* observer : observers_) observer->on_compute(rank, duration_s);
}

void ProtocolCore::copy(RankId rank, Slice into, Slice from) {
  TUTTI_CHECK(into.bytes == from.bytes, "copy needs slices of the same size");
  if (into == from) return;
  charge_copy(rank, into.bytes);
  for (Observer* observer : observers_) observer->on_copy(rank, into, from);
}

void ProtocolCore::copy(RankId rank, const Strided& into, const Strided& from) {
  TUTTI_CHECK(into.first.bytes == from.first.bytes && into.count == from.count,
              "copy needs the same number of slices of the same size");
  charge_copy(rank, into.count * into.first.bytes);
  for (Observer* observer : observers_) observer->on_copy(rank, into, from);
}

void ProtocolCore::clear(RankId rank, Slice into) {
  charge_copy(rank, into.bytes);
  for (Observer* observer : observers_) observer->on_clear(rank, into);
}

void ProtocolCore::charge_copy(RankId rank, Bytes bytes) {
  if (timed_ && machine_.local_copy_Bps)
    local_work(rank, Work::copy,
               static_cast<double>(bytes) / (*machine_.local_copy_Bps)(working_set(rank, bytes)));
}

void ProtocolCore::allocate(RankId rank, Bytes bytes) {
  if (timed_ && machine_.allocation_Bps)
    local_work(rank, Work::copy, static_cast<double>(bytes) / (*machine_.allocation_Bps)(bytes));
  for (Observer* observer : observers_) observer->on_allocate(rank, bytes);
}

void ProtocolCore::combine(RankId rank, Slice into, Slice from, Operand from_is) {
  TUTTI_CHECK(into.bytes == from.bytes, "combine needs slices of the same size");
  if (timed_ && machine_.combine_Bps)
    local_work(
        rank, Work::combine,
        static_cast<double>(into.bytes) / (*machine_.combine_Bps)(working_set(rank, into.bytes)));
  for (Observer* observer : observers_) observer->on_combine(rank, into, from, from_is);
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
      choose_completed(static_cast<RankId>(event.subject));
      break;
    case Event::Kind::look:
      look(static_cast<RankId>(event.subject));
      break;
    case Event::Kind::hardware_done:
      hardware_done(event.subject);
      break;
    case Event::Kind::credit:
      credit_returned(event.subject);
      break;
    case Event::Kind::send_next:
      send_next(static_cast<RankId>(event.subject));
      break;
  }
}

void ProtocolCore::start_flow(MessageId id) {
  if (messages_[id].follows) {
    messages_[id].due = true;
    return;
  }
  for (TimestampObserver* observer : dated_) observer->on_flow_start(id, transport_.now());
  const Message& message = messages_[id];
  if (protocol(message.intra_node).carries_data(message.bytes)) {
    transport_.flow(id);
  } else {
    on_flow_done(id);
  }
}

void ProtocolCore::on_flow_done(MessageId id) {
  Message& message = messages_[id];
  message.time_s = transport_.now();
  message.arrived = true;
  for (TimestampObserver* observer : dated_) observer->on_flow_end(id, message.time_s);
  if (keeps_order(message)) leave_order(id);
  if (credits_ != nullptr) release_credit(message);
  if (message.recv_request != no_record) {
    end_of_message(id);
    return;
  }
  report_arrivals(id);
  if (ranks_[message.destination].wildcards_pending > 0)
    match_after(message.destination, message.time_s);
}

// The data have arrived and the receive is matched.
void ProtocolCore::end_of_message(MessageId id) {
  const Message& message = messages_[id];
  if (message.protocol == Protocol::rendezvous)
    complete_send(message, message.time_s + ack_time(message));
  if (message.recv_request == of_exchange) return receive_in_exchange(id);
  complete(message.recv_request, message.time_s);
}

// Charges a completed request, and frees the message of a receive.
void ProtocolCore::charge(std::uint32_t index) {
  const RequestRecord& request = requests_[index];
  if (request.is_hardware) return charge_hardware(request);
  Seconds& clock_s = ranks_[request.owner].clock_s;
  const Seconds begin_s = clock_s;
  clock_s = std::max(clock_s, timed_ ? request.time_s : 0.0);
  for (TimestampObserver* observer : dated_)
    observer->on_completion({.rank = request.owner,
                             .request = index,
                             .message = request.is_send ? no_record : request.message,
                             .begin_s = begin_s,
                             .end_s = clock_s});
  if (request.is_send) return;
  const Message& message = messages_[request.message];
  const MessageProtocol& costs = protocol(message.intra_node);
  const Bytes bytes = message.bytes;
  work(request.owner, Work::recv_overhead, receive_overhead(message));
  if (const auto copied = copied_out(message); costs.copy_Bps && copied)
    work(request.owner, Work::copy_out, static_cast<double>(*copied) / *costs.copy_Bps);
  for (Observer* observer : observers_)
    observer->on_receive(message.serial, request.owner,
                         request.data.part(0, std::min(bytes, request.data.bytes)));
  messages_.give_back(request.message);
}

}  // namespace tutti::runtime
