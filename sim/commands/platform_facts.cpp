// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/platform_facts.hpp"

#include "platforms/parameters/messages.hpp"
#include "sim/base/beside_program.hpp"
#include "sim/commands/platform.hpp"
#include "sim/reports/cell_json.hpp"
#include "sim/reports/wrap.hpp"

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

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t facts_indent = 12;
constexpr std::size_t most_kinds = 12;

std::string facts_paragraph(std::string_view label, std::string_view text) {
  return reports::paragraph(text, facts_indent, label);
}

std::string link_text(const LinkKind& kind) {
  return fmt::format("{} x {}, {}{}", kind.count, format_rate(kind.link.bandwidth_Bps),
                     format_seconds(kind.link.latency_s),
                     kind.link.sharing == platforms::LinkSharing::shared ? "" : ", fat pipe");
}

std::string diameter_text(const PlatformFacts& facts) {
  const auto& [links, latency_s, from, to, pairs, all_pairs] = facts.diameter;
  const auto& topology = *facts.machine.topology;
  if (links == 0) return "a single node";
  std::string text =
      fmt::format("{} links ({} to {}), at most {}", links, printable(topology.host_name(from)),
                  printable(topology.host_name(to)), format_seconds(latency_s));
  const std::uint64_t hosts = facts.machine.host_count();
  if (!all_pairs)
    text += fmt::format("; over {} of the {} pairs of nodes", pairs, hosts * (hosts - 1));
  return text;
}

std::string bisection_text(const PlatformFacts& facts) {
  if (!facts.bisection_Bps)
    return facts.machine.host_count() < 2 ? "a single node" : "not computed: too large a network";
  return format_rate(*facts.bisection_Bps) +
         " from the lower half of the nodes to the upper (maximum flow)";
}

std::string switches_text(const PlatformFacts& facts) {
  if (!facts.switches) return "; switches not counted: too large a network";
  if (*facts.switches == 0) return {};
  return ", " + counted(*facts.switches, "switch");
}

std::string network_text(const PlatformFacts& facts) {
  std::string text;
  const auto& topology = *facts.machine.topology;
  const auto sizes = topology.parameters().empty() ? "" : " " + printable(topology.parameters());
  text += facts_paragraph("topology", topology.kind() + sizes + switches_text(facts));
  text += facts_paragraph("diameter", diameter_text(facts));
  for (std::size_t i = 0; i < facts.links.size() && i < most_kinds; ++i)
    text += facts_paragraph(i == 0 ? "links" : "", link_text(facts.links[i]));
  if (facts.links.size() > most_kinds)
    text += facts_paragraph("", fmt::format("and {} more kinds", facts.links.size() - most_kinds));
  return text + facts_paragraph("bisection", bisection_text(facts));
}

std::string shown(const Fact& fact) {
  constexpr std::size_t most = 26;  // piecewise values may be long; the file has them
  const std::string value = printable(fact.value);
  return value.size() <= most ? value : value.substr(0, most - 3) + "...";
}

std::string messages_text(const PlatformFacts& facts) {
  std::string text =
      fmt::format("\n{:<20}{:<25}{}\n", "messages", "between nodes", "inside a node");
  for (const auto& [name, between, inside] : facts.messages) {
    const std::string there = shown(between);
    const std::string here = shown(inside);
    std::string line = fmt::format("{:<20}", name);
    line +=
        fmt::format("{:<15} {:<9}", there, between.from == "default" ? "default" : between.from);
    line += fmt::format("{:<25}{}", here, inside.from);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string given_or(const Machine& machine, const char* key, const std::string& otherwise) {
  const auto fact = given_fact(machine, {key});
  return fact ? fmt::format("{} ({})", printable(fact->value), fact->from) : otherwise;
}

// "bcast, barrier over all ranks: a result in 2.5us, then 0.7 GB/s, a barrier in 1.5us".
std::string hardware_text(const platforms::HardwareCollectives& hardware) {
  const bool moves_data = hardware.names != std::vector<std::string>{"barrier"};
  std::string text = fmt::format("{} of all ranks by the network", fmt::join(hardware.names, ", "));
  if (moves_data)
    text += fmt::format("; latency {}, bandwidth {}", format_seconds(hardware.latency_s),
                        format_rate(hardware.bandwidth_Bps));
  if (std::ranges::find(hardware.names, "barrier") != hardware.names.end())
    text += fmt::format("; a barrier takes {}", format_seconds(hardware.barrier_s));
  return text;
}

std::string node_text(const Machine& machine) {
  std::string text;
  if (machine.intra_node == IntraNode::bus)
    text += facts_paragraph(
        "inside",
        fmt::format("a memory bus of {}, {}; a rank's core moves {}",
                    format_rate(machine.bus.bandwidth_Bps), format_seconds(machine.bus.latency_s),
                    given_or(machine, "mpi/intra_bandwidth", "all of it")));
  else
    text += facts_paragraph("inside", "messages go out through the network card and back");
  const auto receive = given_or(machine, "mpi/rank_receive_bandwidth", "as much");
  if (machine.rank_send_Bps)
    text += facts_paragraph(
        "processes", fmt::format("each sends to other nodes at most {} in all, and receives {}",
                                 given_or(machine, "mpi/rank_bandwidth", ""), receive));
  else if (machine.rank_receive_Bps)
    text += facts_paragraph(
        "processes", fmt::format("each receives from other nodes at most {} in all", receive));
  text += facts_paragraph("combine",
                          given_or(machine, "mpi/combine_bandwidth", "takes no time (default)"));
  if (machine.local_copy_Bps)
    text += facts_paragraph(
        "copies", given_or(machine, "mpi/local_copy_bandwidth", "as those of eager messages"));
  if (machine.allocation_Bps)
    text += facts_paragraph("buffers", given_or(machine, "mpi/allocation_bandwidth", ""));
  if (machine.arrival_skew_s > 0)
    text += facts_paragraph("arrivals", given_or(machine, "mpi/arrival_skew", "") +
                                            " late on average after a barrier, in benchmarks");
  if (machine.hardware) text += facts_paragraph("hardware", hardware_text(*machine.hardware));
  if (machine.default_ppn) text += facts_paragraph("ppn", given_or(machine, "mpi/ppn", ""));
  return text;
}

std::string models_text(const Machine& machine) {
  std::string text = "\n";
  const auto& hockney = machine.hockney;
  text +=
      facts_paragraph("Hockney", fmt::format("l {}, b {} ({})", format_seconds(hockney.l_s),
                                             format_rate(hockney.b_Bps), printable(hockney.set)));
  const auto add = [&](const platforms::LogGPParameters& set) {
    text += facts_paragraph(
        "LogGP", fmt::format("L {}, o {}, g {} (0 B), G {} ns/B ({})", format_seconds(set.L_s),
                             format_seconds(set.o_s), format_seconds(set.g_s(0)),
                             fmt::format("{:.4g}", 1e9 * set.G_s_per_B), printable(set.set)));
  };
  add(machine.loggp);
  for (const auto& [name, set] : machine.loggp_sets)
    if (set.set != machine.loggp.set) add(set);
  return text;
}

// One of those that come with the program: its numbers are described.
bool is_of_catalog(const Machine& machine) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  return fs::equivalent(fs::path(machine.file).parent_path(), beside_program("share/tutti/catalog"),
                        ignored);
}

std::string source_text(const Machine& machine) {
  std::string text = facts_paragraph("file", printable(machine.file));
  if (const auto source = machine.info("source"); !source.empty())
    text += facts_paragraph("source", printable(source));
  if (is_of_catalog(machine))
    text +=
        facts_paragraph("", fmt::format("The status and source of each number: catalog/README.md, "
                                        "section {}.",
                                        printable(machine.name)));
  return text;
}

Json json_of(const Fact& fact) { return {{"value", fact.value}, {"from", fact.from}}; }

}  // namespace

