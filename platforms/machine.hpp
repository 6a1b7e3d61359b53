// SPDX-License-Identifier: BSD-3-Clause
// A cluster as the engines see it: hosts (nodes), links, routes, message protocol, model
// parameters. Hosts and links are numbers; names are computed on demand, so that 250,000 of them
// cost nothing.
#pragma once

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
};

// Of a network whose hosts hang on leaf switches, each by cables of its own: how many share one,
// and which links are a host's.
struct LeafSwitches {
  HostId hosts = 0;  // of each leaf switch, in a row
  LinkId links = 0;  // of a host's cables: those of host h begin at h * links
  LinkId ways = 0;   // links of one cable: 2: up and down; 1: both directions share it
  std::optional<LinkId> first_limiter = {};  // that of host h is so many after it; unset: none

  bool is_cable_of(HostId host, LinkId id) const { return id / links == host; }
  bool is_limiter_of(HostId host, LinkId id) const {
    return first_limiter && id == *first_limiter + host;
  }
};

// Which links a message crosses from one node to another. Implementations: one per file (flat,
// ...).
class Topology {
 public:
  virtual ~Topology() = default;
  virtual std::string kind() const = 0;  // "flat cluster", ...
  // Its sizes as a platform file gives them: "3;32,32,16;1,16,32;1,1,1"; empty: it has none.
  virtual std::string parameters() const { return {}; }
  virtual HostId host_count() const = 0;
  virtual LinkId link_count() const = 0;
  virtual Link link(LinkId id) const = 0;
  virtual std::string host_name(HostId id) const = 0;
  virtual std::string link_name(LinkId id) const = 0;
  // The host of that name. Here by looking at all hosts; a topology that knows better overrides it.
  virtual std::optional<HostId> find_host(std::string_view name) const;
  // Appends the links from `source` to `destination` in order; the two may be equal (out through
  // the network card and back).
  virtual void route(HostId source, HostId destination, std::vector<LinkId>& links) const = 0;
  // How many links at either end of a route belong to the node there: its network card.
  virtual std::size_t nic_links() const { return 1; }
  // Nothing: the hosts are switches themselves, or it is not known how they hang.
  virtual std::optional<LeafSwitches> leaf_switches() const { return std::nullopt; }
  virtual Graph graph() const = 0;
  // Two hosts whose route has most links and the greatest latency of all; nothing where no rule
  // tells, so that routes must be followed.
  virtual std::optional<std::pair<HostId, HostId>> farthest_hosts() const { return std::nullopt; }
  // What the first route from one more host costs beyond its links, in links looked at.
  virtual std::uint64_t search_steps() const { return 0; }
  // The end of the links from `first` on that are known to be all equal. Above `first`.
  virtual LinkId end_of_equal_links(LinkId first) const { return first + 1; }
  // The router by which other zones of a platform reach the hosts; empty: there is none, and the
  // two routes must not be asked for.
  virtual std::string router_name() const { return {}; }
  // Appends the links from a host to the router, from the router to a host.
  virtual void route_to_router(HostId source, std::vector<LinkId>& links) const;
  virtual void route_from_router(HostId destination, std::vector<LinkId>& links) const;
};

enum class IntraNode : std::uint8_t {
  bus,     // messages inside a node share the node's memory bus
  network  // they go out through its network card and back
};

// Parameters of the analytic models, one set per purpose.
struct HockneyParameters {
  std::string set;   // what was used: "hockney" of the platform, or "derived from the protocol"
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

// What a <prop> of the file or --set says, as it stands there.
struct GivenParameter {
  std::string key;
  std::string value;
  int line = 0;  // of the file; 0: by --set
};

// A path of one message: what the protocol core needs to know of the machine.
struct Path {
  Seconds latency_s = 0;                                           // sum over the links
  double bandwidth_Bps = std::numeric_limits<double>::infinity();  // least over the links
  // Least over the links of the sender's card.
  double nic_bandwidth_Bps = std::numeric_limits<double>::infinity();
  bool intra_node = false;

