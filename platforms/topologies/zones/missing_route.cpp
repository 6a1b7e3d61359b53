// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/zones/missing_route.hpp"

#include "platforms/analysis/distances.hpp"

namespace tutti::platforms {
namespace {

constexpr double most_route_links = 1e7;  // nesting can double a route at each level
constexpr double links_through_cluster = 1000;

// Roles of a vertex. Routes lead from hosts and entries to hosts and exits.
enum Role : std::uint8_t { hosts = 1, entry = 2, exit = 4 };
constexpr std::uint8_t begins = hosts | entry;
constexpr std::uint8_t ends = hosts | exit;
using Roles = std::vector<std::vector<std::uint8_t>>;  // by zone and vertex

struct Gap {
  VertexId from = 0;
  VertexId to = 0;
};

// Marks the vertices of the gateway and of the zones that contain it, up to the child of `top`.
void mark(const ZoneTreeSpec& spec, ZoneId top, ZonePoint gateway, Role role, Roles& roles) {
  for (auto [zone, vertex] = gateway; zone != top;) {
    roles[zone][vertex] |= role;
    vertex = spec.zones[zone].vertex;
    zone = spec.zones[zone].parent;
  }
}

Roles find_roles(const ZoneTreeSpec& spec) {
  Roles roles;
  for (const ZoneSpec& zone : spec.zones) {
    const bool cluster = zone.inner != nullptr;
    roles.emplace_back(zone.vertex_count + (cluster ? 1 : 0),
                       cluster || zone.has_zones ? 0 : hosts);
    for (const VertexId router : zone.routers) roles.back()[router] = 0;
    if (zone.has_hosts() && zone.parent != no_zone) roles[zone.parent][zone.vertex] |= hosts;
  }
  for (ZoneId id = 0; id < spec.zones.size(); ++id) {
    if (!spec.zones[id].has_zones) continue;
    for (const ZoneEdge& edge : spec.zones[id].edges) {
      mark(spec, id, edge.exit, exit, roles);
      mark(spec, id, edge.entry, entry, roles);
    }
  }
  return roles;
}

// Checks whether the vertices of one zone reach each other.
class ZoneCheck {
 public:
  ZoneCheck(const ZoneSpec& zone, const std::vector<std::uint8_t>& roles)
      : zone_(zone), roles_(roles) {}

  std::optional<Gap> gap() {
    if (zone_.inner) return std::nullopt;
    switch (zone_.routing) {
      case ZoneRouting::full:
        return full_gap();
      case ZoneRouting::floyd:
      case ZoneRouting::dijkstra:
        return search_gap();
      case ZoneRouting::hub:
        if (!zone_.has_zones) return hub_gap();
        [[fallthrough]];
      default:
        return first_pair();
    }
  }

  // Maximum edges of a path between two vertices; valid after gap().
  double most_edges() const { return most_edges_; }

 private:
  bool is(VertexId vertex, std::uint8_t role) const { return (roles_[vertex] & role) != 0; }

  std::optional<Gap> first_pair() const {
    for (VertexId from = 0; from < roles_.size(); ++from) {
      if (!is(from, begins)) continue;
      for (VertexId to = 0; to < roles_.size(); ++to)
        if (to != from && is(to, ends)) return Gap{from, to};
    }
    return std::nullopt;
  }

  // Finds two hosts without links.
  std::optional<Gap> hub_gap() const {
    std::optional<VertexId> bare;
    for (VertexId vertex = 0; vertex < roles_.size(); ++vertex) {
      if (!is(vertex, hosts) || zone_.hub[vertex].up.count > 0) continue;
      if (bare) return Gap{*bare, vertex};
      bare = vertex;
    }
    return std::nullopt;
  }

  // Every start needs an edge to every end.
  std::optional<Gap> full_gap() const {
    const auto all = std::count_if(roles_.begin(), roles_.end(),
                                   [](std::uint8_t role) { return (role & ends) != 0; });
    std::vector<std::uint32_t> reached(roles_.size(), 0);
    for (const ZoneEdge& edge : zone_.edges)
      if (edge.from != edge.to && is(edge.to, ends)) ++reached[edge.from];
    for (VertexId from = 0; from < roles_.size(); ++from)
      if (is(from, begins) && reached[from] + (is(from, ends) ? 1 : 0) < all)
        return Gap{from, unreached(from)};
    return std::nullopt;
  }

  VertexId unreached(VertexId from) const {
    std::vector<bool> has_edge(roles_.size(), false);
    has_edge[from] = true;
    for (const ZoneEdge& edge : zone_.edges)
      if (edge.from == from) has_edge[edge.to] = true;
    for (VertexId to = 0; to < roles_.size(); ++to)
      if (is(to, ends) && !has_edge[to]) return to;
    return from;
  }

