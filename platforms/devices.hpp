// SPDX-License-Identifier: BSD-3-Clause
// The accelerators (GPUs) of a machine's nodes: their links, and the costs of NCCL's three
// protocols. NCCL's programs run on the machine that for_devices() derives, in which a rank is a
// GPU.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::platforms {

// How NCCL's kernels move data (NVIDIA/nccl 2.27, src/device): in slots that a flag releases, or
// with flags among the data, 4 of 8 bytes or 8 of 128.
enum class DeviceProtocol : std::uint8_t { simple, ll, ll128 };
inline constexpr std::array<std::string_view, 3> device_protocol_names = {"simple", "ll", "ll128"};

struct DeviceProtocolCosts {
  Seconds link_latency_s = 0;  // of a hop between two GPUs of a domain
  Seconds latency_s = 0;       // of a hop over the network, in addition to its links
  double efficiency = 1;       // data per byte that crosses a link
  // Rate of the data of one channel, which one thread block moves. Unset: that of the links.
  std::optional<double> channel_Bps{};
};

// The links between the GPUs of a domain.
enum class DeviceLinks : std::uint8_t {
  switched,  // each GPU has a link to a switch and one from it
  mesh,      // each pair of GPUs has a link in each direction, with an equal part of the rate
};

struct Devices {
  int per_node = 0;
  DeviceLinks links = DeviceLinks::switched;
  double link_Bps = 0;  // of one GPU to all others of its domain, in each direction
  // Of the NIC that serves a GPU, in each direction. Unset: that of the links of its node, or of
  // its rail.
  std::optional<double> nic_Bps{};
  // Consecutive nodes whose GPUs are linked with each other; 1: those of a node.
  std::uint32_t domain_nodes = 1;
  bool has_multicast = false;  // the switch copies and combines data (NVLink SHARP)
  Seconds launch_s = 0;        // from the call to the first message
  int channels = 0;            // most channels of a call
  std::string architecture{};  // by which NCCL chooses: "volta", "ampere", "hopper", "blackwell"
  std::array<DeviceProtocolCosts, device_protocol_names.size()> protocols{};

  const DeviceProtocolCosts& costs(DeviceProtocol protocol) const {
    return protocols.at(static_cast<std::size_t>(protocol));
  }
};

}  // namespace tutti::platforms
