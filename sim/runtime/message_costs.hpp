// SPDX-License-Identifier: BSD-3-Clause
// The costs of a message on a machine, as functions of its size, path and protocol; the equations
// are in README.md.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/job_state.hpp"

namespace tutti::runtime {

class MessageCosts {
 public:
  // `nodes`: number of nodes of the job.
  MessageCosts(const platforms::Machine& machine, int nodes, Timing timing);

  const platforms::MessageProtocol& protocol(bool intra_node) const {
    return intra_node ? intra_ : inter_;
  }
  const platforms::MessageProtocol& protocol(const MessageRecord& message) const {
    return protocol(message.intra_node);
  }
  // Whether messages inside a node use the memory bus.
  bool has_bus() const { return has_bus_; }
  // Whether receivers have a limited number of buffers for eager messages.
  bool has_credits() const { return inter_.eager_credits > 0 || intra_.eager_credits > 0; }

  // Bytes of the data and their envelope that are moved per byte of the links' bandwidth.
  double efficiency(const MessageRecord& message) const {
    const platforms::MessageProtocol& costs = protocol(message);
    return costs.efficiency(message.bytes + costs.envelope);
  }
  // Maximum rate of the message's flow, in bytes of the links' bandwidth per second; infinite if
  // only the links limit it.
  double rate_limit_Bps(const MessageRecord& message, const platforms::Path& path) const;

  // Whether the flow of a rendezvous message starts without a handshake.
  bool is_direct(const MessageRecord& message) const {
    return protocol(message).rendezvous == platforms::Rendezvous::direct;
  }
  // The time for which an eager message occupies the NIC or the memory bus.
  Seconds nic_time(const MessageRecord& message, const platforms::Path& path) const;
  // Latency of the data in addition to that of the route.
  Seconds extra_latency(const MessageRecord& message) const {
    return protocol(message).extra_latency(message.bytes);
  }
  // When the flow of a detached or rendezvous message starts whose receive was posted at
  // `posted_s`.
  Seconds flow_start(const MessageRecord& message, Seconds posted_s) const;
  // The time from the end of a rendezvous to the completion of its send, which the receiver reports
  // if it has read the data.
  Seconds ack_time(const MessageRecord& message) const {
    return protocol(message).rendezvous == platforms::Rendezvous::get ? message.latency_s : 0;
  }
  Seconds receive_overhead(const MessageRecord& message) const {
    if (message.protocol == platforms::Protocol::rendezvous && is_direct(message)) return 0;
    return protocol(message).recv_overhead(message.bytes);
  }
  // The time in which the receiver copies the message out after its arrival; unset if it does not.
  std::optional<Seconds> copy_out_time(const MessageRecord& message) const;

 private:
  std::optional<Bytes> copied_out(const MessageRecord& message) const;
  bool is_in_fragments(const MessageRecord& message) const;
  Bytes last_fragment(const MessageRecord& message) const;
  Seconds preparation(bool intra_node, Bytes bytes) const;
  double fragments_Bps(const MessageRecord& message, double path_Bps) const;

  const platforms::Machine& machine_;
  bool timed_;
  bool has_bus_;
  platforms::MessageProtocol inter_;  // between nodes
  platforms::MessageProtocol intra_;  // inside a node
};

}  // namespace tutti::runtime
