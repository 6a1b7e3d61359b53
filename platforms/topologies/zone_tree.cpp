// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/zone_tree.hpp"

#include "platforms/topologies/zones/paths.hpp"
#include "platforms/topology_description.hpp"

namespace tutti::platforms {
namespace {

class ZoneTree : public Topology {
 public:
  // The spec must have routes between all hosts (missing_route.hpp).
  explicit ZoneTree(ZoneTreeSpec spec) : spec_(std::move(spec)) {
    TUTTI_CHECK(!spec_.zones.empty() && spec_.zones.front().has_hosts(), "zones without hosts");
    for (ZoneId id = 0; id < spec_.zones.size(); ++id) {
      const ZoneSpec& zone = spec_.zones[id];
      Zone made{.parent = zone.parent,
                .vertex = zone.vertex,
                .depth = zone.depth,
                .paths = make_paths(zone),
                .vertex_of = {}};
      if (!zone.routers.empty())
        for (HostId host = 0; host < zone.end_host - zone.first_host; ++host)
          made.vertex_of.push_back(vertex_of(zone, host));
      zones_.push_back(std::move(made));
      if (zone.has_zones || !zone.has_hosts()) continue;
      leaf_starts_.push_back(zone.first_host);
      leaves_.push_back(id);
      if (zone.inner == nullptr)
        for (HostId host = zone.first_host; host < zone.end_host; ++host)
          host_of_name_.push_back(host);
    }
    by_name_.resize(spec_.host_names.size());
    std::iota(by_name_.begin(), by_name_.end(), 0U);
    std::sort(by_name_.begin(), by_name_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return spec_.host_names[a] < spec_.host_names[b];
    });
    add_links();
  }

