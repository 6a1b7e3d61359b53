// SPDX-License-Identifier: BSD-3-Clause
// Exchanges with all other ranks that are simulated as a whole. A rank's clock depends on nothing
// but itself while it posts its messages. So its clock after the last send is computed at once, but
// each message is sent when the engine's time has reached its send. Receives are charged as they
// complete, which is the order of wait_all. Only messages in flight have records.

#include "sim/base/common.hpp"
#include "sim/runtime/protocol_core.hpp"

namespace tutti::runtime {

using platforms::MessageProtocol;
using platforms::Protocol;

namespace {

// Messages that a rank sends in one event.
constexpr int sends_at_once = 8;

[[noreturn]] void too_many_messages(std::int64_t procs, std::int64_t in_flight) {
  throw ThrownError(make_error(
      ErrorKind::run, "",
      fmt::format("the exchange of {} processes has more than {} messages in flight, for which "
                  "memory does not suffice",
                  procs, in_flight),
      "use smaller messages, fewer processes or another algorithm"));
}

}  // namespace

// Observers see every request. Noise and credits depend on the order of completions, of which those
// in a tie have another one here. With alternating requests the receives have different times,
// which only eager messages ignore.
bool ProtocolCore::can_exchange(RankId rank, const ExchangeArgs& args) const {
  const bool is_plain = timed_ && pattern_ == nullptr && classes_ == nullptr &&
                        std::ranges::none_of(observers_, &Observer::needs_requests) &&
                        dated_.empty() && credits_ == nullptr && noise_.kind == Noise::Kind::none &&
                        transport_.sends_in_events();
  if (!is_plain || size() == 1 || ranks_[rank].wildcards_pending > 0) return false;
  if (!args.alternates) return true;
  for (RankId from = 0; from < size(); ++from)
    if (protocol(host_of(from) == host_of(rank)).protocol_of(args.blocks.from(from).bytes) !=
        Protocol::eager)
      return false;
  return true;
}

// The rank's clock after all sends; unset if one of them may last longer than its call.
std::optional<Seconds> ProtocolCore::clock_after_sends(RankId rank,
                                                       const ExchangeArgs& args) const {
  struct Known {
    Bytes bytes = -1;
    Seconds overhead_s = 0;
  };
  std::array<Known, 2> known;  // of messages to other nodes, and inside the node
  Seconds clock_s = ranks_[rank].clock_s;
  RankId to = args.sends.first;
  for (RankId i = 0; i < size(); ++i, to = args.sends.next(to, size())) {
    if (to == rank) continue;
    const bool is_inside = host_of(to) == host_of(rank);
    const Bytes bytes = args.blocks.to(to).bytes;
    Known& same = known[is_inside];
    if (same.bytes != bytes) {
      if (protocol(is_inside).protocol_of(bytes) == Protocol::rendezvous) return std::nullopt;
      same = {bytes, protocol(is_inside).isend_overhead(bytes)};
    }
    clock_s += same.overhead_s;
  }
  return clock_s;
}

bool ProtocolCore::start_exchange(RankId rank, const ExchangeArgs& args) {
  if (!can_exchange(rank, args)) return false;
  const std::optional<Seconds> sent_s = clock_after_sends(rank, args);
  if (!sent_s) return false;
  if (exchanges_.empty()) exchanges_.resize(ranks_.size());
  const Seconds clock_s = ranks_[rank].clock_s;
  exchanges_[rank] = {.args = &args,
                      .posted_s = clock_s,
                      .clock_s = *sent_s,
                      .next_to = args.sends.first,
                      .to_send = size() - 1,
                      .to_receive = size() - 1,
                      .matched = {}};
  match_early_messages(rank);
  transport_.at(clock_s, {Event::Kind::send_next, static_cast<std::uint32_t>(rank)});
  return true;
}

// Matches messages that were sent before the rank posted its receives, in the order of arrival.
void ProtocolCore::match_early_messages(RankId rank) {
  const ExchangeOrder& order = exchanges_[rank].args->receives;
  std::vector<MessageId> early;
  RankId from = order.first;
  for (RankId i = 0; i < size() && !ranks_[rank].unexpected.empty(); ++i) {
    if (const MessageId id = take_unexpected(rank, {from, 0}); id != no_record) early.push_back(id);
    from = order.next(from, size());
  }
  std::ranges::stable_sort(early, {}, [&](MessageId id) { return messages_[id].time_s; });
  for (const MessageId id : early) match_in_exchange(id);
}

void ProtocolCore::send_next(RankId rank) {
  RunningExchange& exchange = exchanges_[rank];
  const ExchangeOrder& order = exchange.args->sends;
  for (int i = 0; i < sends_at_once && exchange.to_send > 0; ++i) {
    if (exchange.next_to == rank) exchange.next_to = order.next(rank, size());
    send_in_exchange(rank, exchange.next_to);
    exchange.next_to = order.next(exchange.next_to, size());
    --exchange.to_send;
  }
  if (exchange.to_send == 0)
    end_if_complete(rank);
  else
    transport_.at(ranks_[rank].clock_s, {Event::Kind::send_next, static_cast<std::uint32_t>(rank)});
}

void ProtocolCore::send_in_exchange(RankId rank, RankId to) {
  const Slice data = exchanges_[rank].args->blocks.to(to);
  if (most_messages_ > 0 && messages_.in_use() >= most_messages_)
    too_many_messages(size(), most_messages_);
  const Way way = transport_.way(rank, to, data.bytes);
  work(rank, Work::send_overhead, protocol(way.path.intra_node).isend_overhead(data.bytes));
  send_message({.source = rank, .destination = to, .data = data}, way);
}

// The position of another rank in the order of the rank's receives.
std::uint32_t ProtocolCore::position_in_exchange(RankId rank, RankId source) const {
  const ExchangeOrder& order = exchanges_[rank].args->receives;
  const auto distance = [&](RankId to) {
    const RankId steps = order.step > 0 ? to - order.first : order.first - to;
    return steps < 0 ? steps + size() : steps;
  };
  const RankId steps = distance(source);
  return static_cast<std::uint32_t>(steps > distance(rank) ? steps - 1 : steps);
}

// The first rank whose message is missing.
RankId ProtocolCore::first_missing_source(RankId rank) const {
  const RunningExchange& exchange = exchanges_[rank];
  RankId source = exchange.args->receives.first;
  for (RankId i = 0; i < size(); ++i, source = exchange.args->receives.next(source, size()))
    if (source != rank && !exchange.matched.contains(position_in_exchange(rank, source)))
      return source;
  return source;
}

// Whether the destination is in an exchange and has not received a message of this source.
bool ProtocolCore::exchange_accepts(const Message& message) const {
  if (exchanges_.empty() || message.tag != 0 || message.source == message.destination) return false;
  const RunningExchange& exchange = exchanges_[message.destination];
  return exchange.args != nullptr &&
         !exchange.matched.contains(position_in_exchange(message.destination, message.source));
}

void ProtocolCore::match_in_exchange(MessageId id) {
  Message& message = messages_[id];
  RunningExchange& exchange = exchanges_[message.destination];
  check_room(message, exchange.args->blocks.from(message.source).bytes);
  exchange.matched.insert(position_in_exchange(message.destination, message.source));
  message.recv_request = of_exchange;
  flow_when_matched(id, exchange.posted_s);
}

// Charges a completed receive, and frees its message.
void ProtocolCore::receive_in_exchange(MessageId id) {
  const Message& message = messages_[id];
  const RankId rank = message.destination;
  const MessageProtocol& costs = protocol(message.intra_node);
  RunningExchange& exchange = exchanges_[rank];
  exchange.clock_s = std::max(exchange.clock_s, message.time_s) + receive_overhead(message);
  if (const auto copied = copied_out(message); costs.copy_Bps && copied)
    exchange.clock_s += static_cast<double>(*copied) / *costs.copy_Bps;
  messages_.give_back(id);
  if (--exchange.to_receive == 0) end_if_complete(rank);
}

void ProtocolCore::end_if_complete(RankId rank) {
  const RunningExchange& exchange = exchanges_[rank];
  if (exchange.to_send == 0 && exchange.to_receive == 0) transport_.wake(rank);
}

void ProtocolCore::finish_exchange(RankId rank) {
  ranks_[rank].clock_s = exchanges_[rank].clock_s;
  exchanges_[rank] = {};
}

}  // namespace tutti::runtime
