// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/platform_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "platforms/analysis/bisection.hpp"
#include "platforms/parameters/messages.hpp"
#include "sim/base/units.hpp"

namespace tutti::commands {
namespace {

using platforms::IntraNode;
using platforms::Machine;
using platforms::MessageProtocol;

struct Parameter {
  std::string_view name;
  std::string_view otherwise;      // what holds where nothing is given
  std::string_view over_bus = "";  // the same over a memory bus; empty: as between nodes
};
constexpr Parameter shown_parameters[] = {{"eager_limit", "64KiB"},
                                          {"detached_limit", "none"},
                                          {"send_overhead", "0"},
                                          {"isend_overhead", "as send"},
                                          {"recv_overhead", "0"},
                                          {"gap", "0"},
                                          {"nic_order", "shared"},
                                          {"gap_per_byte", "none"},
                                          {"latency_factor", "1", "1"},
                                          {"bandwidth_factor", "1", "1"},
                                          {"extra_latency", "0", "0"},
                                          {"scale_latency", "0", "0"},
                                          {"rendezvous", "put", "put"},
                                          {"rendezvous_overhead", "0"},
                                          {"copy_bandwidth", "none"},
                                          {"copy_limit", "none"},
                                          {"eager_credits", "none", "none"},
                                          {"fragment_size", "none", "none"},
                                          {"pipeline_depth", "none", "none"},
                                          {"fragment_overhead", "send + recv", "send + recv"}};

// SMPI's limits are the first size beyond: the protocol knows the last one of the class.
std::string limit_text(Bytes limit) { return limit < 0 ? "none" : format_bytes(limit); }

std::optional<Bytes> limit_of(std::string_view name, const MessageProtocol& protocol) {
  if (name == "eager_limit") return protocol.eager_max;
  if (name == "detached_limit") return protocol.detached_max;
  if (name == "copy_limit") return protocol.copy_max;
  if (name == "fragment_size") return protocol.fragment_max;
  return std::nullopt;
}

bool is_of_nic(const Parameter& parameter) {
  return parameter.name == "nic_order" || parameter.name == "gap_per_byte";
}

// Neither is given as such: a time per byte implies the order, and counts in order `fifo` only.
Fact nic_fact(const Parameter& parameter, const MessageProtocol& protocol,
              const std::optional<Fact>& gap_per_byte) {
  const bool fifo = protocol.nic_order == platforms::NicOrder::fifo;
  if (parameter.name == "gap_per_byte") return {fifo ? "1/bandwidth" : "none", "default"};
  return {fifo ? "fifo" : "shared", gap_per_byte ? gap_per_byte->from : "default"};
}

Fact between_nodes(const Machine& machine, const Parameter& parameter) {
  const auto given = given_fact(machine, platforms::spellings(parameter.name));
  if (!given && is_of_nic(parameter))
    return nic_fact(parameter, machine.inter, given_fact(machine, {"mpi/gap_per_byte"}));
  auto fact = given.value_or(Fact{std::string(parameter.otherwise), "default"});
  const bool smpi_send = parameter.name == "isend_overhead" && fact.from == "default" &&
                         machine.inter.isend_overhead(0) != machine.inter.send_overhead(0);
  if (smpi_send) fact.value = "0";  // as in SMPI, where only smpi/os is given
  if (const auto limit = limit_of(parameter.name, machine.inter)) fact.value = limit_text(*limit);
  return fact;
}

// --set sends the messages of a bus through the network: what the file says of the bus is left out.
bool leaves_bus(const Machine& machine) {
  const auto mode = given_fact(machine, {"mpi/intra_node"});
  if (!mode || mode->from != "--set" || machine.intra_node != IntraNode::network) return false;
  return std::none_of(machine.given.begin(), machine.given.end(), [](const auto& each) {
    return each.key == "mpi/intra_node" && each.line > 0 && each.value == "network";
  });
}

Fact inside_node(const Machine& machine, const Parameter& parameter) {
  auto given = given_fact(machine, {fmt::format("mpi/intra_{}", parameter.name)});
  if (given && given->from != "--set" && leaves_bus(machine)) given.reset();
  if (!given && is_of_nic(parameter) && machine.intra.nic_order != machine.inter.nic_order)
    return nic_fact(parameter, machine.intra, given_fact(machine, {"mpi/intra_gap_per_byte"}));
  if (!given && !parameter.over_bus.empty() && machine.intra_node == IntraNode::bus)
    return {std::string(parameter.over_bus), "default"};
  if (!given) return {"as between", ""};
  if (const auto limit = limit_of(parameter.name, machine.intra)) given->value = limit_text(*limit);
  return *given;
}

std::vector<LinkKind> link_kinds(const platforms::Topology& topology) {
  std::map<std::tuple<double, double, platforms::LinkSharing>, std::uint64_t> counts;
  for (platforms::LinkId id = 0, end = 0; id < topology.link_count(); id = end) {
    const auto link = topology.link(id);
    end = topology.end_of_equal_links(id);
    counts[{link.bandwidth_Bps, link.latency_s, link.sharing}] += end - id;
  }
  std::vector<LinkKind> kinds;
  for (const auto& [link, count] : counts)
    kinds.push_back({{std::get<0>(link), std::get<1>(link), std::get<2>(link)}, count});
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  return kinds;
}

}  // namespace

std::optional<Fact> given_fact(const Machine& machine, const std::vector<std::string>& keys) {
  for (const bool overridden : {true, false})
    for (const auto& key : keys)
      for (const auto& each : machine.given)
        if (each.key == key && (each.line == 0) == overridden)
          return Fact{each.value, overridden ? "--set" : fmt::format("line {}", each.line)};
  return std::nullopt;
}

PlatformFacts facts_of(const Machine& machine) {
  constexpr platforms::LinkId most_links = 10'000'000;  // of which a graph is some 100s of MB
  PlatformFacts facts{.machine = machine,
                      .diameter = platforms::diameter(*machine.topology),
                      .links = link_kinds(*machine.topology)};
  if (machine.topology->link_count() <= most_links) {
    const auto graph = machine.topology->graph();
    facts.switches = graph.switches.size();
    facts.bisection_Bps = platforms::bisection_Bps(*machine.topology, graph);
  }
  for (const auto& parameter : shown_parameters)
    facts.messages.push_back({std::string(parameter.name), between_nodes(machine, parameter),
                              inside_node(machine, parameter)});
  return facts;
}

}  // namespace tutti::commands
