// SPDX-License-Identifier: BSD-3-Clause
// The links of a placed job, and the paths of its messages: the links of the machine, and in nodes
//   one per rank if a core limits the rate inside its node (Machine::rank_Bps),
//   then one per rank for sending, and one per rank for receiving between nodes
//   (Machine::rank_send_Bps, Machine::rank_receive_Bps),
//   then a memory bus per socket, and a link between sockets per socket (Machine::sockets),
//   then the links between GPUs (Machine::devices): one from and one to each rank, or one from each
//   rank to each GPU of its domain.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// The paths over which a message is divided.
struct MessagePaths {
  std::vector<LinkId> links;      // of all paths, one after the other, each in order
  std::vector<std::size_t> ends;  // of each path, in `links`
  std::size_t preferred = 0;      // number of those that are used first; the others are detours
  bool is_even = false;           // every path carries an equal part

  std::size_t size() const { return ends.size(); }
  std::span<const LinkId> path(std::size_t number) const {
    const std::size_t first = number == 0 ? 0 : ends[number - 1];
    return std::span(links).subspan(first, ends[number] - first);
  }
  void clear() {
    links.clear();
    ends.clear();
    preferred = 0;
  }
};

// The socket of a NIC of each node (Sockets::of_rail).
int socket_of_rail(const Machine& machine, std::uint32_t rail);

class JobLinks {
 public:
  // Both must outlive the object.
  JobLinks(const Machine& machine, const Placement& placement);

  LinkId count() const;
  Link link(LinkId id) const;
  std::string name(LinkId id) const;
  // The end of a range of links from `first` on that are known to be equal; greater than `first`.
  LinkId end_of_equal_links(LinkId first) const;
  // Whether the link is inside a node: a rank's core, or a socket's bus or link. In a route between
  // nodes, such links come before and after all others.
  bool is_inside_node(LinkId id) const { return id >= machine_->link_count(); }
  // The links of a route without those inside the nodes at its ends: from the sender's NIC to the
  // receiver's.
  std::span<const LinkId> between_nodes(std::span<const LinkId> route) const;
  // Whether messages of different ranks between two nodes may have different routes.
  bool differ_by_rank(int source_rank, int destination_rank) const;

  // Replaces `links` by the links of a message from one rank to another, in order, each once. With
  // a routing that divides messages, those of the first path.
  void route(int source_rank, int destination_rank, std::vector<LinkId>& links) const;
  // Appends the memory buses that the copies of a message of this size between nodes cross, each
  // once; they are not part of its route.
  void add_copies(int source_rank, int destination_rank, Bytes bytes,
                  std::vector<LinkId>& links) const;
  // Whether a message of this size may be divided over several paths.
  bool is_divided(int source_rank, int destination_rank, Bytes bytes) const;
  // Replaces `paths` by all paths of a message of this size.
  void paths(int source_rank, int destination_rank, Bytes bytes, MessagePaths& paths) const;
  // The properties of the route, including the limits of the ranks' cores. `links` is a reusable
  // buffer.
  Path path(int source_rank, int destination_rank, std::vector<LinkId>& links) const;
  // Path::both_ways_Bps of a message that crosses `links`.
  double both_ways_Bps(int source_rank, int destination_rank,
                       const std::vector<LinkId>& links) const;

 private:
  LinkId ranks() const { return static_cast<LinkId>(placement_->host_of.size()); }
  // First links for traffic between nodes: those for sending, then those for receiving.
  LinkId first_sending() const {
    return machine_->link_count() + (machine_->rank_Bps ? ranks() : 0);
  }
  LinkId first_receiving() const {
    return first_sending() + (machine_->rank_send_Bps ? ranks() : 0);
  }
  LinkId first_bus() const {
    return first_receiving() + (machine_->rank_receive_Bps ? ranks() : 0);
  }
  LinkId first_socket_link() const { return first_bus() + sockets(); }
  // Of all nodes; 0 if nodes are not divided into sockets.
  LinkId sockets() const {
    const auto count = static_cast<LinkId>(machine_->sockets.count);
    return count > 1 ? count * machine_->host_count() : 0;
  }
  LinkId first_of_devices() const { return first_socket_link() + sockets(); }
  LinkId links_of_device() const;  // links that belong to one rank
  int device_of(int rank) const;   // number in its domain
  void add_device_links(int source_rank, int destination_rank, std::vector<LinkId>& links) const;
  int socket_of(int rank) const;
  std::uint32_t rail_of(int rank) const;
  bool is_inside(int source_rank, int destination_rank) const;
  bool uses_all_rails(Bytes bytes) const;
  // Whether the topology alone determines the routes between nodes, for any ranks.
  bool has_plain_routes() const {
    return core_of_.empty() && machine_->intra_node != IntraNode::devices &&
           machine_->routing == Routing::fixed && !machine_->limits_ranks();
  }
  LinkId bus_of(int rank) const;
  void add_bus(int source_rank, int destination_rank, std::vector<LinkId>& links) const;
  void cross_sockets(int rank, int from, int to, std::vector<LinkId>& links) const;
  RouteEnds ends_of(int source_rank, int destination_rank) const;
  void single_route(const RouteEnds& ends, int source_rank, int destination_rank,
                    std::vector<LinkId>& links) const;
  template <class AddRoute>
  void add_path(const RouteEnds& ends, int source_rank, int destination_rank,
                std::vector<LinkId>& links, AddRoute add_route) const;
  void add_paths(const RouteEnds& ends, int source_rank, int destination_rank,
                 MessagePaths& paths) const;
  void add_detours(const RouteEnds& ends, int source_rank, int destination_rank,
                   MessagePaths& paths) const;

  const Machine* machine_;
  const Placement* placement_;
  std::vector<int> core_of_;  // by rank; only if sockets, rails or GPUs depend on it
};

}  // namespace tutti::platforms
