// SPDX-License-Identifier: BSD-3-Clause
// The picture of a zone tree.
#include <algorithm>
#include <map>
#include <tuple>

#include "platforms/topologies/zone_tree.hpp"

namespace tutti::platforms {

class ZoneTreeGraph {
 public:
  explicit ZoneTreeGraph(const ZoneTree& tree) : tree_(tree), spec_(tree.spec_) {
    graph_.hosts = tree.host_count();
  }

  Graph draw() {
    for (ZoneId id = 0; id < spec_.zones.size(); ++id) add_switches(id);
    for (ZoneId id = 0; id < spec_.zones.size(); ++id) {
      for (const ZoneEdge& edge : spec_.zones[id].edges) add_edge(edge);
      add_hub(id);
    }
    join_ways();
    return std::move(graph_);
  }

 private:
  using Vertex = std::uint32_t;
  struct Hub {
    Vertex in = 0;
    Vertex out = 0;  // behind the backbone
  };

  Vertex add_switch(std::string name) {
    graph_.switches.push_back(std::move(name));
    return graph_.hosts + static_cast<Vertex>(graph_.switches.size()) - 1;
  }

  void add_switches(ZoneId id) {
    const ZoneSpec& zone = spec_.zones[id];
    if (zone.inner) return add_cluster(id);
    const bool star = zone.routing == ZoneRouting::hub && !zone.holds_zones;
    if (star) hubs_[id] = add_star(zone);
    for (const VertexId router : zone.routers) {
      const std::string name(spec_.router_names[routers_++]);
      points_[{id, router}] = star ? hubs_[id].out : add_switch(name);
    }
  }

  Hub add_star(const ZoneSpec& zone) {
    const bool backbone = std::any_of(zone.hub.begin(), zone.hub.end(),
                                      [](const HubLinks& hub) { return hub.up.count > 1; });
    const Vertex in = add_switch(zone.name + (backbone ? "_in" : "_hub"));
    return {in, backbone ? add_switch(zone.name + "_out") : in};
  }

  // Its hosts and switches take numbers of this graph; its router is its last switch.
  void add_cluster(ZoneId id) {
    const ZoneSpec& zone = spec_.zones[id];
    Graph inner = zone.inner->graph();
    const auto first = graph_.hosts + static_cast<Vertex>(graph_.switches.size());
    const auto number = [&](Vertex vertex) {
      return vertex < inner.hosts ? zone.first_host + vertex : first + (vertex - inner.hosts);
    };
    for (const auto& edge : inner.edges)
      graph_.edges.push_back({number(edge.from), number(edge.to),
                              edge.link + tree_.zones_[id].first_link, edge.both_ways});
    for (auto& name : inner.switches) add_switch(std::move(name));
    if (!inner.switches.empty())
      points_[{id, zone.vertex_count}] =
          number(inner.hosts + static_cast<Vertex>(inner.switches.size()) - 1);
  }

  Vertex vertex_of_point(ZonePoint point) const {
    const auto router = points_.find({point.zone, point.vertex});
    if (router != points_.end()) return router->second;
    const ZoneSpec& zone = spec_.zones[point.zone];
    const auto before = std::lower_bound(zone.routers.begin(), zone.routers.end(), point.vertex) -
                        zone.routers.begin();
    return zone.first_host + point.vertex - static_cast<Vertex>(before);
  }

  // Between two links that follow each other in some route.
  Vertex junction(LinkId a, LinkId b) {
    const auto [found, fresh] = junctions_.emplace(std::minmax(a, b), 0);
    if (fresh) found->second = add_switch(tree_.link_name(a) + "+" + tree_.link_name(b));
    return found->second;
  }

  void add_edge(const ZoneEdge& edge) {
    if (edge.from == edge.to) return;
    Vertex at = vertex_of_point(edge.exit);
    for (std::uint32_t i = 0; i < edge.links.count; ++i) {
      const LinkId link = spec_.route_links[edge.links.first + i];
      const Vertex next = i + 1 < edge.links.count
                              ? junction(link, spec_.route_links[edge.links.first + i + 1])
                              : vertex_of_point(edge.entry);
      ways_.push_back({at, next, link, false});
      at = next;
    }
  }

  void add_hub(ZoneId id) {
    const auto hub = hubs_.find(id);
    if (hub == hubs_.end()) return;
    const ZoneSpec& zone = spec_.zones[id];
    const auto [in, out] = hub->second;
    for (VertexId vertex = 0; vertex < zone.vertex_count; ++vertex) {
      const auto& [up, down, self] = zone.hub[vertex];
      if (up.count == 0) continue;
      const Vertex host = vertex_of_point({id, vertex});
      ways_.push_back({host, in, spec_.route_links[up.first], false});
      ways_.push_back({out, host, spec_.route_links[down.first + down.count - 1], false});
      if (up.count > 1) ways_.push_back({in, out, spec_.route_links[up.first + 1], false});
    }
  }

  // One edge for a link that leads there and back, and for one that several routes cross.
  void join_ways() {
    const auto key = [](const Graph::Edge& edge) {
      return std::tuple(edge.link, std::minmax(edge.from, edge.to), edge.from);
    };
    std::sort(ways_.begin(), ways_.end(),
              [&](const auto& a, const auto& b) { return key(a) < key(b); });
    const auto old = static_cast<std::ptrdiff_t>(graph_.edges.size());
    for (const auto& way : ways_) {
      const bool first = static_cast<std::ptrdiff_t>(graph_.edges.size()) == old;
      Graph::Edge* last = first ? nullptr : &graph_.edges.back();
      if (last && last->link == way.link && last->from == way.from && last->to == way.to) continue;
      if (last && last->link == way.link && last->from == way.to && last->to == way.from)
        last->both_ways = true;
      else
        graph_.edges.push_back(way);
    }
  }

  const ZoneTree& tree_;
  const ZoneTreeSpec& spec_;
  Graph graph_;
  std::map<ZoneId, Hub> hubs_;
  std::map<std::pair<ZoneId, VertexId>, Vertex> points_;  // routers
  std::map<std::pair<LinkId, LinkId>, Vertex> junctions_;
  std::vector<Graph::Edge> ways_;
  std::size_t routers_ = 0;
};

Graph ZoneTree::graph() const { return ZoneTreeGraph(*this).draw(); }

}  // namespace tutti::platforms