  // All vertices reach each other if all reach one pivot and it reaches all.
  std::optional<Gap> search_gap() {
    const auto pivot = middle();
    if (!pivot) return std::nullopt;
    Graph graph{.hosts = static_cast<std::uint32_t>(roles_.size()), .switches = {}, .edges = {}};
    for (const ZoneEdge& edge : zone_.edges) graph.edges.push_back({edge.from, edge.to, 0, false});
    for (const auto direction : {Neighbours::Direction::out, Neighbours::Direction::in}) {
      const bool backwards = direction == Neighbours::Direction::in;
      const auto steps = Neighbours(graph, direction).distances({&*pivot, 1});
      std::uint32_t most = 0;
      for (VertexId vertex = 0; vertex < roles_.size(); ++vertex) {
        if (steps[vertex] != Neighbours::unreachable) {
          most = std::max(most, steps[vertex]);
          continue;
        }
        if (!backwards && is(vertex, ends)) return Gap{*pivot, vertex};
        if (backwards && is(vertex, begins)) return Gap{vertex, *pivot};
      }
      most_edges_ += most;
    }
    return std::nullopt;
  }

  std::optional<VertexId> middle() const {
    std::optional<VertexId> found;
    for (VertexId vertex = 0; vertex < roles_.size(); ++vertex) {
      if (is(vertex, begins) && is(vertex, ends)) return vertex;
      if (!found && is(vertex, begins | ends)) found = vertex;
    }
    return found;
  }

  const ZoneSpec& zone_;
  const std::vector<std::uint8_t>& roles_;
  double most_edges_ = 1;
};

std::string router_name(const ZoneTreeSpec& spec, ZoneId zone, VertexId vertex);

// Describes a host, with the zone that contains it if that is not the zone itself.
std::string describe(const ZoneTreeSpec& spec, const std::vector<ZoneId>& children, ZoneId id,
                     VertexId vertex) {
  const ZoneSpec& zone = spec.zones[id];
  if (!zone.has_zones) {
    const auto router = std::lower_bound(zone.routers.begin(), zone.routers.end(), vertex);
    if (router != zone.routers.end() && *router == vertex)
      return "router " + router_name(spec, id, vertex);
    const auto before = static_cast<VertexId>(router - zone.routers.begin());
    return "host " + in_quotes(spec.host_names[zone.first_name + vertex - before]);
  }
  const ZoneSpec& child = spec.zones[children[vertex]];
  if (!child.has_hosts()) return "zone " + in_quotes(child.name);
  ZoneId leaf = children[vertex];
  while (spec.zones[leaf].has_zones || !spec.zones[leaf].has_hosts()) ++leaf;
  const ZoneSpec& holder = spec.zones[leaf];
  const auto host =
      holder.inner ? holder.inner->host_name(0) : std::string(spec.host_names[holder.first_name]);
  return fmt::format("host {} of zone {}", in_quotes(host), in_quotes(child.name));
}

std::string router_name(const ZoneTreeSpec& spec, ZoneId zone, VertexId vertex) {
  std::size_t before = 0;
  for (ZoneId id = 0; id < zone; ++id) before += spec.zones[id].routers.size();
  const auto& own = spec.zones[zone].routers;
  before +=
      static_cast<std::size_t>(std::lower_bound(own.begin(), own.end(), vertex) - own.begin());
  return in_quotes(spec.router_names[before]);
}

RouteProblem missing(const ZoneTreeSpec& spec, ZoneId zone, Gap gap) {
  std::vector<ZoneId> children;
  for (ZoneId id = 0; id < spec.zones.size(); ++id)
    if (spec.zones[id].parent == zone) children.push_back(id);
  return {zone,
          fmt::format("no route from {} to {}", describe(spec, children, zone, gap.from),
                      describe(spec, children, zone, gap.to)),
          fmt::format("zone {} needs routes between all its members",
                      in_quotes(spec.zones[zone].name))};
}

double longest_edge(const ZoneSpec& zone) {
  std::uint32_t longest = 1;
  for (const ZoneEdge& edge : zone.edges) longest = std::max(longest, edge.links.count);
  return longest;
}

// A path with the fewest links has at most as many links and edges as one over the pivot, and
// visits no vertex twice.
double longest_route(const ZoneSpec& zone, double edges_over_pivot, double inside) {
  if (zone.inner) return links_through_cluster;
  const double edges = std::min(edges_over_pivot * longest_edge(zone),
                                std::max(1.0, static_cast<double>(zone.vertex_count) - 1));
  const double own = zone.edges.empty() ? 0 : edges * longest_edge(zone);
  if (!zone.has_zones) return std::max(own, 4.0);  // up, backbone, down
  return own + (zone.edges.empty() ? 1 : edges + 1) * inside;
}

}  // namespace

std::optional<RouteProblem> route_problem(const ZoneTreeSpec& spec) {
  const Roles roles = find_roles(spec);
  std::vector<double> inside(spec.zones.size(), 1);  // links of the longest route inside a child
  for (auto id = static_cast<ZoneId>(spec.zones.size()); id-- > 0;) {
    const ZoneSpec& zone = spec.zones[id];
    ZoneCheck check(zone, roles[id]);
    if (const auto gap = check.gap()) return missing(spec, id, *gap);
    const double longest = longest_route(zone, check.most_edges(), inside[id]);
    if (longest > most_route_links)
      return RouteProblem{id,
                          fmt::format("routes through zone {} may have more than {:.0f} links",
                                      in_quotes(zone.name), most_route_links),
                          "each level of nested zones makes them longer"};
    if (zone.parent != no_zone) inside[zone.parent] = std::max(inside[zone.parent], longest);
  }
  return std::nullopt;
}

}  // namespace tutti::platforms
