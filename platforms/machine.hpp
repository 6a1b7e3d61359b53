// SPDX-License-Identifier: BSD-3-Clause
// A cluster as the engines see it: hosts (nodes), links, routes, message protocol, model
// parameters. Hosts and links are numbers; names are computed on demand, so that 250,000 hosts need
// no memory.
#pragma once

#include "platforms/devices.hpp"
#include "platforms/graph.hpp"
#include "platforms/message_protocol.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

using HostId = std::uint32_t;
using LinkId = std::uint32_t;

enum class LinkSharing : std::uint8_t {
  shared,   // all flows share the bandwidth
  fat_pipe  // each flow may use the whole bandwidth
};

struct Link {
  double bandwidth_Bps = 0;
  Seconds latency_s = 0;
  LinkSharing sharing = LinkSharing::shared;

  bool operator==(const Link&) const = default;
};

// Describes a network in which each host has its own links to a single leaf switch.
struct LeafSwitches {
  HostId hosts = 0;  // per leaf switch, with consecutive numbers
  LinkId links = 0;  // per host; those of host h begin at h * links
  LinkId ways = 0;   // per physical link: 2 (up and down), or 1 (shared by both directions)
  std::optional<LinkId> first_limiter = {};  // of host 0, then of hosts 1, 2, ...; unset: none

  bool is_cable_of(HostId host, LinkId id) const { return id / links == host; }
  bool is_limiter_of(HostId host, LinkId id) const {
    return first_limiter && id == *first_limiter + host;
  }
};

// The ends of a path between two different nodes that may have several NICs (rails).
struct RouteEnds {
  HostId source = 0;
  HostId destination = 0;
  std::uint32_t source_rail = 0;  // below Topology::rails()
  std::uint32_t destination_rail = 0;
};

// The rule by which messages select among the paths between two nodes.
enum class Routing : std::uint8_t {
  fixed,     // one path, by the rule of the topology
  hashed,    // ECMP: each pair of ranks has one of the shortest paths, chosen by a hash
  split,     // ECMP: each flow is divided evenly over all shortest paths
  adaptive,  // each flow is divided by water-filling over shortest paths, then over detours
  optimal    // each flow is divided over the same paths so that the rates are max-min fair
};

struct TopologyDescription;  // topology_description.hpp

// Defines which links a message crosses from one node to another. One implementation per file
// (flat, ...).
class Topology {
 public:
  virtual ~Topology() = default;
  virtual std::string kind() const = 0;  // "flat cluster", ...
  // The sizes in the syntax of platform files: "3;32,32,16;1,16,32;1,1,1"; empty if there are none.
  virtual std::string parameters() const { return {}; }
  virtual HostId host_count() const = 0;
  virtual LinkId link_count() const = 0;
  virtual Link link(LinkId id) const = 0;
  virtual std::string host_name(HostId id) const = 0;
  virtual std::string link_name(LinkId id) const = 0;
  // The host with this name. The default searches all hosts; a topology may override it.
  virtual std::optional<HostId> find_host(std::string_view name) const;
  // Appends the links from `source` to `destination` in order. The two may be equal (out through
  // the NIC and back).
  virtual void route(HostId source, HostId destination, std::vector<LinkId>& links) const = 0;
  // NICs of each node. route() uses the first one at both ends.
  virtual std::uint32_t rails() const { return 1; }
  // Appends the links of the fixed route between two NICs.
  virtual void rail_route(const RouteEnds& ends, std::vector<LinkId>& links) const;
  // The number of paths with the fewest links between two NICs of different hosts, at least 1, and
  // the links of each. The default knows rail_route() only.
  virtual std::uint32_t shortest_paths(const RouteEnds& ends) const;
  virtual void shortest_path(const RouteEnds& ends, std::uint32_t number,
                             std::vector<LinkId>& links) const;
  // The number of longer paths that adaptive routing may use: shortest paths to and from an
  // intermediate part of the network (Valiant, SIAM J. Comput. 11, 1982), and the links of each.
  virtual std::uint64_t detours(const RouteEnds& ends) const;
  virtual void detour(const RouteEnds& ends, std::uint64_t number,
                      std::vector<LinkId>& links) const;
  // Number of links at either end of a route that belong to the NIC of the node there.
  virtual std::size_t nic_links() const { return 1; }
  // Unset if hosts are switches themselves, have several leaf switches, or if it is not known.
  virtual std::optional<LeafSwitches> leaf_switches() const { return std::nullopt; }
  virtual Graph graph() const = 0;
  // Two hosts whose route has the most links and the largest latency of all; unset if no rule
  // determines them, so that routes must be followed.
  virtual std::optional<std::pair<HostId, HostId>> farthest_hosts() const { return std::nullopt; }
  // Cost of the first route from a further host in addition to its links, in links visited.
  virtual std::uint64_t search_steps() const { return 0; }
  // The end of a range of links from `first` on that are known to be equal; greater than `first`.
  virtual LinkId end_of_equal_links(LinkId first) const { return first + 1; }
  // The router through which other zones of a platform reach the hosts. If empty, there is none,
  // and the two functions below must not be called.
  virtual std::string router_name() const { return {}; }
  // Append the links from a host to the router, and from the router to a host.
  virtual void route_to_router(HostId source, std::vector<LinkId>& links) const;
  virtual void route_from_router(HostId destination, std::vector<LinkId>& links) const;
  // The words and shapes by which reports show the network.
  virtual TopologyDescription describe() const;
};

