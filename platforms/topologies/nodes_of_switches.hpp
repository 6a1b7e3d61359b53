// SPDX-License-Identifier: BSD-3-Clause
// The switch of each host. The hosts of a switch have consecutive numbers, and switches may have
// different numbers of hosts.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/topologies/saturating.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// `switches` consecutive switches with `nodes` hosts each.
struct NodeRun {
  std::uint32_t nodes = 1;     // may be 0
  std::uint32_t switches = 1;  // at least 1
};

std::uint64_t hosts_of(const std::vector<NodeRun>& runs);     // saturates at 64 bits
std::uint64_t switches_of(const std::vector<NodeRun>& runs);  // the same

// Reads NODES of `topo_parameters`, the nodes of all switches ("10") or runs of switches
// ("10x342,16x32"). `form` is the expected syntax.
Result<std::vector<NodeRun>> parse_runs(std::string_view text, std::uint64_t switches,
                                        const char* form);
// The product that the number of hosts must equal: "4 x 3 x 2", or with runs "2 x 8 + 1 x 4".
std::string product_text(const std::vector<std::uint32_t>& switches,
                         const std::vector<NodeRun>& runs);

class NodesOfSwitches {
 public:
  // At most 2^24 hosts, at least one.
  explicit NodesOfSwitches(const std::vector<NodeRun>& runs);

  std::uint32_t switch_of(HostId host) const;
  // Nodes of each switch if all have as many.
  std::optional<std::uint32_t> even() const;

 private:
  struct Run {
    Divisor nodes;
    HostId first_host;
    std::uint32_t first_switch;
  };
  std::vector<Run> runs_;  // those with nodes
  std::optional<std::uint32_t> even_;
};

}  // namespace tutti::platforms
