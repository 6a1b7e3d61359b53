// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/job_links.hpp"

#include "sim/base/random.hpp"

namespace tutti::platforms {
namespace {

std::uint64_t hash_of(std::uint64_t first, std::uint64_t second) {
  return mixed(first << 32 | second);
}

}  // namespace

JobLinks::JobLinks(const Machine& machine, const Placement& placement)
    : machine_(&machine), placement_(&placement) {
  if (machine.sockets.count > 1 || machine.topology->rails() > 1 ||
      machine.intra_node == IntraNode::devices)
    core_of_ = cores_of(placement, machine);
}

LinkId JobLinks::count() const { return first_of_devices() + ranks() * links_of_device(); }

LinkId JobLinks::links_of_device() const {
  if (machine_->intra_node != IntraNode::devices) return 0;
  const Devices& devices = *machine_->devices;
  if (devices.links == DeviceLinks::switched) return 2;
  return static_cast<LinkId>(devices.per_node) * devices.domain_nodes;
}

int JobLinks::device_of(int rank) const {
  const Devices& devices = *machine_->devices;
  const auto node = placement_->host_of[rank] % devices.domain_nodes;
  return static_cast<int>(node) * devices.per_node + core_of_[rank];
}

void JobLinks::add_device_links(int source_rank, int destination_rank,
                                std::vector<LinkId>& links) const {
  const LinkId of_source =
      first_of_devices() + static_cast<LinkId>(source_rank) * links_of_device();
  if (machine_->devices->links == DeviceLinks::mesh)
    return links.push_back(of_source + static_cast<LinkId>(device_of(destination_rank)));
  links.push_back(of_source);
  links.push_back(first_of_devices() + static_cast<LinkId>(destination_rank) * 2 + 1);
}

Link JobLinks::link(LinkId id) const {
  TUTTI_CHECK(id < count(), "no such link");
  if (!is_inside_node(id)) return machine_->link(id);
  if (id < first_sending()) return {.bandwidth_Bps = *machine_->rank_Bps};
  if (id < first_receiving()) return {.bandwidth_Bps = *machine_->rank_send_Bps};
  if (id < first_bus()) return {.bandwidth_Bps = *machine_->rank_receive_Bps};
  const Sockets& sockets = machine_->sockets;
  if (id < first_socket_link())
    return {.bandwidth_Bps = sockets.bus_Bps, .latency_s = machine_->bus.latency_s};
  if (id >= first_of_devices()) {
    const Devices& devices = *machine_->devices;
    const bool is_mesh = devices.links == DeviceLinks::mesh;
    return {.bandwidth_Bps =
                devices.link_Bps / (is_mesh ? std::max<LinkId>(2, links_of_device()) - 1 : 1)};
  }
  if (!sockets.link_Bps)
    return {.bandwidth_Bps = sockets.bus_Bps,
            .latency_s = sockets.link_latency_s / 2,
            .sharing = LinkSharing::fat_pipe};
  return {.bandwidth_Bps = *sockets.link_Bps, .latency_s = sockets.link_latency_s / 2};
}

LinkId JobLinks::end_of_equal_links(LinkId first) const {
  if (first >= machine_->topology->link_count() || machine_->background_Bps) return first + 1;
  return machine_->topology->end_of_equal_links(first);
}

std::string JobLinks::name(LinkId id) const {
  TUTTI_CHECK(id < count(), "no such link");
  if (!is_inside_node(id)) return machine_->link_name(id);
  if (id < first_sending()) return fmt::format("core of rank {}", id - machine_->link_count());
  if (id < first_receiving()) return fmt::format("core of rank {} (sends)", id - first_sending());
  if (id < first_bus()) return fmt::format("core of rank {} (receives)", id - first_receiving());
  if (id >= first_of_devices()) {
    const LinkId number = id - first_of_devices(), of_device = links_of_device();
    const LinkId rank = number / of_device, link = number % of_device;
    if (machine_->devices->links == DeviceLinks::mesh)
      return fmt::format("link of rank {} to GPU {}", rank, link);
    return fmt::format("link {} rank {}", link == 0 ? "from" : "to", rank);
  }
  const bool is_bus = id < first_socket_link();
  const LinkId number = id - (is_bus ? first_bus() : first_socket_link());
  const auto per_node = static_cast<LinkId>(machine_->sockets.count);
  return fmt::format("{}_socket_{}_{}", machine_->topology->host_name(number / per_node),
                     number % per_node, is_bus ? "bus" : "link");
}

int JobLinks::socket_of(int rank) const {
  return socket_of_core(*machine_, placement_->host_of[rank], core_of_[rank]);
}

int socket_of_rail(const Machine& machine, std::uint32_t rail) {
  const Sockets& sockets = machine.sockets;
  if (!sockets.of_rail.empty()) return sockets.of_rail[rail];
  return static_cast<int>(std::uint64_t{rail} * static_cast<std::uint64_t>(sockets.count) /
                          machine.topology->rails());
}

// The ranks of a socket use its NICs in turn; without such NICs, all NICs of the node.
std::uint32_t JobLinks::rail_of(int rank) const {
  const std::uint32_t rails = machine_->topology->rails();
  if (rails == 1) return 0;
  const auto core = static_cast<std::uint32_t>(core_of_[rank]);
  if (machine_->intra_node == IntraNode::devices)
    return core * rails / static_cast<std::uint32_t>(machine_->devices->per_node);
  if (machine_->sockets.count == 1) return core % rails;
  const int socket = socket_of(rank);
  std::uint32_t near = 0;
  for (std::uint32_t rail = 0; rail < rails; ++rail)
    near += socket_of_rail(*machine_, rail) == socket ? 1 : 0;
  if (near == 0) return core % rails;
  std::uint32_t left = core % near;
  for (std::uint32_t rail = 0;; ++rail)
    if (socket_of_rail(*machine_, rail) == socket && left-- == 0) return rail;
}

bool JobLinks::is_inside(int source_rank, int destination_rank) const {
  return !machine_->crosses_network(placement_->host_of[source_rank],
                                    placement_->host_of[destination_rank]);
}

bool JobLinks::differ_by_rank(int source_rank, int destination_rank) const {
  if (machine_->sockets.count > 1 || machine_->intra_node == IntraNode::devices) return true;
  return placement_->host_of[source_rank] != placement_->host_of[destination_rank] &&
         (machine_->topology->rails() > 1 || machine_->routing != Routing::fixed);
}

void JobLinks::cross_sockets(int rank, int from, int to, std::vector<LinkId>& links) const {
  if (from == to) return;
  const auto count = static_cast<LinkId>(machine_->sockets.count);
  const LinkId first = first_socket_link() + placement_->host_of[rank] * count;
  links.push_back(first + static_cast<LinkId>(from));
  links.push_back(first + static_cast<LinkId>(to));
}

LinkId JobLinks::bus_of(int rank) const {
  const HostId host = placement_->host_of[rank];
  const auto sockets = static_cast<LinkId>(machine_->sockets.count);
  if (sockets == 1) return machine_->topology->link_count() + host;
  return first_bus() + host * sockets + static_cast<LinkId>(socket_of(rank));
}

void JobLinks::add_bus(int source_rank, int destination_rank, std::vector<LinkId>& links) const {
  const LinkId from = bus_of(source_rank), to = bus_of(destination_rank);
  links.push_back(from);
  if (from == to) return;
  cross_sockets(source_rank, socket_of(source_rank), socket_of(destination_rank), links);
  links.push_back(to);
}

void JobLinks::add_copies(int source_rank, int destination_rank, Bytes bytes,
                          std::vector<LinkId>& links) const {
  if (bytes > machine_->bus_max) return;
  const HostId from = placement_->host_of[source_rank], to = placement_->host_of[destination_rank];
  if (from == to) return;
  if (!machine_->is_server(from)) links.push_back(bus_of(source_rank));
  if (!machine_->is_server(to)) links.push_back(bus_of(destination_rank));
}

RouteEnds JobLinks::ends_of(int source_rank, int destination_rank) const {
  return {.source = placement_->host_of[source_rank],
          .destination = placement_->host_of[destination_rank],
          .source_rail = rail_of(source_rank),
          .destination_rail = rail_of(destination_rank)};
}

// Appends a path between nodes: `add_route` appends the links of the network.
template <class AddRoute>
void JobLinks::add_path(const RouteEnds& ends, int source_rank, int destination_rank,
                        std::vector<LinkId>& links, AddRoute add_route) const {
  const auto from = static_cast<LinkId>(source_rank), to = static_cast<LinkId>(destination_rank);
  const bool has_sockets = machine_->sockets.count > 1;
  if (machine_->rank_send_Bps && !machine_->is_server(ends.source))
    links.push_back(first_sending() + from);
  if (has_sockets)
    cross_sockets(source_rank, socket_of(source_rank), socket_of_rail(*machine_, ends.source_rail),
                  links);
  add_route();
  if (has_sockets)
    cross_sockets(destination_rank, socket_of_rail(*machine_, ends.destination_rail),
                  socket_of(destination_rank), links);
  if (machine_->rank_receive_Bps && !machine_->is_server(ends.destination))
    links.push_back(first_receiving() + to);
}

void JobLinks::single_route(const RouteEnds& ends, int source_rank, int destination_rank,
                            std::vector<LinkId>& links) const {
  const Topology& topology = *machine_->topology;
  if (ends.source == ends.destination) return topology.route(ends.source, ends.destination, links);
  if (machine_->routing == Routing::fixed) return topology.rail_route(ends, links);
  const std::uint64_t number = machine_->routing == Routing::hashed
                                   ? hash_of(static_cast<std::uint64_t>(source_rank),
                                             static_cast<std::uint64_t>(destination_rank)) %
                                         topology.shortest_paths(ends)
                                   : 0;
  topology.shortest_path(ends, static_cast<std::uint32_t>(number), links);
}

void JobLinks::route(int source_rank, int destination_rank, std::vector<LinkId>& links) const {
  links.clear();
  const HostId source = placement_->host_of[source_rank];
  const HostId destination = placement_->host_of[destination_rank];
  const bool same_node = source == destination;
  if (machine_->intra_node == IntraNode::devices && is_inside(source_rank, destination_rank))
    return add_device_links(source_rank, destination_rank, links);
  if (has_plain_routes() && !same_node)
    return machine_->topology->route(source, destination, links);
  const auto from = static_cast<LinkId>(source_rank), to = static_cast<LinkId>(destination_rank);
  if (same_node && machine_->rank_Bps) links.push_back(machine_->link_count() + from);
  if (is_inside(source_rank, destination_rank)) {
    add_bus(source_rank, destination_rank, links);
  } else {
    const RouteEnds ends = ends_of(source_rank, destination_rank);
    add_path(ends, source_rank, destination_rank, links,
             [&] { single_route(ends, source_rank, destination_rank, links); });
  }
  if (same_node && machine_->rank_Bps && to != from) links.push_back(machine_->link_count() + to);
}

bool JobLinks::uses_all_rails(Bytes bytes) const {
  return machine_->stripe_from && bytes >= *machine_->stripe_from &&
         machine_->topology->rails() > 1;
}

bool JobLinks::is_divided(int source_rank, int destination_rank, Bytes bytes) const {
  if (machine_->are_joined(placement_->host_of[source_rank], placement_->host_of[destination_rank]))
    return false;
  return machine_->routing > Routing::hashed || uses_all_rails(bytes);
}

void JobLinks::paths(int source_rank, int destination_rank, Bytes bytes,
                     MessagePaths& paths) const {
  paths.clear();
  paths.is_even = machine_->routing <= Routing::split;
  if (!is_divided(source_rank, destination_rank, bytes)) {
    route(source_rank, destination_rank, paths.links);
    paths.ends.push_back(paths.links.size());
    paths.preferred = 1;
    return;
  }
  RouteEnds ends = ends_of(source_rank, destination_rank);
  const bool all = uses_all_rails(bytes);
  const std::uint32_t rails = all ? machine_->topology->rails() : 1;
  for (std::uint32_t rail = 0; rail < rails; ++rail) {
    if (all) ends.source_rail = ends.destination_rail = rail;
    add_paths(ends, source_rank, destination_rank, paths);
  }
  paths.preferred = paths.size();
  if (paths.is_even) return;
  for (std::uint32_t rail = 0; rail < rails; ++rail) {
    if (all) ends.source_rail = ends.destination_rail = rail;
    add_detours(ends, source_rank, destination_rank, paths);
  }
}

// All shortest paths, or one if the routing does not divide messages; with adaptive routing at most
// adaptive_shortest of them, evenly spaced from a hashed one on.
void JobLinks::add_paths(const RouteEnds& ends, int source_rank, int destination_rank,
                         MessagePaths& paths) const {
  const Topology& topology = *machine_->topology;
  const auto add = [&](auto append) {
    add_path(ends, source_rank, destination_rank, paths.links, append);
    paths.ends.push_back(paths.links.size());
  };
  if (machine_->routing <= Routing::hashed)
    return add([&] { single_route(ends, source_rank, destination_rank, paths.links); });
  const std::uint64_t all = topology.shortest_paths(ends);
  const std::uint64_t used =
      machine_->routing == Routing::split
          ? all
          : std::min<std::uint64_t>(all, std::max(1u, machine_->adaptive_shortest));
  const std::uint64_t first = used == all ? 0 : hash_of(ends.source, ends.destination) % all;
  for (std::uint64_t i = 0; i < used; ++i) {
    const auto number = static_cast<std::uint32_t>((first + i * all / used) % all);
    add([&] { topology.shortest_path(ends, number, paths.links); });
  }
}

void JobLinks::add_detours(const RouteEnds& ends, int source_rank, int destination_rank,
                           MessagePaths& paths) const {
  const Topology& topology = *machine_->topology;
  const std::uint64_t all = topology.detours(ends);
  const std::uint64_t used = std::min<std::uint64_t>(all, machine_->adaptive_detours);
  if (used == 0) return;
  const std::uint64_t first = hash_of(ends.destination, ends.source) % all;
  for (std::uint64_t i = 0; i < used; ++i) {
    add_path(ends, source_rank, destination_rank, paths.links,
             [&] { topology.detour(ends, (first + i * all / used) % all, paths.links); });
    paths.ends.push_back(paths.links.size());
  }
}

std::span<const LinkId> JobLinks::between_nodes(std::span<const LinkId> route) const {
  while (!route.empty() && is_inside_node(route.front())) route = route.subspan(1);
  while (!route.empty() && is_inside_node(route.back())) route = route.first(route.size() - 1);
  return route;
}

Path JobLinks::path(int source_rank, int destination_rank, std::vector<LinkId>& links) const {
  route(source_rank, destination_rank, links);
  const bool inside = is_inside(source_rank, destination_rank);
  Path found{.intra_node = machine_->are_joined(placement_->host_of[source_rank],
                                                placement_->host_of[destination_rank])};
  std::size_t first = 0;
  while (!inside && is_inside_node(links[first])) ++first;
  const std::size_t nic = machine_->topology->nic_links();
  for (std::size_t i = 0; i < links.size(); ++i)
    found.cross(link(links[i]), inside || i < first + nic);
  found.both_ways_Bps = both_ways_Bps(source_rank, destination_rank, links);
  return found;
}

double JobLinks::both_ways_Bps(int source_rank, int destination_rank,
                               const std::vector<LinkId>& links) const {
  constexpr double acknowledgements = 0.05;  // of the bandwidth of a message
  double least_Bps = std::numeric_limits<double>::infinity();
  if (!machine_->cross_traffic) return least_Bps;
  std::vector<LinkId> back;
  route(destination_rank, source_rank, back);
  for (const LinkId id : links) {
    const bool is_of_network = id < machine_->topology->link_count();
    if (!is_of_network || std::ranges::find(back, id) == back.end()) continue;
    if (const Link crossed = link(id); crossed.sharing == LinkSharing::shared)
      least_Bps = std::min(least_Bps, crossed.bandwidth_Bps / (1 + acknowledgements));
  }
  return least_Bps;
}

}  // namespace tutti::platforms
