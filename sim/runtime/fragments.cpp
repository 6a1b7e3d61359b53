// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/fragments.hpp"

#include "sim/runtime/protocol_core.hpp"

namespace tutti::runtime {
namespace {

// The longest chain of dependencies through equal fragments 1 to n. It advances fragment by
// fragment through preparations or transfers, or by `depth` fragments with one whole turn
// (transfer, preparation, round trip). As its length is linear in the number of turns, the maximum
// has either no turns or as many as possible.
class EqualFragments {
 public:
  explicit EqualFragments(const FragmentPipeline& pipeline)
      : prepare_s_(pipeline.each.prepare_s),
        turn_s_(pipeline.each.prepare_s + pipeline.round_trip_s + pipeline.each.move_s),
        step_s_(std::max(pipeline.each.prepare_s, pipeline.each.move_s)),
        depth_(pipeline.depth > 0 ? pipeline.depth : pipeline.fragments) {}

  Seconds arrived_s(std::int64_t n) const {
    if (n < 1) return 0;
    return turn_s_ + std::max(after_turns(n, 0), after_turns(n, (n - 1) / depth_));
  }
  // Before its first turn, a chain that ends with a preparation consists only of preparations.
  Seconds prepared_s(std::int64_t n) const {
    if (n < 1) return 0;
    const std::int64_t turns = (n - 1) / depth_;
    const Seconds at_once_s = static_cast<double>(n) * prepare_s_;
    if (turns == 0) return at_once_s;
    return std::max(
        {at_once_s, prepare_s_ + after_turns(n, 1), prepare_s_ + after_turns(n, turns)});
  }

 private:
  // Length of a chain from the first fragment to the n-th with a given number of turns.
  Seconds after_turns(std::int64_t n, std::int64_t turns) const {
    return static_cast<double>(turns) * turn_s_ +
           static_cast<double>(n - 1 - turns * depth_) * step_s_;
  }

  Seconds prepare_s_;
  Seconds turn_s_;
  Seconds step_s_;
  std::int64_t depth_;
};

}  // namespace

Seconds FragmentPipeline::duration_s() const {
  const EqualFragments before(*this);
  const std::int64_t waited_for = depth > 0 ? fragments - depth : 0;
  const Seconds prepared_s =
      std::max(before.prepared_s(fragments - 1), before.arrived_s(waited_for)) + last.prepare_s;
  return std::max(prepared_s + round_trip_s, before.arrived_s(fragments - 1)) + last.move_s;
}

// Rendezvous messages in fragments. The engines simulate one flow, which starts when the first
// fragment is prepared, and takes exactly as long as the fragments on an otherwise idle path. If
// shared links give it less than the mean rate of the fragments, only the links determine its rate,
// as they would for fragments that queue in the network.

using platforms::Protocol;

bool ProtocolCore::is_in_fragments(const Message& message) const {
  return message.protocol == Protocol::rendezvous && message.bytes > 0 &&
         protocol(message.intra_node).fragment_max > 0;
}

Bytes ProtocolCore::last_fragment(const Message& message) const {
  return (message.bytes - 1) % protocol(message.intra_node).fragment_max + 1;
}

// The preparation of a fragment. For a memory bus it includes the copy into shared memory, at the
// copy bandwidth if given, else at the rate of the flow, which represents the copy out.
Seconds ProtocolCore::preparation(bool intra_node, Bytes bytes) const {
  const Seconds overhead_s = protocol(intra_node).overhead_of_fragment(bytes);
  if (!intra_node || !has_bus_) return overhead_s;
  const double flow_Bps =
      std::min(machine_.bus.bandwidth_Bps, machine_.rank_Bps.value_or(machine_.bus.bandwidth_Bps));
  return overhead_s + static_cast<double>(bytes) / intra_.copy_Bps.value_or(flow_Bps);
}

// The mean rate of the fragments after the preparation of the first one; infinite if only the path
// limits it.
double ProtocolCore::fragments_Bps(const Message& message, double path_Bps) const {
  const platforms::MessageProtocol& costs = protocol(message.intra_node);
  const auto stage = [&](Bytes bytes) {
    return FragmentPipeline::Stage{preparation(message.intra_node, bytes),
                                   static_cast<double>(bytes) / path_Bps};
  };
  const FragmentPipeline pipeline{
      .fragments = (message.bytes - 1) / costs.fragment_max + 1,
      .depth = costs.pipeline_depth,
      .each = stage(std::min(message.bytes, costs.fragment_max)),
      .last = stage(last_fragment(message)),
      .round_trip_s = 2 * message.latency_s,
  };
  const double bytes = static_cast<double>(message.bytes);
  const Seconds moving_s = pipeline.duration_s() - pipeline.each.prepare_s - pipeline.round_trip_s;
  constexpr double rounding = 1e-12;
  if (moving_s <= bytes / path_Bps * (1 + rounding)) return std::numeric_limits<double>::infinity();
  return bytes / moving_s;
}

// The bytes that the receiver copies out after the arrival. Eager messages are copied as a whole.
// Of fragments, only the last one is left to copy; over a memory bus the flow itself is the copy.
std::optional<Bytes> ProtocolCore::copied_out(const Message& message) const {
  if (message.protocol == Protocol::eager) return message.bytes;
  if (message.bytes > protocol(message.intra_node).copy_max) return std::nullopt;
  if (!is_in_fragments(message)) return message.bytes;
  if (message.intra_node && has_bus_) return std::nullopt;
  return last_fragment(message);
}

}  // namespace tutti::runtime