  std::string kind() const override {
    return spec_.zones.size() == 1 ? "zone" : std::to_string(spec_.zones.size()) + " zones";
  }
  TopologyDescription describe() const override {
    auto description = Topology::describe();
    description.no_route_to_itself = "zone";
    return description;
  }
  HostId host_count() const override { return spec_.zones.front().end_host; }
  LinkId link_count() const override { return links_; }
  Link link(LinkId id) const override {
    if (id < spec_.links.size()) return spec_.links[id];
    const LinkBlock& block = block_of(id);
    const ZoneSpec& zone = spec_.zones[block.zone];
    return block.loopbacks ? *zone.loopback : zone.inner->link(id - block.first);
  }
  std::string host_name(HostId id) const override {
    const ZoneSpec& zone = spec_.zones[zone_of(id)];
    const HostId own = id - zone.first_host;
    return zone.inner ? zone.inner->host_name(own)
                      : std::string(spec_.host_names[zone.first_name + own]);
  }
  std::string link_name(LinkId id) const override {
    if (id < spec_.links.size()) return std::string(spec_.link_names[id]);
    const LinkBlock& block = block_of(id);
    const ZoneSpec& zone = spec_.zones[block.zone];
    if (block.loopbacks) return host_name(zone.first_host + (id - block.first)) + "_loopback";
    return zone.inner->link_name(id - block.first);
  }
  std::optional<HostId> find_host(std::string_view name) const override {
    const auto found = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                        [&](std::uint32_t listed, std::string_view wanted) {
                                          return spec_.host_names[listed] < wanted;
                                        });
    if (found != by_name_.end() && spec_.host_names[*found] == name) return host_of_name_[*found];
    for (const ZoneSpec& zone : spec_.zones)
      if (zone.inner)
        if (const auto host = zone.inner->find_host(name)) return zone.first_host + *host;
    return std::nullopt;
  }
  // From a host to itself: the route of the file; else the host's loopback, if the zone has
  // loopbacks; else out and back.
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    if (source == destination) return to_itself(source, links);
    connect(point_of(source), point_of(destination), links);
  }
  // Junction vertices connect the links of a route; a zone with routing Cluster has a hub.
  Graph graph() const override;
  // The steps of the searches of Dijkstra zones.
  std::uint64_t search_steps() const override {
    std::uint64_t edges = 0;
    for (const ZoneSpec& zone : spec_.zones)
      if (zone.routing == ZoneRouting::dijkstra) edges += zone.edges.size();
    constexpr std::uint64_t steps_per_edge = 10;  // approximate, measured
    return steps_per_edge * edges;
  }
  LinkId end_of_equal_links(LinkId first) const override {
    if (first < spec_.links.size()) return first + 1;
    const LinkBlock& block = block_of(first);
    const ZoneSpec& zone = spec_.zones[block.zone];
    return block.first + (block.loopbacks ? zone.end_host - zone.first_host
                                          : zone.inner->end_of_equal_links(first - block.first));
  }

 private:
  // Data of a zone that routes need.
  struct Zone {
    ZoneId parent = no_zone;
    VertexId vertex = 0;
    int depth = 0;
    std::unique_ptr<const Paths> paths;
    LinkId first_link = 0;            // of a cluster
    LinkId first_loopback = 0;        // of a zone with loopbacks
    std::vector<VertexId> vertex_of;  // by host of the zone; empty if the numbers are equal
  };
  // Links that the file does not list: the links of a cluster, or the loopbacks of a zone's hosts.
  struct LinkBlock {
    LinkId first = 0;
    ZoneId zone = 0;
    bool loopbacks = false;
  };

  void add_links() {
    links_ = static_cast<LinkId>(spec_.links.size());
    for (const bool loopbacks : {false, true})
      for (ZoneId id = 0; id < zones_.size(); ++id) {
        const ZoneSpec& zone = spec_.zones[id];
        if (loopbacks ? !zone.loopback.has_value() : zone.inner == nullptr) continue;
        (loopbacks ? zones_[id].first_loopback : zones_[id].first_link) = links_;
        const LinkId count = loopbacks ? zone.end_host - zone.first_host : zone.inner->link_count();
        if (count > 0) blocks_.push_back({.first = links_, .zone = id, .loopbacks = loopbacks});
        links_ += count;
      }
  }
  ZoneId zone_of(HostId host) const {
    TUTTI_CHECK(host < host_count(), "no such host");
    if (leaves_.size() == 1) return leaves_.front();
    const auto next = std::upper_bound(leaf_starts_.begin(), leaf_starts_.end(), host);
    return leaves_[static_cast<std::size_t>(next - leaf_starts_.begin()) - 1];
  }
  ZonePoint point_of(HostId host) const {
    const ZoneId id = zone_of(host);
    const HostId own = host - spec_.zones[id].first_host;
    return {id, zones_[id].vertex_of.empty() ? own : zones_[id].vertex_of[own]};
  }
  const LinkBlock& block_of(LinkId id) const {
    const auto next = std::upper_bound(
        blocks_.begin(), blocks_.end(), id,
        [](LinkId wanted, const LinkBlock& block) { return wanted < block.first; });
    TUTTI_CHECK(id < links_ && next != blocks_.begin(), "no such link");
    return *(next - 1);
  }
  void to_itself(HostId host, std::vector<LinkId>& links) const {
    const ZonePoint point = point_of(host);
    const ZoneSpec& zone = spec_.zones[point.zone];
    const auto before = links.size();
    if (zones_[point.zone].paths)
      follow_paths(point.zone, point, point.vertex, point, point.vertex, links);
    else if (zone.routing == ZoneRouting::hub)
      cross_hub(zone, point.vertex, point.vertex, links);
    else if (zone.inner && !zone.loopback)
      cross_cluster(point.zone, point.vertex, point.vertex, links);
    if (links.size() > before || !zone.loopback) return;
    links.push_back(zones_[point.zone].first_loopback + (host - zone.first_host));
  }
  void connect(ZonePoint source, ZonePoint destination, std::vector<LinkId>& links) const {
    if (source == destination) return;
    auto [a, from] = source;
    auto [b, to] = destination;
    const auto climb = [&](ZoneId& zone, VertexId& vertex) {
      vertex = zones_[zone].vertex;
      zone = zones_[zone].parent;
    };
    while (a != b) {
      const int above = zones_[a].depth - zones_[b].depth;
      if (above >= 0) climb(a, from);
      if (above <= 0) climb(b, to);
    }
    cross(a, source, from, destination, to, links);
  }
  // Appends the route through `zone`, whose vertices `from` and `to` are or contain the two points.
  void cross(ZoneId zone, ZonePoint source, VertexId from, ZonePoint destination, VertexId to,
             std::vector<LinkId>& links) const {
    const ZoneSpec& spec = spec_.zones[zone];
    if (spec.inner) return cross_cluster(zone, from, to, links);
    if (spec.routing == ZoneRouting::hub && !spec.has_zones)
      return cross_hub(spec, from, to, links);
    TUTTI_CHECK(zones_[zone].paths && follow_paths(zone, source, from, destination, to, links),
                "no path through zone " + spec.name);
  }
  // Returns false if there is no path.
  bool follow_paths(ZoneId zone, ZonePoint source, VertexId from, ZonePoint destination,
                    VertexId to, std::vector<LinkId>& links) const {
    static thread_local std::vector<EdgeId> hops;  // a stack: this route, then nested routes
    const auto base = hops.size();
    zones_[zone].paths->append_backwards(from, to, hops);
    const bool found = hops.size() > base;
    ZonePoint at = source;
    while (hops.size() > base) {
      const ZoneEdge& edge = spec_.zones[zone].edges[hops.back()];
      hops.pop_back();
      connect(at, edge.exit, links);
      append(edge.links, links);
      at = edge.entry;
    }
    if (found) connect(at, destination, links);
    return found;
  }
  // As in SimGrid, each link counts once here, for example one that serves both directions.
  void cross_hub(const ZoneSpec& zone, VertexId from, VertexId to,
                 std::vector<LinkId>& links) const {
    const auto first = static_cast<std::ptrdiff_t>(links.size());
    const auto& [up, down, self] = zone.hub[from];
    const bool loop = from == to && self.count > 0;
    for (const LinkSpan span : {loop ? self : up, loop ? LinkSpan() : zone.hub[to].down})
      for (std::uint32_t i = 0; i < span.count; ++i) {
        const LinkId link = spec_.route_links[span.first + i];
        if (std::find(links.begin() + first, links.end(), link) == links.end())
          links.push_back(link);
      }
  }
  void cross_cluster(ZoneId zone, VertexId from, VertexId to, std::vector<LinkId>& links) const {
    const Topology& inner = *spec_.zones[zone].inner;
    const VertexId router = inner.host_count();
    const auto first = links.size();
    if (to == router)
      inner.route_to_router(from, links);
    else if (from == router)
      inner.route_from_router(to, links);
    else
      inner.route(from, to, links);
    for (auto i = first; i < links.size(); ++i) links[i] += zones_[zone].first_link;
  }
  void append(LinkSpan span, std::vector<LinkId>& links) const {
    const auto begin = spec_.route_links.begin() + span.first;
    links.insert(links.end(), begin, begin + span.count);
  }

  friend class ZoneTreeGraph;

  ZoneTreeSpec spec_;
  std::vector<Zone> zones_;
  std::vector<HostId> leaf_starts_;  // first host of each zone in leaves_
  std::vector<ZoneId> leaves_;       // zones that directly contain hosts
  std::vector<LinkBlock> blocks_;
  LinkId links_ = 0;
  std::vector<std::uint32_t> by_name_;  // the listed hosts, ordered by name
  std::vector<HostId> host_of_name_;    // by index of the name
};

// Builds the graph of a zone tree.
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
    Vertex out = 0;  // after the backbone
  };

  Vertex add_switch(std::string name) {
    graph_.switches.push_back(std::move(name));
    return graph_.hosts + static_cast<Vertex>(graph_.switches.size()) - 1;
  }

  void add_switches(ZoneId id) {
    const ZoneSpec& zone = spec_.zones[id];
    if (zone.inner) return add_cluster(id);
    const bool star = zone.routing == ZoneRouting::hub && !zone.has_zones;
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

  // Maps the hosts and switches of the cluster to vertices of this graph; its router is its last
  // switch.
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

  // The vertex between two links that follow each other in a route.
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

  // Merges the edges of a link that serves both directions or several routes.
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

}  // namespace

std::unique_ptr<const Topology> make_zone_tree(ZoneTreeSpec spec) {
  return std::make_unique<ZoneTree>(std::move(spec));
}

}  // namespace tutti::platforms