  // Goes on over one more link, which may be one of the sender's card.
  void cross(const Link& link, bool is_nic) {
    if (is_nic) nic_bandwidth_Bps = std::min(nic_bandwidth_Bps, link.bandwidth_Bps);
    latency_s += link.latency_s;
    bandwidth_Bps = std::min(bandwidth_Bps, link.bandwidth_Bps);
  }
  // No faster than this, from the card on.
  void limit(double rate_Bps) {
    bandwidth_Bps = std::min(bandwidth_Bps, rate_Bps);
    nic_bandwidth_Bps = std::min(nic_bandwidth_Bps, rate_Bps);
  }
};

// Collectives that the network does by itself, among all ranks of a job.
struct HardwareCollectives {
  std::vector<std::string> names;  // of bcast, reduce, allreduce, barrier
  Seconds latency_s = 0;           // of a result of no byte, whatever the number of ranks
  double bandwidth_Bps = 0;
  Seconds barrier_s = 0;
};

struct Machine {
  std::string name;          // "crill"
  std::string file;          // where it was read from
  std::string content_hash;  // 16 hex digits over the file's bytes and the overrides
  std::shared_ptr<const Topology> topology;  // copies of the machine share it
  int cores_per_host = 1;                    // of the host that has most
  std::vector<int> host_cores;               // by host; empty where all have cores_per_host
  HostId server_count = 0;                   // the last hosts, of Servers: storage, not nodes
  std::optional<int> default_ppn;            // mpi/ppn
  IntraNode intra_node = IntraNode::bus;
  Link bus;  // memory bus of every node; its own link per node
  // What one rank's core moves for its messages inside a node, both ways together (it copies them):
  // its own link per rank. Unset: no limit but the bus.
  std::optional<double> rank_Bps;
  // What one rank sends to other nodes for all its messages, and what it receives: a link per rank
  // each (mpi/rank_bandwidth, mpi/rank_receive_bandwidth), which ranks on servers do not have.
  // Unset: no limit but the network.
  std::optional<double> rank_send_Bps;
  std::optional<double> rank_receive_Bps;
  bool limits_ranks() const { return rank_send_Bps || rank_receive_Bps; }
  MessageProtocol inter;  // between nodes
  MessageProtocol intra;  // inside a node
  // What a rank's own work moves, in B/s, by the working set: the bytes that the call goes over.
  // Unset: free.
  std::optional<Piecewise> combine_Bps;     // a reduction's operation
  std::optional<Piecewise> local_copy_Bps;  // copies that a program asks for
  // At which rate memory for a temporary buffer of so many bytes is got, in B/s: its pages are
  // mapped and cleared. Unset: free.
  std::optional<Piecewise> allocation_Bps;
  // How much later than it could a rank comes to a call that follows a barrier, on average
  // (exponential): what benchmarks measure along.
  Seconds arrival_skew_s = 0;
  // By collective, "all" for the others: nine of ten measured times are within this factor of the
  // simulated one, by the size of the message. At least 1. Empty: never measured.
  std::map<std::string, Piecewise> accuracy;
  std::optional<HardwareCollectives> hardware;
  HockneyParameters hockney;
  LogGPParameters loggp;                              // for collectives
  std::map<std::string, LogGPParameters> loggp_sets;  // all sets of the file by name
  std::vector<GivenParameter> given;                  // of --set, then of the file
  std::vector<std::string> warnings;                  // told once by the command line
  Seconds read_wall_s = 0;                            // what reading it took, on the clock

  HostId host_count() const { return topology->host_count(); }
  int cores_of(HostId id) const { return host_cores.empty() ? cores_per_host : host_cores[id]; }
  // Links of the network, then one memory bus per host.
  LinkId link_count() const { return topology->link_count() + topology->host_count(); }
  Link link(LinkId id) const;
  std::string link_name(LinkId id) const;
  // Replaces `links` by the links of a message from `source` to `destination`, the same host
  // included (the memory bus, or the network card where intra_node is `network`). Those of the
  // ranks' cores are added by JobLinks.
  void message_links(HostId source, HostId destination, std::vector<LinkId>& links) const;
  // The limit of the ranks' cores included.
  Path path(HostId source, HostId destination) const;
  // The same for callers that ask often: `links` is room for the route, which it holds afterwards.
  Path path(HostId source, HostId destination, std::vector<LinkId>& links) const;
  // What the file says for people in the prop info/NAME: "description", "source"; else nothing.
  std::string info(std::string_view about) const;
  const MessageProtocol& protocol(bool inside_node) const { return inside_node ? intra : inter; }
  // Whether messages between these hosts (or inside one) leave the node.
  bool crosses_network(HostId source, HostId destination) const {
    return source != destination || intra_node == IntraNode::network;
  }
  bool is_server(HostId id) const { return id >= host_count() - server_count; }
};

// How many nodes and cores a machine has, and how that is told wherever it is told.

struct MachineSize {
  std::int64_t hosts = 0;
  int least_cores = 0;  // of one host
  int most_cores = 0;
  std::int64_t cores = 0;  // of all hosts

  bool is_even() const { return least_cores == most_cores; }
};

MachineSize size_of(const Machine& machine);

// "16 nodes x 48 cores", "18 nodes of 8 to 32 cores".
std::string nodes_and_cores(const MachineSize& size);
// The same, with the sum where the nodes differ: "18 nodes of 8 to 32 cores, 176 in all".
std::string describe(const MachineSize& size);

}  // namespace tutti::platforms
