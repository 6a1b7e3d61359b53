// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/changed_machine.hpp"

#include "platforms/topologies/derived_topology.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {
namespace {

void make_eager(MessageProtocol& protocol) {
  protocol.eager_max = std::numeric_limits<Bytes>::max();
  protocol.detached_max = -1;
  protocol.copy_max = -1;
  protocol.gap_per_byte.reset();
  protocol.copy_Bps.reset();
  protocol.eager_credits = 0;
  protocol.fragment_max = -1;
}

// The same network with slower or faster links.
class ScaledTopology final : public DerivedTopology {
 public:
  ScaledTopology(std::shared_ptr<const Topology> plain, double factor)
      : DerivedTopology(std::move(plain)), factor_(factor) {}

  Link link(LinkId id) const override {
    Link link = network().link(id);
    link.bandwidth_Bps /= factor_;
    return link;
  }

 private:
  double factor_;
};

void scale_protocol(MessageProtocol& protocol, double factor) {
  if (protocol.gap_per_byte) *protocol.gap_per_byte *= factor;
  if (protocol.copy_Bps) *protocol.copy_Bps /= factor;
}

}  // namespace

Machine with_scaled_bytes(const Machine& machine, double factor) {
  TUTTI_CHECK(factor > 0, "the factor must be positive");
  Machine quicker = machine;
  quicker.topology = std::make_shared<ScaledTopology>(machine.topology, factor);
  if (quicker.rank_send_Bps) *quicker.rank_send_Bps /= factor;
  if (quicker.rank_receive_Bps) *quicker.rank_receive_Bps /= factor;
  scale_protocol(quicker.inter, factor);
  if (machine.intra_node == IntraNode::network) scale_protocol(quicker.intra, factor);
  return quicker;
}

Machine with_single_paths(const Machine& machine) {
  Machine single = machine;
  single.routing = Routing::fixed;
  single.stripe_from.reset();
  return single;
}

Machine without_nodes(const Machine& machine) {
  Machine simplified = machine;
  simplified.intra_node = IntraNode::network;
  simplified.intra = machine.inter;
  simplified.rank_Bps.reset();
  return simplified;
}

Machine without_protocol(const Machine& machine) {
  Machine simplified = machine;
  make_eager(simplified.inter);
  make_eager(simplified.intra);
  simplified.local_copy_Bps.reset();
  return simplified;
}

Machine for_devices(const Machine& machine, DeviceProtocol protocol) {
  TUTTI_CHECK(machine.devices.has_value(), "a machine without GPUs");
  const DeviceProtocolCosts& costs = machine.devices->costs(protocol);
  MessageProtocol message{.eager_max = std::numeric_limits<Bytes>::max()};
  message.efficiency = Piecewise(costs.efficiency);
  message.message_Bps = costs.channel_Bps;
  Machine derived = machine;
  derived.intra_node = IntraNode::devices;
  derived.inter = derived.intra = message;
  derived.inter.extra_latency = Piecewise(costs.latency_s);
  derived.intra.extra_latency = Piecewise(costs.link_latency_s);
  derived.bus_Bps.reset();
  derived.bus_max = -1;
  derived.sockets = {};
  derived.rank_Bps.reset();
  derived.rank_send_Bps = derived.rank_receive_Bps = machine.devices->nic_Bps;
  derived.stripe_from.reset();
  derived.combine_Bps.reset();
  derived.local_copy_Bps.reset();
  derived.piece_overhead_s = 0;
  derived.memory_Bps.reset();
  derived.allocation_Bps.reset();
  derived.accuracy = {};
  derived.follows_smpi = derived.cross_traffic = false;
  return derived;
}

std::unique_ptr<const Machine> for_call_on_nodes(const Machine& machine, const NodeLoad& load) {
  const Bytes bytes = load.working_set_bytes;
  const double bus_Bps = machine.bus_Bps ? (*machine.bus_Bps)(bytes) : machine.bus.bandwidth_Bps;
  const double memory_Bps =
      machine.memory_Bps ? (*machine.memory_Bps)(bytes) : std::numeric_limits<double>::infinity();
  if (bus_Bps == machine.bus.bandwidth_Bps && std::isinf(memory_Bps)) return nullptr;
  auto changed = std::make_unique<Machine>(machine);
  if (bus_Bps != machine.bus.bandwidth_Bps) {
    changed->sockets.bus_Bps *= bus_Bps / machine.bus.bandwidth_Bps;
    changed->bus.bandwidth_Bps = bus_Bps;
  }
  const auto wait = [&](std::optional<Piecewise>& rate_Bps, double moved_per_byte) {
    if (rate_Bps)
      rate_Bps = rate_Bps->slowed_by((load.busy_ranks - 1) * moved_per_byte / memory_Bps);
  };
  wait(changed->combine_Bps, 3);
  wait(changed->local_copy_Bps, 2);
  wait(changed->allocation_Bps, 1);
  return changed;
}

}  // namespace tutti::platforms
