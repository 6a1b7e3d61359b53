// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/whole_exchanges.hpp"

namespace tutti::runtime {

using platforms::MessageProtocol;
using platforms::Protocol;

namespace {

[[noreturn]] void too_many_messages(std::int64_t procs, std::int64_t in_flight) {
  throw ThrownError(make_error(
      ErrorKind::run, "",
      fmt::format("the exchange of {} processes has more than {} messages in flight, for which "
                  "memory does not suffice",
                  procs, in_flight),
      "use smaller messages, fewer processes or another algorithm"));
}

}  // namespace

// Observers see every request. Noise and credits depend on the order of completions, and
// simultaneous ones have another order here. With alternating requests the receives have different
// times, which only eager messages ignore.
bool WholeExchanges::is_possible(RankId rank, const ExchangeArgs& args) const {
  const bool is_plain = job_.timed && job_.pattern == nullptr && job_.classes == nullptr &&
                        std::ranges::none_of(job_.observers, &Observer::needs_requests) &&
                        job_.timestamp_observers.empty() && !costs_.has_credits() &&
                        !local_work_.has_noise() && job_.transport.sends_in_events();
  if (!is_plain || job_.size() == 1 || job_.ranks[rank].wildcards_pending > 0) return false;
  if (!args.alternates) return true;
  for (RankId from = 0; from < job_.size(); ++from)
    if (costs_.protocol(job_.host(from) == job_.host(rank))
            .protocol_of(args.blocks.from(from).bytes) != Protocol::eager)
      return false;
  return true;
}

// The rank's clock after all sends; unset if one of them may last longer than its call.
std::optional<Seconds> WholeExchanges::clock_after_sends(RankId rank,
                                                         const ExchangeArgs& args) const {
  struct Known {
    Bytes bytes = -1;
    Seconds overhead_s = 0;
  };
  std::array<Known, 2> known;  // of messages to other nodes, and inside the node
  Seconds clock_s = job_.ranks[rank].clock_s;
  RankId to = args.sends.first;
  for (RankId i = 0; i < job_.size(); ++i, to = args.sends.next(to, job_.size())) {
    if (to == rank) continue;
    const bool is_inside = job_.host(to) == job_.host(rank);
    const Bytes bytes = args.blocks.to(to).bytes;
    Known& same = known[is_inside];
    if (same.bytes != bytes) {
      const MessageProtocol& costs = costs_.protocol(is_inside);
      if (costs.protocol_of(bytes) == Protocol::rendezvous) return std::nullopt;
      same = {bytes, costs.isend_overhead(bytes)};
    }
    clock_s += same.overhead_s;
  }
  return clock_s;
}

bool WholeExchanges::start(RankId rank, const ExchangeArgs& args) {
  if (!is_possible(rank, args)) return false;
  const std::optional<Seconds> sent_s = clock_after_sends(rank, args);
  if (!sent_s) return false;
  if (running_.empty()) running_.resize(job_.ranks.size());
  running_[rank] = {.args = &args,
                    .posted_s = job_.ranks[rank].clock_s,
                    .clock_s = *sent_s,
                    .next_to = args.sends.first,
                    .to_send = job_.size() - 1,
                    .to_receive = job_.size() - 1,
                    .matched = {}};
  return true;
}

WholeExchanges::Send WholeExchanges::take_send(RankId rank) {
  if (most_messages_ > 0 && job_.messages.in_use() >= most_messages_)
    too_many_messages(job_.size(), most_messages_);
  Running& exchange = running_[rank];
  const ExchangeOrder& order = exchange.args->sends;
  if (exchange.next_to == rank) exchange.next_to = order.next(rank, job_.size());
  const RankId to = std::exchange(exchange.next_to, order.next(exchange.next_to, job_.size()));
  --exchange.to_send;
  return {to, exchange.args->blocks.to(to)};
}

// The position of another rank in the order of the rank's receives.
std::uint32_t WholeExchanges::position(RankId rank, RankId source) const {
  const ExchangeOrder& order = running_[rank].args->receives;
  const auto distance = [&](RankId to) {
    const RankId steps = order.step > 0 ? to - order.first : order.first - to;
    return steps < 0 ? steps + job_.size() : steps;
  };
  const RankId steps = distance(source);
  return static_cast<std::uint32_t>(steps > distance(rank) ? steps - 1 : steps);
}

std::optional<RankId> WholeExchanges::first_missing_source(RankId rank) const {
  if (running_.empty() || running_[rank].args == nullptr) return std::nullopt;
  const Running& exchange = running_[rank];
  const ExchangeOrder& order = exchange.args->receives;
  RankId source = order.first;
  for (RankId i = 0; i < job_.size(); ++i, source = order.next(source, job_.size()))
    if (source != rank && !exchange.matched.contains(position(rank, source))) return source;
  return std::nullopt;
}

bool WholeExchanges::expects(const MessageRecord& message) const {
  if (running_.empty() || message.tag != 0 || message.source == message.destination) return false;
  const Running& exchange = running_[message.destination];
  return exchange.args != nullptr &&
         !exchange.matched.contains(position(message.destination, message.source));
}

Seconds WholeExchanges::match(MessageRecord& message) {
  Running& exchange = running_[message.destination];
  exchange.matched.insert(position(message.destination, message.source));
  message.recv_request = of_exchange;
  return exchange.posted_s;
}

void WholeExchanges::receive(MessageId id) {
  const MessageRecord& message = job_.messages[id];
  const RankId rank = message.destination;
  Running& exchange = running_[rank];
  exchange.clock_s = std::max(exchange.clock_s, message.time_s) + costs_.receive_overhead(message);
  if (const auto copy_s = costs_.copy_out_time(message)) exchange.clock_s += *copy_s;
  job_.messages.give_back(id);
  if (--exchange.to_receive == 0) wake_if_complete(rank);
}

void WholeExchanges::wake_if_complete(RankId rank) {
  const Running& exchange = running_[rank];
  if (exchange.to_send == 0 && exchange.to_receive == 0) job_.transport.wake(rank);
}

void WholeExchanges::finish(RankId rank) {
  job_.ranks[rank].clock_s = running_[rank].clock_s;
  running_[rank] = {};
}

}  // namespace tutti::runtime
