// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/fragments.hpp"

#include "sim/runtime/protocol_core.hpp"

namespace tutti::runtime {
namespace {

// The longest chain of waits through equal fragments 1 to n. It advances fragment by fragment
// through preparations or through ways, or by `depth` fragments at the price of one whole turn
// (way, preparation, round trip); as that is linear in the number of turns, either none or as many
// as fit are the longest.
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
  // Before its first turn a chain that ends with a preparation has seen preparations only.
  Seconds prepared_s(std::int64_t n) const {
    if (n < 1) return 0;
    const std::int64_t turns = (n - 1) / depth_;
    const Seconds at_once_s = static_cast<double>(n) * prepare_s_;
    if (turns == 0) return at_once_s;
    return std::max(
        {at_once_s, prepare_s_ + after_turns(n, 1), prepare_s_ + after_turns(n, turns)});
  }

 private:
  // From the first fragment to the n-th.
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

// Rendezvous messages that are prepared and move in fragments. The engines see one flow: it starts
// when the first fragment is prepared, and takes on a path of its own exactly as long as the
// fragments would. On a path that it shares so that it gets less than their mean rate the links
// alone decide, as they do for fragments that wait for each other on the way.

using platforms::Protocol;

bool ProtocolCore::is_in_fragments(const Message& message) const {
  return message.protocol == Protocol::rendezvous && message.bytes > 0 &&
         protocol(message.intra_node).fragment_max > 0;
}

Bytes ProtocolCore::last_fragment(const Message& message) const {
  return (message.bytes - 1) % protocol(message.intra_node).fragment_max + 1;
}

// Before a fragment moves. Over a memory bus it is copied into shared memory, at the rate of the
// copies where there is one, else at that of the copies out, which are the flow.
Seconds ProtocolCore::preparation(bool intra_node, Bytes bytes) const {
  const Seconds overhead_s = protocol(intra_node).overhead_of_fragment(bytes);
  if (!intra_node || !has_bus_) return overhead_s;
  const double flow_Bps =
      std::min(machine_.bus.bandwidth_Bps, machine_.rank_Bps.value_or(machine_.bus.bandwidth_Bps));
  return overhead_s + static_cast<double>(bytes) / intra_.copy_Bps.value_or(flow_Bps);
}

// The mean rate of the fragments from the first one's preparation on; infinite where the path is
// all that limits it.
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

// Eager messages are copied as a whole; of fragments all but the last have been copied while others
// moved, and over a memory bus the flow is the copy.
std::optional<Bytes> ProtocolCore::copied_out(const Message& message) const {
  if (message.protocol == Protocol::eager) return message.bytes;
  if (message.bytes > protocol(message.intra_node).copy_max) return std::nullopt;
  if (!is_in_fragments(message)) return message.bytes;
  if (message.intra_node && has_bus_) return std::nullopt;
  return last_fragment(message);
}

}  // namespace tutti::runtime