enum class IntraNode : std::uint8_t {
  bus,      // messages inside a node share the node's memory bus
  network,  // they go out through the NIC and back
  devices,  // they cross the links between GPUs (only in a machine of for_devices())
};

// Parameters of the analytic models, one set per purpose.
struct HockneyParameters {
  std::string set;   // "hockney" (from the platform file), or "derived from the protocol"
  Seconds l_s = 0;   // latency
  double b_Bps = 0;  // bandwidth
};
struct LogGPParameters {
  std::string set;
  Seconds L_s = 0;
  Seconds o_s = 0;
  Piecewise g_s;  // gap per message, may depend on its size
  double G_s_per_B = 0;
};

// A <prop> of the file, a --set or a default of SMPI, unparsed.
struct GivenParameter {
  std::string key;
  std::string value;
  int line = 0;  // of the file; 0: from --set; -1: SMPI's default
};

// The path of a message: the properties that the protocol core needs.
struct Path {
  Seconds latency_s = 0;                                           // sum over the links
  double bandwidth_Bps = std::numeric_limits<double>::infinity();  // least over the links
  // Least over the links of the sender's NIC.
  double nic_bandwidth_Bps = std::numeric_limits<double>::infinity();
  // Bandwidth that acknowledgements leave on links that carry both directions
  // (Machine::cross_traffic).
  double both_ways_Bps = std::numeric_limits<double>::infinity();
  bool intra_node = false;

  // Adds a link, which may belong to the sender's NIC.
  void cross(const Link& link, bool is_nic) {
    if (is_nic) nic_bandwidth_Bps = std::min(nic_bandwidth_Bps, link.bandwidth_Bps);
    latency_s += link.latency_s;
    bandwidth_Bps = std::min(bandwidth_Bps, link.bandwidth_Bps);
  }
  // Caps the rate, including that of the NIC.
  void limit(double rate_Bps) {
    bandwidth_Bps = std::min(bandwidth_Bps, rate_Bps);
    nic_bandwidth_Bps = std::min(nic_bandwidth_Bps, rate_Bps);
  }
};

// Collectives that the network performs in hardware, among all ranks of a job.
struct HardwareCollectives {
  std::vector<std::string> names;  // subset of bcast, reduce, allreduce, barrier
  Seconds latency_s = 0;           // of an empty message, for any number of ranks
  double bandwidth_Bps = 0;
  Seconds barrier_s = 0;
};

// The sockets (NUMA domains) of every node: each has a memory bus of its own, and joins the others
// by a link.
struct Sockets {
  int count = 1;
  double bus_Bps = 0;              // memory bus of a socket
  std::optional<double> link_Bps;  // from or to the other sockets; unset: not limited
  Seconds link_latency_s = 0;      // of a message between two sockets
  std::vector<int> of_rail;        // socket of each NIC; empty: spread evenly
};

