// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/nodes_of_switches.hpp"

namespace tutti::platforms {

std::uint64_t hosts_of(const std::vector<NodeRun>& runs) {
  std::uint64_t hosts = 0;
  for (const auto& run : runs)
    hosts = saturating_sum(hosts, saturating_product(run.nodes, run.switches));
  return hosts;
}

std::uint64_t switches_of(const std::vector<NodeRun>& runs) {
  std::uint64_t switches = 0;
  for (const auto& run : runs) switches = saturating_sum(switches, run.switches);
  return switches;
}

NodesOfSwitches::NodesOfSwitches(const std::vector<NodeRun>& runs) {
  HostId host = 0;
  std::uint32_t first_switch = 0;
  even_ = runs.front().nodes;
  for (const auto& run : runs) {
    if (run.nodes > 0) runs_.push_back({Divisor(run.nodes), host, first_switch});
    if (run.nodes != even_) even_.reset();
    host += run.nodes * run.switches;
    first_switch += run.switches;
  }
  TUTTI_CHECK(!runs_.empty(), "a network without hosts");
}

std::uint32_t NodesOfSwitches::switch_of(HostId host) const {
  const auto next = std::upper_bound(runs_.begin(), runs_.end(), host,
                                     [](HostId h, const Run& run) { return h < run.first_host; });
  const Run& run = *(next - 1);
  return run.first_switch + run.nodes.quotient(host - run.first_host);
}

std::optional<std::uint32_t> NodesOfSwitches::even() const { return even_; }

}  // namespace tutti::platforms
