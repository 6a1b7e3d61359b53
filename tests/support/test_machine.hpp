// SPDX-License-Identifier: BSD-3-Clause
// A machine with round numbers for tests: every host has an uplink and a downlink.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <numeric>

#include "platforms/machine.hpp"
#include "platforms/placement.hpp"

namespace tutti::tests {

class TwoLinkTopology : public platforms::Topology {
 public:
  TwoLinkTopology(platforms::HostId hosts, platforms::Link link) : hosts_(hosts), link_(link) {}
  std::string kind() const override { return "test"; }
  platforms::HostId host_count() const override { return hosts_; }
  platforms::LinkId link_count() const override { return 2 * hosts_; }
  platforms::Link link(platforms::LinkId) const override { return link_; }
  std::string host_name(platforms::HostId id) const override { return fmt::format("h{}", id); }
  std::string link_name(platforms::LinkId id) const override { return fmt::format("l{}", id); }
  void route(platforms::HostId source, platforms::HostId destination,
             std::vector<platforms::LinkId>& links) const override {
    links.push_back(2 * source);
    links.push_back(2 * destination + 1);
  }
  platforms::Graph graph() const override { return {.hosts = hosts_, .switches = {}, .edges = {}}; }

 private:
  platforms::HostId hosts_;
  platforms::Link link_;
};

// 1 GB/s links with 1 us each (route: 2 us), a bus of 4 GB/s and 0.5 us, eager up to 1000 B, no
// overheads, no copies. Tests change what they need.
inline platforms::Machine test_machine(platforms::HostId hosts) {
  platforms::Machine machine;
  machine.name = "test";
  machine.topology = std::make_unique<TwoLinkTopology>(
      hosts, platforms::Link{.bandwidth_Bps = 1e9, .latency_s = 1e-6});
  machine.cores_per_host = 4;
  machine.intra_node = platforms::IntraNode::bus;
  machine.bus = {.bandwidth_Bps = 4e9, .latency_s = 0.5e-6};
  machine.inter.eager_max = machine.intra.eager_max = 1000;
  machine.inter.detached_max = machine.intra.detached_max = 1000;
  return machine;
}

// Rank r on host r / ppn.
inline platforms::Placement test_placement(int procs, int ppn = 1) {
  platforms::Placement placement;
  placement.nodes = (procs + ppn - 1) / ppn;
  placement.ppn = ppn;
  for (int rank = 0; rank < procs; ++rank)
    placement.host_of.push_back(static_cast<platforms::HostId>(rank / ppn));
  return placement;
}

}  // namespace tutti::tests