// How far predicted times are from measured ones.
struct Accuracy {
  // By collective, "all" for the others: 90 % of the measured times are within this factor of the
  // simulated time, by message size. At least 1. Empty: never measured.
  std::map<std::string, Piecewise> factors;
  // The largest job among these times, and the number of runs that measured them; unset: no limit.
  std::optional<int> nodes, ppn, runs;
  std::optional<Bytes> message_bytes;
  bool is_measured = true;  // false: that of machines that were not fitted
};

struct Machine {
  std::string name;          // "crill"
  std::string file;          // path of the platform file
  std::string content_hash;  // 16 hex digits over the file's bytes and the overrides
  std::shared_ptr<const Topology> topology;  // copies of the machine share it
  int cores_per_host = 1;                    // maximum over the hosts
  std::vector<int> host_cores;               // by host; empty if all have cores_per_host
  // Speed of each core of a host in flop/s, by host; of all hosts if there is one entry; empty if
  // the file gives none. Only replays of time-independent traces depend on it.
  std::vector<double> core_flops_per_s;
  HostId server_count = 0;         // the last hosts are storage servers (see Servers), not nodes
  std::optional<int> default_ppn;  // mpi/ppn
  IntraNode intra_node = IntraNode::bus;
  Link bus;  // memory bus of every node, one link per node; for a call see for_call_on_nodes()
  // Bandwidth of the bus in B/s by the bytes that the ranks of a node read and write in a call:
  // caches are faster than memory. Unset: that of `bus`.
  std::optional<Piecewise> bus_Bps;
  // Largest message between nodes that also crosses the buses of both, where it is copied in and
  // out; -1: none.
  Bytes bus_max = -1;
  Sockets sockets;
  Routing routing = Routing::fixed;
  // Most shortest paths and detours of a flow with adaptive and optimal routing.
  std::uint32_t adaptive_shortest = 4;
  std::uint32_t adaptive_detours = 4;
  // Whether the nodes of a job are evenly spaced over the machine if no option names them, as on a
  // machine that others use; otherwise they are its first ones (mpi/job_nodes).
  bool spreads_jobs = false;
  // Messages follow the model of SMPI: the file or --set has one of its keys.
  bool follows_smpi = false;
  // Acknowledgements of a message use bandwidth of the way back, as in SimGrid. Only a message's
  // own ones are simulated: they slow it down on links that it crosses itself.
  bool cross_traffic = false;
  // Bandwidth that other jobs use, by link of the topology; null: none.
  std::shared_ptr<const std::vector<double>> background_Bps;
  // The nodes of the background's jobs in ascending order; empty if its traffic is not that of
  // jobs.
  std::vector<HostId> background_nodes;
  // Messages from this size on are divided over all rails; others use those of their ranks. Unset:
  // none are divided.
  std::optional<Bytes> stripe_from;
  // Rate at which a rank's core moves its messages inside a node, both directions together (it
  // copies them); one link per rank. Unset: limited only by the bus.
  std::optional<double> rank_Bps;
  // Rates at which a rank sends all its messages to other nodes and receives them; one link per
  // rank and direction (mpi/rank_bandwidth, mpi/rank_receive_bandwidth), except for ranks on
  // servers. Unset: limited only by the network.
  std::optional<double> rank_send_Bps;
  std::optional<double> rank_receive_Bps;
  bool limits_ranks() const { return rank_send_Bps || rank_receive_Bps; }
  MessageProtocol inter;  // between nodes
  MessageProtocol intra;  // inside a node
  // Rates of a rank's local work in B/s, by the working set of the call in bytes. Unset: free.
  std::optional<Piecewise> combine_Bps;     // a reduction's operation
  std::optional<Piecewise> local_copy_Bps;  // copies by the program
  Seconds piece_overhead_s = 0;  // CPU time of each piece of a copy of data that have gaps
  // Rate at which a node's memory serves the local work of its ranks, by the bytes that they read
  // and write in a call (infinite: in caches). Unset: ranks do not wait for each other. The rates
  // of local work are slowed by it in for_call_on_nodes().
  std::optional<Piecewise> memory_Bps;
  // Rate of allocating a temporary buffer in B/s, by its size in bytes: its pages are mapped and
  // cleared. Unset: free.
  std::optional<Piecewise> allocation_Bps;
  // Mean delay (exponential) with which a rank enters a call after a barrier; benchmarks include it
  // in their times.
  Seconds arrival_skew_s = 0;
  Accuracy accuracy;
  std::optional<HardwareCollectives> hardware;
  std::optional<Devices> devices;  // unset: nodes without GPUs, or that the file does not describe
  HockneyParameters hockney;
  LogGPParameters loggp;                              // for collectives
  std::map<std::string, LogGPParameters> loggp_sets;  // all sets of the file, by name
  std::vector<GivenParameter> given;  // from --set, then from the file, then SMPI's defaults
  std::vector<std::string> warnings;  // printed once by the command line
  Seconds read_wall_s = 0;            // elapsed time of reading the file

