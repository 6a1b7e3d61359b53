// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/message_costs.hpp"

#include "sim/runtime/fragments.hpp"

namespace tutti::runtime {

using platforms::MessageProtocol;
using platforms::NicOrder;
using platforms::Path;
using platforms::Protocol;

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

MessageCosts::MessageCosts(const platforms::Machine& machine, int nodes, Timing timing)
    : machine_(machine),
      timed_(timing == Timing::simulated),
      has_bus_(machine.intra_node == platforms::IntraNode::bus),
      inter_(timed_ ? machine.inter : without_costs(machine.inter)),
      intra_(timed_ ? machine.intra : without_costs(machine.intra)) {
  if (timed_)
    for (MessageProtocol* protocol : {&inter_, &intra_})
      protocol->extra_latency = protocol->extra_latency.plus(protocol->scale_latency(nodes));
}

double MessageCosts::rate_limit_Bps(const MessageRecord& message, const Path& path) const {
  const MessageProtocol& costs = protocol(message);
  const double factor = costs.bandwidth_factor(message.bytes + costs.envelope);
  double limit_Bps = std::min(path.both_ways_Bps, costs.window_Bps(path.latency_s));
  if (costs.message_Bps) limit_Bps = std::min(limit_Bps, *costs.message_Bps / efficiency(message));
  if (factor < 1) limit_Bps = std::min(limit_Bps, factor * path.bandwidth_Bps);
  if (limit_Bps >= path.bandwidth_Bps) limit_Bps = std::numeric_limits<double>::infinity();
  if (!is_in_fragments(message)) return limit_Bps;
  const double data_per_byte = efficiency(message);
  const double data_Bps = data_per_byte * std::min(limit_Bps, path.bandwidth_Bps);
  return std::min(limit_Bps, fragments_Bps(message, data_Bps) / data_per_byte);
}

Seconds MessageCosts::nic_time(const MessageRecord& message, const Path& path) const {
  if (!timed_) return 0;
  const MessageProtocol& costs = protocol(message);
  const Bytes bytes = message.bytes;
  if (costs.nic_order != NicOrder::fifo) return costs.gap(bytes);
  const double factor = costs.bandwidth_factor(bytes + costs.envelope);
  const double bandwidth_Bps = std::min(path.nic_bandwidth_Bps, path.bandwidth_Bps * factor);
  const double G = costs.gap_per_byte.value_or(1 / bandwidth_Bps);
  return std::max(costs.gap(bytes), costs.link_bytes(bytes) * G);
}

Seconds MessageCosts::flow_start(const MessageRecord& message, Seconds posted_s) const {
  const MessageProtocol& costs = protocol(message);
  const Seconds L_s = message.latency_s;
  Seconds start_s = std::max(message.time_s, posted_s + L_s);  // detached, or direct
  if (message.protocol == Protocol::rendezvous && !is_direct(message))
    start_s =
        std::max(message.time_s, posted_s) + 2 * L_s + costs.rendezvous_overhead(message.bytes);
  if (is_in_fragments(message))
    start_s += preparation(message.intra_node, std::min(message.bytes, costs.fragment_max));
  return start_s + extra_latency(message);
}

std::optional<Seconds> MessageCosts::copy_out_time(const MessageRecord& message) const {
  const auto& copy_Bps = protocol(message).copy_Bps;
  const auto bytes = copied_out(message);
  if (!copy_Bps || !bytes) return std::nullopt;
  return static_cast<double>(*bytes) / *copy_Bps;
}

// Eager messages are copied as a whole. Of fragments, only the last one is left to copy after the
// arrival; over a memory bus the flow itself is the copy.
std::optional<Bytes> MessageCosts::copied_out(const MessageRecord& message) const {
  if (message.protocol == Protocol::eager) return message.bytes;
  if (message.bytes > protocol(message).copy_max) return std::nullopt;
  if (!is_in_fragments(message)) return message.bytes;
  if (message.intra_node && has_bus_) return std::nullopt;
  return last_fragment(message);
}

// Rendezvous messages in fragments. The engines simulate one flow, which starts when the first
// fragment is prepared, and takes exactly as long as the fragments on an otherwise idle path. If
// shared links give it less than the mean rate of the fragments, only the links determine its rate,
// as they would for fragments that queue in the network.

bool MessageCosts::is_in_fragments(const MessageRecord& message) const {
  return message.protocol == Protocol::rendezvous && message.bytes > 0 &&
         protocol(message).fragment_max > 0;
}

Bytes MessageCosts::last_fragment(const MessageRecord& message) const {
  return (message.bytes - 1) % protocol(message).fragment_max + 1;
}

// The preparation of a fragment. For a memory bus it includes the copy into shared memory, at the
// copy bandwidth if given, else at the rate of the flow, which represents the copy out.
Seconds MessageCosts::preparation(bool intra_node, Bytes bytes) const {
  const Seconds overhead_s = protocol(intra_node).overhead_of_fragment(bytes);
  if (!intra_node || !has_bus_) return overhead_s;
  const double flow_Bps =
      std::min(machine_.bus.bandwidth_Bps, machine_.rank_Bps.value_or(machine_.bus.bandwidth_Bps));
  return overhead_s + static_cast<double>(bytes) / intra_.copy_Bps.value_or(flow_Bps);
}

// The mean rate of the fragments after the preparation of the first one; infinite if only the path
// limits it.
double MessageCosts::fragments_Bps(const MessageRecord& message, double path_Bps) const {
  const MessageProtocol& costs = protocol(message);
  const auto stage = [&](Bytes bytes) {
    return FragmentPipeline::Stage{preparation(message.intra_node, bytes),
                                   static_cast<double>(bytes) / path_Bps};
  };
  const FragmentPipeline pipeline{
      .fragments = (message.bytes - 1) / costs.fragment_max + 1,
      .depth = costs.pipeline_depth,
      .full = stage(std::min(message.bytes, costs.fragment_max)),
      .last = stage(last_fragment(message)),
      .round_trip_s = 2 * message.latency_s,
  };
  const double bytes = static_cast<double>(message.bytes);
  const Seconds moving_s = pipeline.duration_s() - pipeline.full.prepare_s - pipeline.round_trip_s;
  constexpr double rounding = 1e-12;
  if (moving_s <= bytes / path_Bps * (1 + rounding)) return std::numeric_limits<double>::infinity();
  return bytes / moving_s;
}

}  // namespace tutti::runtime
