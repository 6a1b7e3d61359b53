// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/rail_network.hpp"

#include "platforms/topologies/family.hpp"
#include "platforms/topology_description.hpp"

namespace tutti::platforms {

RailNetwork::RailNetwork(std::shared_ptr<const Topology> network, const RailSpec& spec,
                         HostNames names)
    : network_(std::move(network)),
      spec_(spec),
      names_(std::move(names)),
      planes_(spec.order == RailOrder::planes ? spec.rails : 1) {
  const auto nics = std::uint64_t{names_.count()} * spec_.rails / planes_;
  TUTTI_CHECK(spec_.rails > 0 && nics == network_->host_count(), "a network for other NICs");
  TUTTI_CHECK(std::uint64_t{network_->link_count()} * planes_ <= most_links, "too many links");
  TUTTI_CHECK(spec_.order != RailOrder::leaves || names_.count() % spec_.per_leaf == 0,
              "nodes without a leaf switch");
}

std::string RailNetwork::kind() const {
  return fmt::format("{} with {} rails ({})", network_->kind(), spec_.rails,
                     rail_order_names.at(static_cast<std::size_t>(spec_.order)));
}

TopologyDescription RailNetwork::describe() const {
  constexpr std::array<std::string_view, 3> orders = {"each with a network of its own",
                                                      "each with leaf switches of its own",
                                                      "the NICs of a node next to each other"};
  auto description = network_->describe();
  description.words += fmt::format(" with {} rails, {}", spec_.rails,
                                   orders.at(static_cast<std::size_t>(spec_.order)));
  description.layout = NodeLayout::layers;
  description.most_single_nodes = 0;
  description.has_rail_planes = spec_.order == RailOrder::planes;
  description.unlike_simgrid = rails_key;
  description.no_route_to_itself = kind();
  return description;
}

Link RailNetwork::link(LinkId id) const {
  TUTTI_CHECK(id < link_count(), "no such link");
  return network_->link(id % network_->link_count());
}

std::string RailNetwork::link_name(LinkId id) const {
  TUTTI_CHECK(id < link_count(), "no such link");
  const auto links = network_->link_count();
  const auto name = network_->link_name(id % links);
  return planes_ == 1 ? name : fmt::format("{}_plane_{}", name, id / links);
}

LinkId RailNetwork::end_of_equal_links(LinkId first) const {
  const auto links = network_->link_count();
  return first - first % links + network_->end_of_equal_links(first % links);
}

HostId RailNetwork::nic(HostId host, std::uint32_t rail) const {
  switch (spec_.order) {
    case RailOrder::planes:
      return host;
    case RailOrder::leaves: {
      const auto block = host / spec_.per_leaf;
      return (block * spec_.rails + rail) * spec_.per_leaf + host % spec_.per_leaf;
    }
    case RailOrder::node:
      return host * spec_.rails + rail;
  }
  return host;
}

HostId RailNetwork::host_of(HostId nic) const {
  switch (spec_.order) {
    case RailOrder::planes:
      return nic;
    case RailOrder::leaves:
      return nic / spec_.per_leaf / spec_.rails * spec_.per_leaf + nic % spec_.per_leaf;
    case RailOrder::node:
      return nic / spec_.rails;
  }
  return nic;
}

RouteEnds RailNetwork::nics(const RouteEnds& ends) const {
  TUTTI_CHECK(ends.source_rail < rails() && ends.destination_rail < rails(), "no such rail");
  return {.source = nic(ends.source, ends.source_rail),
          .destination = nic(ends.destination, ends.destination_rail)};
}

void RailNetwork::place(const RouteEnds& ends, std::size_t before,
                        std::vector<LinkId>& links) const {
  if (planes_ == 1) return;
  const auto shift = ends.source_rail * network_->link_count();
  for (auto i = before; i < links.size(); ++i) links[i] += shift;
}

void RailNetwork::route(HostId source, HostId destination, std::vector<LinkId>& links) const {
  network_->route(nic(source, 0), nic(destination, 0), links);
}

void RailNetwork::rail_route(const RouteEnds& ends, std::vector<LinkId>& links) const {
  const auto before = links.size();
  const auto between = nics(ends);
  network_->route(between.source, between.destination, links);
  place(ends, before, links);
}

std::uint32_t RailNetwork::shortest_paths(const RouteEnds& ends) const {
  return network_->shortest_paths(nics(ends));
}

void RailNetwork::shortest_path(const RouteEnds& ends, std::uint32_t number,
                                std::vector<LinkId>& links) const {
  const auto before = links.size();
  network_->shortest_path(nics(ends), number, links);
  place(ends, before, links);
}

std::uint64_t RailNetwork::detours(const RouteEnds& ends) const {
  return network_->detours(nics(ends));
}

void RailNetwork::detour(const RouteEnds& ends, std::uint64_t number,
                         std::vector<LinkId>& links) const {
  const auto before = links.size();
  network_->detour(nics(ends), number, links);
  place(ends, before, links);
}

std::optional<std::pair<HostId, HostId>> RailNetwork::farthest_hosts() const {
  return planes_ > 1 ? network_->farthest_hosts() : std::nullopt;
}

Graph RailNetwork::graph() const {
  const Graph network = network_->graph();
  Graph graph{.hosts = host_count(), .switches = {}, .edges = {}};
  const auto switches = static_cast<std::uint32_t>(network.switches.size());
  for (std::uint32_t plane = 0; plane < planes_; ++plane) {
    const auto vertex = [&](std::uint32_t id) {
      if (id < network.hosts) return host_of(id);
      return host_count() + plane * switches + (id - network.hosts);
    };
    for (const auto& name : network.switches)
      graph.switches.push_back(planes_ == 1 ? name : fmt::format("{}_plane_{}", name, plane));
    for (const auto& edge : network.edges)
      graph.edges.push_back({vertex(edge.from), vertex(edge.to),
                             edge.link + plane * network_->link_count(), edge.both_ways});
  }
  return graph;
}

}  // namespace tutti::platforms
