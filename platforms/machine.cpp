// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/machine.hpp"

#include "platforms/topology_description.hpp"

namespace tutti::platforms {

std::string product_words(std::string_view sizes, char separator) {
  return fmt::format("{}", fmt::join(split(sizes, separator), " x "));
}

TopologyDescription Topology::describe() const {
  const auto sizes = parameters();
  return {.words = kind() + (sizes.empty() ? "" : " ") + sizes, .no_route_to_itself = kind()};
}

std::optional<HostId> Topology::find_host(std::string_view name) const {
  for (HostId id = 0; id < host_count(); ++id)
    if (host_name(id) == name) return id;
  return std::nullopt;
}

void Topology::rail_route(const RouteEnds& ends, std::vector<LinkId>& links) const {
  TUTTI_CHECK(ends.source_rail < rails() && ends.destination_rail < rails(), "no such rail");
  route(ends.source, ends.destination, links);
}

std::uint32_t Topology::shortest_paths(const RouteEnds&) const { return 1; }

void Topology::shortest_path(const RouteEnds& ends, std::uint32_t,
                             std::vector<LinkId>& links) const {
  rail_route(ends, links);
}

std::uint64_t Topology::detours(const RouteEnds&) const { return 0; }

void Topology::detour(const RouteEnds&, std::uint64_t, std::vector<LinkId>&) const {
  TUTTI_CHECK(false, kind() + " has no detours");
}

void Topology::route_to_router(HostId, std::vector<LinkId>&) const {
  TUTTI_CHECK(false, kind() + " has no router");
}

void Topology::route_from_router(HostId, std::vector<LinkId>&) const {
  TUTTI_CHECK(false, kind() + " has no router");
}

Link Machine::link(LinkId id) const {
  TUTTI_CHECK(id < link_count(), "no such link");
  if (id >= topology->link_count()) return bus;
  Link described = topology->link(id);
  // Storage servers have further links, without background.
  if (background_Bps && id < background_Bps->size())
    described.bandwidth_Bps -= (*background_Bps)[id];
  return described;
}

std::string Machine::link_name(LinkId id) const {
  TUTTI_CHECK(id < link_count(), "no such link");
  const LinkId network = topology->link_count();
  return id < network ? topology->link_name(id) : topology->host_name(id - network) + "_bus";
}

std::string Machine::info(std::string_view about) const {
  for (const auto& parameter : given)
    if (parameter.key.starts_with("info/") && parameter.key.substr(5) == about)
      return parameter.value;
  return {};
}

void Machine::message_links(HostId source, HostId destination, std::vector<LinkId>& links) const {
  TUTTI_CHECK(source < host_count() && destination < host_count(), "no such host");
  links.clear();
  if (source == destination && intra_node == IntraNode::bus)
    links.push_back(topology->link_count() + source);
  else
    topology->route(source, destination, links);
}

Path Machine::path(HostId source, HostId destination) const {
  std::vector<LinkId> links;
  return path(source, destination, links);
}

Path Machine::path(HostId source, HostId destination, std::vector<LinkId>& links) const {
  message_links(source, destination, links);
  TUTTI_CHECK(!links.empty(), "a route without links");
  Path found{.intra_node = source == destination};
  for (std::size_t i = 0; i < links.size(); ++i)
    found.cross(link(links[i]), i < topology->nic_links());
  if (found.intra_node && rank_Bps) found.limit(*rank_Bps);
  if (!crosses_network(source, destination)) return found;
  if (rank_send_Bps && !is_server(source)) found.limit(*rank_send_Bps);
  if (rank_receive_Bps && !is_server(destination))
    found.bandwidth_Bps = std::min(found.bandwidth_Bps, *rank_receive_Bps);
  return found;
}

MachineSize size_of(const Machine& machine) {
  MachineSize size{.hosts = machine.host_count(),
                   .least_cores = machine.cores_per_host,
                   .most_cores = machine.cores_per_host,
                   .cores = std::int64_t{machine.host_count()} * machine.cores_per_host};
  if (machine.host_cores.empty()) return size;
  const auto& cores = machine.host_cores;
  const auto [least, most] = std::minmax_element(cores.begin(), cores.end());
  size.least_cores = *least;
  size.most_cores = *most;
  size.cores = std::accumulate(cores.begin(), cores.end(), std::int64_t{0});
  return size;
}

std::string nodes_and_cores(const MachineSize& size) {
  const auto nodes = fmt::format("{} node{}", size.hosts, size.hosts == 1 ? "" : "s");
  const auto cores = fmt::format("{} core{}", size.most_cores, size.most_cores == 1 ? "" : "s");
  return size.is_even() ? fmt::format("{} x {}", nodes, cores)
                        : fmt::format("{} of {} to {}", nodes, size.least_cores, cores);
}

std::string describe(const MachineSize& size) {
  const auto reported = nodes_and_cores(size);
  return size.is_even() ? reported : fmt::format("{}, {} in all", reported, size.cores);
}

}  // namespace tutti::platforms