std::string facts_text(const PlatformFacts& facts) {
  const Machine& machine = facts.machine;
  std::string text = headline(machine) + '\n';
  text += reports::paragraph(printable(machine.info("description")), 0);
  return text + '\n' + network_text(facts) + messages_text(facts) + '\n' + node_text(machine) +
         models_text(machine) + '\n' + source_text(machine);
}

std::string facts_json(const PlatformFacts& facts) {
  const Machine& machine = facts.machine;
  const auto& topology = *machine.topology;
  Json links = Json::array();
  for (const auto& [link, count] : facts.links)
    links.push_back(
        {{"count", count},
         {"bandwidth_Bps", link.bandwidth_Bps},
         {"latency_s", link.latency_s},
         {"sharing", link.sharing == platforms::LinkSharing::shared ? "shared" : "fat pipe"}});
  Json messages = Json::object();
  for (const auto& [name, between, inside] : facts.messages)
    messages[name] = {{"between_nodes", json_of(between)}, {"inside_node", json_of(inside)}};
  Json sets = Json::array();
  for (const auto& [name, set] : machine.loggp_sets)
    sets.push_back({{"set", set.set},
                    {"L_s", set.L_s},
                    {"o_s", set.o_s},
                    {"g_s", set.g_s(0)},
                    {"G_s_per_B", set.G_s_per_B}});
  Json json{{"schema", "sim.platform/1"},
            {"name", machine.name},
            {"file", machine.file},
            {"hash", machine.content_hash},
            {"description", machine.info("description")},
            {"source", machine.info("source")},
            {"hosts", machine.host_count()},
            {"cores_per_host", machine.cores_per_host},
            {"cores", platforms::size_of(machine).cores},
            {"kind", topology.kind()},
            {"parameters", topology.parameters()},
            {"switches", nullptr},
            {"diameter",
             {{"links", facts.diameter.links},
              {"latency_s", facts.diameter.latency_s},
              {"pairs", facts.diameter.pairs},
              {"all_pairs", facts.diameter.all_pairs}}},
            {"links", links},
            {"bisection_Bps", nullptr},
            {"messages", messages},
            {"hockney",
             {{"set", machine.hockney.set},
              {"l_s", machine.hockney.l_s},
              {"b_Bps", machine.hockney.b_Bps}}},
            {"loggp", machine.loggp.set},
            {"loggp_sets", sets}};
  json["hardware_collectives"] = nullptr;
  if (machine.hardware)
    json["hardware_collectives"] = {{"names", machine.hardware->names},
                                    {"latency_s", machine.hardware->latency_s},
                                    {"bandwidth_Bps", machine.hardware->bandwidth_Bps},
                                    {"barrier_s", machine.hardware->barrier_s}};
  if (machine.rank_send_Bps) json["rank_bandwidth_Bps"] = *machine.rank_send_Bps;
  if (machine.rank_receive_Bps) json["rank_receive_bandwidth_Bps"] = *machine.rank_receive_Bps;
  if (facts.switches) json["switches"] = *facts.switches;
  if (facts.bisection_Bps) json["bisection_Bps"] = *facts.bisection_Bps;
  return reports::dumped(json, 2);
}

}  // namespace tutti::commands
