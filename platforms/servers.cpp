// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/servers.hpp"

namespace tutti::platforms {
namespace {

constexpr std::string_view name_prefix = "storage-";

std::string server_name(HostId server) { return fmt::format("{}{}", name_prefix, server); }

// A position in the i-th of `parts` equal parts of [0, length). It changes from part to part, so
// that servers do not share coordinates of a torus merely because their distance is a multiple of
// its size.
HostId spread(std::uint64_t i, std::uint64_t parts, std::uint64_t length) {
  const std::uint64_t begin = i * length / parts;
  const std::uint64_t end = (i + 1) * length / parts;
  if (end <= begin + 1) return static_cast<HostId>(begin);
  constexpr std::uint64_t golden = 618;  // thousandths; not a simple fraction
  return static_cast<HostId>(begin + i * golden % 1000 * (end - begin) / 1000);
}

}  // namespace

Servers::Servers(std::shared_ptr<const Topology> nodes, const ServersSpec& spec)
    : DerivedTopology(std::move(nodes)),
      leaves_(network().leaf_switches()),
      hosts_(network().host_count()),
      servers_(spec.count),
      ways_(leaves_ ? leaves_->ways : 2),
      first_link_(network().link_count()),
      first_limiter_(first_link_ + servers_ * ways_),
      cables_(cables(spec)) {
  TUTTI_CHECK(servers_ > 0, "a machine with no server");
  if (leaves_ && leaves_->first_limiter)
    limiter_Bps_ =
        spec.bandwidth_Bps.value_or(network().link(*leaves_->first_limiter).bandwidth_Bps);
}

// Uses leaf switches in turn, but not always the first host of a switch, because a fat tree selects
// the path by the number of the host.
HostId Servers::neighbour(HostId server) const {
  if (!leaves_) return spread(server, servers_, hosts_);
  const HostId leaf = server % (hosts_ / leaves_->hosts);
  return leaf * leaves_->hosts + server % leaves_->hosts;
}

Servers::End Servers::end(HostId id) const {
  TUTTI_CHECK(id < host_count(), "no such host");
  if (id < hosts_) return {.host = id};
  return {.host = neighbour(id - hosts_), .server = id - hosts_};
}

// ---- links ----

Link Servers::cable_of(HostId host) const {
  if (leaves_) return network().link(host * leaves_->links);
  std::vector<LinkId> links;
  network().route(host, host == 0 ? hosts_ - 1 : 0, links);
  return network().link(links.at(std::min(network().nic_links(), links.size()) - 1));
}

std::vector<Link> Servers::cables(const ServersSpec& spec) const {
  std::vector<Link> made;
  made.reserve(servers_);
  for (HostId server = 0; server < servers_; ++server) {
    const Link like = cable_of(neighbour(server));
    made.push_back({.bandwidth_Bps = spec.bandwidth_Bps.value_or(like.bandwidth_Bps),
                    .latency_s = spec.latency_s.value_or(like.latency_s)});
  }
  return made;
}

LinkId Servers::link_count() const { return first_limiter_ + (limiter_Bps_ ? servers_ : 0); }

Link Servers::link(LinkId id) const {
  if (id < first_link_) return network().link(id);
  TUTTI_CHECK(id < link_count(), "no such link");
  if (id < first_limiter_) return cables_[(id - first_link_) / ways_];
  return {.bandwidth_Bps = *limiter_Bps_};
}

LinkId Servers::end_of_equal_links(LinkId first) const {
  return first < first_link_ ? network().end_of_equal_links(first) : first + 1;
}

// ---- names ----

std::string Servers::host_name(HostId id) const {
  return id < hosts_ ? network().host_name(id) : server_name(id - hosts_);
}

std::string Servers::link_name(LinkId id) const {
  if (id < first_link_) return network().link_name(id);
  TUTTI_CHECK(id < link_count(), "no such link");
  if (id >= first_limiter_) return server_name(id - first_limiter_) + "_limiter";
  const std::string name = server_name((id - first_link_) / ways_) + "_link";
  if (ways_ == 1) return name;
  return name + ((id - first_link_) % 2 == 0 ? "_UP" : "_DOWN");
}

std::optional<HostId> Servers::find_host(std::string_view name) const {
  if (const auto found = network().find_host(name)) return found;
  if (!name.starts_with(name_prefix)) return std::nullopt;
  const auto number = parse_integer(name.substr(name_prefix.size()));
  if (!number || *number < 0 || *number >= servers_) return std::nullopt;
  const auto server = static_cast<HostId>(*number);
  if (server_name(server) != name) return std::nullopt;
  return hosts_ + server;
}

// ---- routes ----

void Servers::route(HostId source, HostId destination, std::vector<LinkId>& links) const {
  if (source < hosts_ && destination < hosts_) return network().route(source, destination, links);
  const End from = end(source);
  const End to = end(destination);
  if (!leaves_) return behind_nodes(from, to, links);
  if (from.host == to.host) return inside_leaf(from, to, links);
  between_leaves(from, to, links);
}

void Servers::rail_route(const RouteEnds& ends, std::vector<LinkId>& links) const {
  if (avoids_servers(ends)) return network().rail_route(ends, links);
  route(ends.source, ends.destination, links);
}

std::uint32_t Servers::shortest_paths(const RouteEnds& ends) const {
  return avoids_servers(ends) ? network().shortest_paths(ends) : 1;
}

void Servers::shortest_path(const RouteEnds& ends, std::uint32_t number,
                            std::vector<LinkId>& links) const {
  if (avoids_servers(ends)) return network().shortest_path(ends, number, links);
  route(ends.source, ends.destination, links);
}

std::uint64_t Servers::detours(const RouteEnds& ends) const {
  return avoids_servers(ends) ? network().detours(ends) : 0;
}

void Servers::detour(const RouteEnds& ends, std::uint64_t number,
                     std::vector<LinkId>& links) const {
  TUTTI_CHECK(avoids_servers(ends), "a server has no detours");
  network().detour(ends, number, links);
}

// Replaces a link of the neighbour by that of the server.
LinkId Servers::exchanged(LinkId id, const End& end) const {
  if (!end.server) return id;
  if (leaves_->is_cable_of(end.host, id)) return up(*end.server) + (ways_ == 2 ? id % 2 : 0);
  return leaves_->is_limiter_of(end.host, id) ? limiter(*end.server) : id;
}

void Servers::between_leaves(const End& source, const End& destination,
                             std::vector<LinkId>& links) const {
  const auto first = links.size();
  network().route(source.host, destination.host, links);
  for (auto i = first; i < links.size(); ++i)
    links[i] = exchanged(exchanged(links[i], source), destination);
}

// The route of the host to itself, out through its NIC and back, contains each of the host's links
// twice, first for the source; or once, if repeated links count once.
void Servers::inside_leaf(const End& source, const End& destination,
                          std::vector<LinkId>& links) const {
  const HostId host = source.host;
  const auto first = links.size();
  network().route(host, host, links);
  int cables = 0;
  int limiters = 0;
  for (auto i = first; i < links.size(); ++i) {
    const LinkId id = links[i];
    const bool is_cable = leaves_->is_cable_of(host, id);
    const bool is_limiter = leaves_->is_limiter_of(host, id);
    const bool is_second = is_cable ? cables++ > 0 : is_limiter && limiters++ > 0;
    links[i] = exchanged(id, is_second ? destination : source);
  }
  if (source.server == destination.server) return;
  if (cables < 2) links.push_back(exchanged(host * leaves_->links + ways_ - 1, destination));
  if (limiters == 1) links.push_back(exchanged(*leaves_->first_limiter + host, destination));
}

void Servers::behind_nodes(const End& source, const End& destination,
                           std::vector<LinkId>& links) const {
  if (source.server) links.push_back(up(*source.server));
  if (source.host != destination.host) network().route(source.host, destination.host, links);
  if (destination.server) links.push_back(down(*destination.server));
}

// ---- the graph ----

Graph Servers::graph() const {
  const Graph of_nodes = network().graph();
  Graph graph{.hosts = host_count(), .switches = of_nodes.switches, .edges = of_nodes.edges};
  const auto moved = [&](std::uint32_t vertex) {
    return vertex < hosts_ ? vertex : vertex + servers_;
  };
  for (Graph::Edge& edge : graph.edges) {
    edge.from = moved(edge.from);
    edge.to = moved(edge.to);
  }
  leaves_ ? connect_at_leaves(graph) : connect_behind_nodes(graph);
  return graph;
}

// Connects each server like its neighbour, by the first of the neighbour's physical links.
void Servers::connect_at_leaves(Graph& graph) const {
  std::vector<std::vector<Graph::Edge>> of_host(hosts_);
  for (const Graph::Edge& edge : graph.edges) {
    const HostId host = edge.link / leaves_->links;
    if (host < hosts_ && edge.link % leaves_->links < ways_) of_host[host].push_back(edge);
  }
  for (HostId server = 0; server < servers_; ++server) {
    const HostId host = neighbour(server);
    for (Graph::Edge edge : of_host[host]) {
      (edge.from == host ? edge.from : edge.to) = hosts_ + server;
      edge.link = up(server) + edge.link % leaves_->links;
      graph.edges.push_back(edge);
    }
  }
}

void Servers::connect_behind_nodes(Graph& graph) const {
  for (HostId server = 0; server < servers_; ++server) {
    const HostId host = neighbour(server);
    graph.edges.push_back({hosts_ + server, host, up(server), false});
    graph.edges.push_back({host, hosts_ + server, down(server), false});
  }
}

// ---- machine and placement ----

Machine with_servers(const Machine& machine, const ServersSpec& spec) {
  Machine with = machine;
  with.topology = std::make_shared<Servers>(machine.topology, spec);
  with.server_count = spec.count;
  if (!with.host_cores.empty()) with.host_cores.resize(with.host_count(), 1);
  if (with.core_flops_per_s.size() > 1) with.core_flops_per_s.resize(with.host_count());
  return with;
}

Placement with_server_ranks(Placement placement, const Machine& machine,
                            const std::vector<HostId>& servers) {
  const HostId first = machine.host_count() - machine.server_count;
  std::set<HostId> used;
  for (const HostId server : servers) {
    TUTTI_CHECK(server < machine.server_count, "a rank on a server that does not exist");
    placement.host_of.push_back(first + server);
    used.insert(server);
  }
  if (!placement.core_of.empty()) placement.core_of.resize(placement.host_of.size(), 0);
  placement.nodes += static_cast<int>(used.size());
  return placement;
}

}  // namespace tutti::platforms
