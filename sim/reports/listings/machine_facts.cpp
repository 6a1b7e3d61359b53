// SPDX-License-Identifier: BSD-3-Clause
// Lists the parts of a machine and the origin of each number.

#include "platforms/analysis/distances.hpp"
#include "platforms/parameters/messages.hpp"
#include "platforms/parameters/routing.hpp"
#include "platforms/parameters/simgrid_keys.hpp"
#include "platforms/topology_description.hpp"
#include "sim/base/program_files.hpp"
#include "sim/jobs/accelerators.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/listings/listings.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {
namespace {

using platforms::IntraNode;
using platforms::LinkSharing;
using platforms::LogGPParameters;
using platforms::Machine;
using platforms::MessageProtocol;

// The value of a parameter as text, and its origin ("line 12", "--set", "default").
struct Origin {
  std::string value;
  std::string from;
};

// The value given for one of `keys`; unset if neither the file, nor --set, nor SMPI has one.
std::optional<Origin> given_fact(const Machine& machine, const std::vector<std::string>& keys) {
  for (const bool overridden : {true, false})
    for (const auto& key : keys)
      for (const auto& parameter : machine.given)
        if (parameter.key == key && (parameter.line == 0) == overridden)
          return Origin{parameter.value, overridden ? "--set"
                                         : parameter.line < 0
                                             ? "SMPI"
                                             : fmt::format("line {}", parameter.line)};
  return std::nullopt;
}

struct Parameter {
  std::string_view name;
  std::string_view otherwise;      // default
  std::string_view over_bus = "";  // default over a memory bus; empty: as between nodes
  bool only_if_given = false;
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
                                          {"efficiency", "1", "1", true},
                                          {"envelope", "0", "", true},
                                          {"window", "none", "none", true},
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

// SMPI's limits are the first size beyond a class; MessageProtocol stores the last size within it.
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

// The value of `nic_order` or `gap_per_byte` if it is not given itself: a time per byte implies the
// order `fifo`, and applies only in that order.
Origin nic_fact(const Parameter& parameter, const MessageProtocol& protocol,
                const std::optional<Origin>& gap_per_byte) {
  const bool fifo = protocol.nic_order == platforms::NicOrder::fifo;
  if (parameter.name == "gap_per_byte") return {fifo ? "1/bandwidth" : "none", "default"};
  return {fifo ? "fifo" : "shared", gap_per_byte ? gap_per_byte->from : "default"};
}

Origin between_nodes(const Machine& machine, const Parameter& parameter) {
  const auto given = given_fact(machine, platforms::spellings(parameter.name));
  if (!given && is_of_nic(parameter))
    return nic_fact(parameter, machine.inter, given_fact(machine, {"mpi/gap_per_byte"}));
  auto fact = given.value_or(Origin{std::string(parameter.otherwise), "default"});
  if (const auto limit = limit_of(parameter.name, machine.inter)) fact.value = limit_text(*limit);
  return fact;
}

// True if --set sends messages through the network instead of the bus that the file defines. The
// file's parameters of the bus then have no effect.
bool leaves_bus(const Machine& machine) {
  const auto mode = given_fact(machine, {"mpi/intra_node"});
  if (!mode || mode->from != "--set" || machine.intra_node != IntraNode::network) return false;
  return std::none_of(machine.given.begin(), machine.given.end(), [](const auto& parameter) {
    return parameter.key == "mpi/intra_node" && parameter.line > 0 && parameter.value == "network";
  });
}

Origin inside_node(const Machine& machine, const Parameter& parameter) {
  auto given = given_fact(machine, {fmt::format("mpi/intra_{}", parameter.name)});
  if (given && given->from != "--set" && leaves_bus(machine)) given.reset();
  if (!given && is_of_nic(parameter) && machine.intra.nic_order != machine.inter.nic_order)
    return nic_fact(parameter, machine.intra, given_fact(machine, {"mpi/intra_gap_per_byte"}));
  const bool is_smpis = machine.follows_smpi && (parameter.name == "rendezvous" ||
                                                 platforms::simgrid_names(parameter.name));
  if (!given && !is_smpis && !parameter.over_bus.empty() && machine.intra_node == IntraNode::bus)
    return {std::string(parameter.over_bus), "default"};
  if (!given) return {"as between", ""};
  if (const auto limit = limit_of(parameter.name, machine.intra)) given->value = limit_text(*limit);
  return *given;
}

// Links with the same bandwidth, latency and sharing.
struct LinkKind {
  platforms::Link link;
  std::uint64_t count = 0;
};

std::string_view sharing_of(const LinkKind& kind) { return reports::sharing_of(kind.link); }

// The kinds of links, the most frequent first.
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

// With this many links, the graph of the network takes some hundred MB.
constexpr platforms::LinkId most_links = 10'000'000;

std::string diameter_text(const Machine& machine, const platforms::Diameter& diameter) {
  const auto& topology = *machine.topology;
  if (diameter.links == 0) return "a single node";
  std::string text = fmt::format("{} links ({} to {}), at most {}", diameter.links,
                                 topology.host_name(diameter.from), topology.host_name(diameter.to),
                                 format_seconds(diameter.latency_s));
  const std::uint64_t hosts = machine.host_count();
  if (!diameter.all_pairs)
    text += fmt::format("; computed for {} of the {} pairs of nodes", diameter.pairs,
                        hosts * (hosts - 1));
  return text;
}

void add_diameter(const Machine& machine, Document& listing) {
  const auto diameter = platforms::diameter(*machine.topology);
  listing.know("diameter.links", diameter.links);
  listing.know("diameter.latency_s", diameter.latency_s);
  listing.know("diameter.pairs", diameter.pairs);
  listing.know("diameter.all_pairs", diameter.all_pairs);
  listing.add_fact("diameter", diameter_text(machine, diameter));
}

DocumentTable links_table(const std::vector<LinkKind>& kinds) {
  TableOf table(kinds, {.name = "links", .title = "Links"});
  table.add("count", {"count"}, &LinkKind::count);
  table.add("bandwidth_Bps", {"bandwidth", Shown::rate},
            [](auto& kind) { return kind.link.bandwidth_Bps; });
  table.add("latency_s", {"latency", Shown::time}, [](auto& kind) { return kind.link.latency_s; });
  table.add("sharing", {"sharing"}, sharing_of);
  return table.take();
}

std::string bisection_text(const Machine& machine, const std::optional<double>& bisection_Bps) {
  if (!bisection_Bps)
    return machine.host_count() < 2 ? "a single node" : "not computed: network too large";
  return format_rate(*bisection_Bps) +
         " from the lower half of the nodes to the upper (maximum flow)";
}

std::string switches_text(const std::optional<std::size_t>& switches) {
  if (!switches) return "; switches not counted: network too large";
  return *switches == 0 ? "" : ", " + counted(*switches, "switch");
}

// Omits switches and bisection bandwidth of networks that are too large, and the bisection
// bandwidth of a single node.
void add_network(const Machine& machine, Document& listing) {
  const auto& topology = *machine.topology;
  std::optional<std::size_t> switches;
  std::optional<double> bisection_Bps;
  if (topology.link_count() <= most_links) {
    const auto graph = topology.graph();
    switches = graph.switches.size();
    bisection_Bps = platforms::bisection_Bps(topology, graph);
  }
  listing.know("switches", switches);
  listing.add_fact("topology", topology.describe().words + switches_text(switches));
  auto routing = platform_source(machine, machine.name).routing;
  constexpr std::string_view label = "routing ";
  if (routing.starts_with(label)) routing.erase(0, label.size());
  listing.add_fact("routing", routing.empty() ? "a fixed route (default)" : routing);
  add_diameter(machine, listing);
  listing.place_table("links");
  listing.know("bisection_Bps", bisection_Bps);
  listing.add_fact("bisection", bisection_text(machine, bisection_Bps));
}

// A parameter of messages between nodes and inside a node.
struct Message {
  std::string_view name;
  Origin between, inside;
};

bool is_factor(std::string_view name) { return name.ends_with("_factor") || name == "efficiency"; }

// The values that the table abbreviates.
std::vector<std::string> values_by_size(const std::vector<Message>& messages) {
  std::vector<std::string> notes;
  for (const auto& message : messages)
    for (const auto& [origin, place] : {std::pair(&message.between, "between nodes"),
                                        std::pair(&message.inside, "inside a node")})
      if (is_by_size(origin->value))
        notes.push_back(fmt::format("{} {}: {}", message.name, place,
                                    by_size_text(origin->value, is_factor(message.name))));
  return notes;
}

DocumentTable messages_table(const Machine& machine) {
  std::vector<Message> messages;
  for (const auto& parameter : shown_parameters) {
    const Message message{parameter.name, between_nodes(machine, parameter),
                          inside_node(machine, parameter)};
    const auto is_given = [](const Origin& origin) {
      return !origin.from.empty() && origin.from != "default";
    };
    if (!parameter.only_if_given || is_given(message.between) || is_given(message.inside))
      messages.push_back(message);
  }
  TableOf table(messages,
                {.name = "messages", .notes = values_by_size(messages), .is_keyed = true});
  table.add("name", {"messages"}, &Message::name);
  table.add("between_nodes.value", {"between nodes", Shown::by_size},
            [](auto& message) { return message.between.value; });
  table.add("between_nodes.from", {"from"}, [](auto& message) { return message.between.from; });
  table.add("inside_node.value", {"inside a node", Shown::by_size},
            [](auto& message) { return message.inside.value; });
  table.add("inside_node.from", {"from"}, [](auto& message) { return message.inside.from; });
  return table.take();
}

std::string given_or(const Machine& machine, const char* key, const std::string& otherwise) {
  const auto fact = given_fact(machine, {key});
  return fact ? fmt::format("{} ({})", by_size_text(fact->value), fact->from) : otherwise;
}

// "bcast, barrier over all ranks in network hardware; latency 2.50 us, bandwidth 700 MB/s; ...".
std::string hardware_text(const platforms::HardwareCollectives& hardware) {
  const bool moves_data = hardware.names != std::vector<std::string>{"barrier"};
  std::string text =
      fmt::format("{} over all ranks in network hardware", fmt::join(hardware.names, ", "));
  if (moves_data)
    text += fmt::format("; latency {}, bandwidth {}", format_seconds(hardware.latency_s),
                        format_rate(hardware.bandwidth_Bps));
  if (std::ranges::find(hardware.names, "barrier") != hardware.names.end())
    text += fmt::format("; a barrier takes {}", format_seconds(hardware.barrier_s));
  return text;
}

std::string bus_text(const Machine& machine) {
  if (machine.intra_node != IntraNode::bus) return "messages go out through the NIC and back";
  const auto& sockets = machine.sockets;
  const std::string buses =
      sockets.count > 1
          ? fmt::format("{} sockets, each with a memory bus of {}", sockets.count,
                        format_rate(sockets.bus_Bps))
          : fmt::format("a memory bus with {}", format_rate(machine.bus.bandwidth_Bps));
  std::string text = fmt::format("{}, latency {}; each core uses at most {}", buses,
                                 format_seconds(machine.bus.latency_s),
                                 given_or(machine, "mpi/intra_bandwidth", "the full bandwidth"));
  if (machine.bus_Bps) text += "; by working set: " + given_or(machine, "mpi/bus_bandwidth", "");
  if (machine.bus_max >= 0)
    text += fmt::format("; also messages between nodes of up to {}", format_bytes(machine.bus_max));
  return text;
}

// "100 GB/s from or to the other sockets, 20.0 ns longer".
std::string socket_link_text(const platforms::Sockets& sockets) {
  return fmt::format("{} from or to the other sockets, {} longer",
                     sockets.link_Bps ? format_rate(*sockets.link_Bps) : "no limit",
                     format_seconds(sockets.link_latency_s));
}

void report_node(const Machine& machine, Document& listing) {
  const auto add_fact = [&](const char* label, const char* key, const std::string& otherwise = "") {
    listing.add_fact(label, given_or(machine, key, otherwise));
  };
  listing.add_fact("inside", bus_text(machine));
  if (machine.sockets.count > 1) listing.add_fact("sockets", socket_link_text(machine.sockets));
  const auto receive = given_or(machine, "mpi/rank_receive_bandwidth", "as much");
  if (machine.rank_send_Bps)
    listing.add_fact("processes",
                     fmt::format("each sends at most {} to other nodes and receives at most {}",
                                 given_or(machine, "mpi/rank_bandwidth", ""), receive));
  else if (machine.rank_receive_Bps)
    listing.add_fact("processes",
                     fmt::format("each receives at most {} from other nodes", receive));
  add_fact("combine", "mpi/combine_bandwidth", "takes no time (default)");
  if (machine.local_copy_Bps)
    add_fact("copies", "mpi/local_copy_bandwidth", "as fast as those of eager messages");
  if (machine.allocation_Bps) add_fact("buffers", "mpi/allocation_bandwidth");
  if (machine.memory_Bps)
    listing.add_fact("memory", given_or(machine, "mpi/memory_bandwidth", "") +
                                   " for the local work of a node, by working set");
  if (machine.arrival_skew_s > 0)
    listing.add_fact("arrivals", given_or(machine, "mpi/arrival_skew", "") +
                                     " late on average after a barrier, in benchmarks");
  if (machine.hardware) listing.add_fact("hardware", hardware_text(*machine.hardware));
  if (machine.default_ppn) add_fact("ppn", "mpi/ppn");
}

DocumentTable loggp_table(const Machine& machine) {
  TableOf table(machine.loggp_sets, {.name = "loggp_sets",
                                     .title = "Sets of LogGP parameters",
                                     .only_on_request = machine.loggp_sets.empty()});
  const auto of_set = [](auto get) {
    return [get](auto& named_set) { return std::invoke(get, named_set.second); };
  };
  table.add("set", {"set"}, of_set(&LogGPParameters::set));
  table.add("L_s", {"L", Shown::time}, of_set(&LogGPParameters::L_s));
  table.add("o_s", {"o", Shown::time}, of_set(&LogGPParameters::o_s));
  table.add("g_s", {"g (0 B)", Shown::time}, of_set([](auto& set) { return set.g_s(0); }));
  table.add("G_s_per_B", {"G (s/B)", Shown::significant}, of_set(&LogGPParameters::G_s_per_B));
  return table.take();
}

void add_models(const Machine& machine, Document& listing) {
  const auto& hockney = machine.hockney;
  listing.know("hockney.set", hockney.set);
  listing.know("hockney.l_s", hockney.l_s);
  listing.know("hockney.b_Bps", hockney.b_Bps);
  listing.add_fact("Hockney", fmt::format("l {}, b {} ({})", format_seconds(hockney.l_s),
                                          format_rate(hockney.b_Bps), hockney.set));
  listing.know("loggp", machine.loggp.set);
  listing.place_table("loggp_sets");
  const auto& loggp = machine.loggp;
  listing.add_fact(
      "LogGP", fmt::format("L {}, o {}, g {} (0 B), G {:.4g} ns/B ({})", format_seconds(loggp.L_s),
                           format_seconds(loggp.o_s), format_seconds(loggp.g_s(0)),
                           1e9 * loggp.G_s_per_B, loggp.set));
}

void know_limits(const Machine& machine, Document& listing) {
  listing.place_table("hardware_collectives");
  if (const auto& hardware = machine.hardware) {
    listing.know("hardware_collectives.names[]",
                 fmt::format("{}", fmt::join(hardware->names, " ")));
    listing.know("hardware_collectives.latency_s", hardware->latency_s);
    listing.know("hardware_collectives.bandwidth_Bps", hardware->bandwidth_Bps);
    listing.know("hardware_collectives.barrier_s", hardware->barrier_s);
  }
  if (machine.rank_send_Bps) listing.know("rank_bandwidth_Bps", *machine.rank_send_Bps);
  if (machine.rank_receive_Bps)
    listing.know("rank_receive_bandwidth_Bps", *machine.rank_receive_Bps);
}

// True for a file of the catalog that comes with the program, whose numbers are documented.
bool is_of_catalog(const Machine& machine) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  return fs::equivalent(fs::path(machine.file).parent_path(), program_file("share/tutti/catalog"),
                        ignored);
}

void report_source(const Machine& machine, Document& listing) {
  if (auto ranks = jobs::meaning_of_ranks(machine); !ranks.empty())
    listing.add_fact("ranks", std::move(ranks));
  listing.add_fact("file", machine.file);
  if (const auto source = machine.info("source"); !source.empty())
    listing.add_fact("source", source);
  if (is_of_catalog(machine))
    listing.add_fact("", fmt::format("The status and source of each number: catalog/README.md, "
                                     "section {}.",
                                     machine.name));
}

}  // namespace

Document machine_listing(const Machine& machine) {
  auto listing = listing_of(
      "sim.platform/1",
      {messages_table(machine), links_table(link_kinds(*machine.topology)), loggp_table(machine)},
      {headline(machine), machine.info("description")});
  listing.know("name", machine.name);
  listing.know("file", machine.file);
  listing.know("hash", machine.content_hash);
  listing.know("description", machine.info("description"));
  listing.know("source", machine.info("source"));
  listing.know("accelerators", machine.info("accelerators"));
  listing.know("hosts", machine.host_count());
  listing.know("cores_per_host", machine.cores_per_host);
  listing.know("cores", platforms::size_of(machine).cores);
  listing.know("kind", machine.topology->kind());
  listing.know("parameters", machine.topology->parameters());
  listing.know("routing", std::string(platforms::routing_name(machine.routing)));
  listing.know("rails", machine.topology->rails());
  listing.know("sockets", machine.sockets.count);
  listing.leave_line();
  add_network(machine, listing);
  listing.place_table("messages");
  listing.leave_line();
  report_node(machine, listing);
  listing.leave_line();
  add_models(machine, listing);
  know_limits(machine, listing);
  listing.leave_line();
  report_source(machine, listing);
  return listing;
}

}  // namespace tutti::reports
