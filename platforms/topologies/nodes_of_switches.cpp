// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/nodes_of_switches.hpp"

#include "platforms/topologies/shape_fields.hpp"

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

namespace {

using shape_fields::parse_count;
using shape_fields::reject;

// "10" or "0"
Result<std::uint32_t> parse_nodes(std::string_view text, const char* form) {
  if (text == "0") return 0u;
  return parse_count(text, form);
}

}  // namespace

Result<std::vector<NodeRun>> parse_runs(std::string_view text, std::uint64_t switches,
                                        const char* form) {
  constexpr std::uint64_t most_switches = most_links;
  if (switches > most_switches)
    return reject(fmt::format("more than {} switches", most_switches), form);
  if (text.find('x') == std::string_view::npos)
    return std::vector<NodeRun>{
        {TUTTI_TRY(parse_count(text, form)), static_cast<std::uint32_t>(switches)}};
  std::vector<NodeRun> runs;
  for (const auto part : split(text, ',')) {
    const auto times = part.find('x');
    if (times == std::string_view::npos)
      return reject(fmt::format("invalid run {}: expected NODESxSWITCHES", in_quotes(part)), form);
    const auto nodes = TUTTI_TRY(parse_nodes(part.substr(0, times), form));
    runs.push_back({nodes, TUTTI_TRY(parse_count(part.substr(times + 1), form))});
  }
  if (const auto found = switches_of(runs); found != switches)
    return reject(fmt::format("the runs {} have {} switches, but there are {} with nodes",
                              in_quotes(text), found, switches),
                  "a run is NODESxSWITCHES; NODES may be 0");
  if (hosts_of(runs) == 0) return reject("no switch has nodes", form);
  return runs;
}

std::string product_text(const std::vector<std::uint32_t>& switches,
                         const std::vector<NodeRun>& runs) {
  if (runs.size() == 1)
    return fmt::format("{} x {}", fmt::join(switches, " x "), runs.front().nodes);
  std::vector<std::string> parts;
  for (const auto& run : runs) parts.push_back(fmt::format("{} x {}", run.nodes, run.switches));
  return fmt::format("{}", fmt::join(parts, " + "));
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