  HostId host_count() const { return topology->host_count(); }
  int cores_of(HostId id) const { return host_cores.empty() ? cores_per_host : host_cores[id]; }
  // 0: the file gives no speed for the host.
  double core_speed(HostId id) const {
    if (core_flops_per_s.empty()) return 0;
    return core_flops_per_s.size() == 1 ? core_flops_per_s.front() : core_flops_per_s[id];
  }
  // Links of the network, then one memory bus per host.
  LinkId link_count() const { return topology->link_count() + topology->host_count(); }
  Link link(LinkId id) const;
  std::string link_name(LinkId id) const;
  // Replaces `links` by the links of a message from `source` to `destination`, which may be the
  // same host (then the memory bus, or the NIC if intra_node is `network`). JobLinks adds those of
  // the ranks' cores.
  void message_links(HostId source, HostId destination, std::vector<LinkId>& links) const;
  // Includes the limits of the ranks' cores.
  Path path(HostId source, HostId destination) const;
  // The same for frequent callers: `links` is a reusable buffer, which contains the route
  // afterwards.
  Path path(HostId source, HostId destination, std::vector<LinkId>& links) const;
  // Whether a message may be divided over several paths.
  bool divides_messages() const { return routing > Routing::hashed || stripe_from; }
  // Whether the route of a message depends on its ranks, and not only on their nodes.
  bool has_routes_by_rank() const {
    return routing != Routing::fixed || sockets.count > 1 || topology->rails() > 1 ||
           intra_node == IntraNode::devices;
  }
  // The value of the prop info/NAME, for example "description" or "source"; empty if not set.
  std::string info(std::string_view about) const;
  const MessageProtocol& protocol(bool inside_node) const { return inside_node ? intra : inter; }
  // Whether both are the same node, or nodes whose GPUs are linked.
  bool are_joined(HostId one, HostId other) const {
    if (intra_node != IntraNode::devices) return one == other;
    return one / devices->domain_nodes == other / devices->domain_nodes;
  }
  // Whether messages between these hosts, which may be equal, leave the node.
  bool crosses_network(HostId source, HostId destination) const {
    return !are_joined(source, destination) || intra_node == IntraNode::network;
  }
  bool is_server(HostId id) const { return id >= host_count() - server_count; }
};

// The number of nodes and cores of a machine, and its representation in all outputs.

struct MachineSize {
  std::int64_t hosts = 0;
  int least_cores = 0;  // per host
  int most_cores = 0;
  std::int64_t cores = 0;  // of all hosts

  bool is_even() const { return least_cores == most_cores; }
};

MachineSize size_of(const Machine& machine);

// "16 nodes x 48 cores", "18 nodes of 8 to 32 cores".
std::string nodes_and_cores(const MachineSize& size);
// The same with the total number of cores if the nodes differ: "18 nodes of 8 to 32 cores, 176 in
// all".
std::string describe(const MachineSize& size);

}  // namespace tutti::platforms
