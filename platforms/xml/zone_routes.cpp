// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/zone_routes.hpp"

#include <unordered_set>

#include "platforms/xml/element.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {
namespace {

constexpr std::size_t most_links_per_route = 10'000;  // of one route

class RouteReader {
 public:
  RouteReader(const XmlSource& source, ZoneContents& contents, ErrorList& errors)
      : source_(source), names_(contents.names), contents_(contents), errors_(errors) {}

  void zone(ZoneId id, pugi::xml_node element) {
    id_ = id;
    pairs_.clear();
    for (const auto& cabinet : contents_.cabinets)
      if (cabinet.zone == id) connect(cabinet);
    for (const auto child : element.children()) {
      if (errors_.full()) return;
      const std::string_view name = child.name();
      ElementReader reader(source_, child, errors_);
      if (name == "route")
        route(reader);
      else if (name == "zoneRoute" || name == "ASroute")
        zone_route(reader);
      else if (name == "host_link")
        host_link(reader);
    }
  }

 private:
  using Ways = std::pair<std::vector<LinkId>, std::vector<LinkId>>;  // forward and backward

  ZoneTreeSpec& spec() { return contents_.zones.spec; }
  ZoneSpec& zone() { return spec().zones[id_]; }

  void route(ElementReader& element) {
    static const AttributeRules rules = {.required = {"src", "dst"}, .optional = {"symmetrical"}};
    element.check(rules);
    const auto from = own_point(element, "src");
    const auto to = own_point(element, "dst");
    const auto links = ways(element);
    const bool back = symmetrical(element);
    if (!from || !to || !links || !takes_routes(element, from == to)) return;
    if (zone().routing == ZoneRouting::hub) return self_route(element, from->vertex, links->first);
    const ZoneEdge edge{from->vertex, to->vertex, *from, *to, {}};
    add(element, edge, *links, back);
  }

  void zone_route(ElementReader& element) {
    static const AttributeRules rules = {.required = {"src", "dst", "gw_src", "gw_dst"},
                                         .optional = {"symmetrical"}};
    element.check(rules);
    const auto from = own_zone(element, "src");
    const auto to = own_zone(element, "dst");
    const auto exit = gateway(element, "gw_src", from);
    const auto entry = gateway(element, "gw_dst", to);
    const auto links = ways(element);
    const bool back = symmetrical(element);
    if (!exit || !entry || !links || !takes_routes(element, false)) return;
    if (from == to) return element.reject("dst", "a route from a zone to itself");
    const ZoneEdge edge{spec().zones[*from].vertex, spec().zones[*to].vertex, *exit, *entry, {}};
    add(element, edge, *links, back);
  }

  void host_link(ElementReader& element) {
    static const AttributeRules rules = {.required = {"id", "up", "down"}};
    element.check(rules);
    if (zone().routing != ZoneRouting::hub)
      return element.reject_element("<host_link> in a zone that is not a star of hosts",
                                    "it is for the hosts of a zone with routing Cluster");
    const auto host = own_point(element, "id");
    const auto up = plain_link(element, "up");
    const auto down = plain_link(element, "down");
    if (!host || !up || !down) return;
    HubLinks& hub = zone().hub[host->vertex];
    if (hub.up.count > 0)
      return element.reject(
          "id", fmt::format("a second <host_link> for {}", in_quotes(element.text("id"))));
    connect(hub, *up, *down);
  }

  void connect(HubLinks& hub, LinkId up, LinkId down) {
    std::vector<LinkId> up_links = {up};
    std::vector<LinkId> down_links = {down};
    if (const auto found = contents_.backbones.find(id_); found != contents_.backbones.end()) {
      up_links.push_back(found->second);
      down_links.insert(down_links.begin(), found->second);
    }
    hub.up = keep(up_links);
    hub.down = keep(down_links);
  }

  void connect(const CabinetHosts& cabinet) {
    for (VertexId i = 0; i < cabinet.count; ++i) {
      const LinkId up = cabinet.first_link + 2 * i;
      connect(zone().hub[cabinet.first + i], up, up + 1);
    }
  }

  void self_route(ElementReader& element, VertexId vertex, const std::vector<LinkId>& links) {
    if (zone().hub[vertex].self.count > 0) return second_route(element);
    zone().hub[vertex].self = keep(links);
  }

  bool takes_routes(ElementReader& element, bool to_itself) {
    if (zone().routing == ZoneRouting::none) {
      element.reject_element("a route in a zone with routing None",
                             "routing Full uses the routes of the file");
      return false;
    }
    if (zone().routing != ZoneRouting::hub || to_itself) return true;
    element.reject_element(
        "a route between members of a zone with routing Cluster",
        "its routes follow from <host_link> and <backbone>; routing Full uses the "
        "routes of the file");
    return false;
  }

  void add(ElementReader& element, ZoneEdge edge, const Ways& links, bool back) {
    if (!fresh(edge.from, edge.to)) return second_route(element);
    edge.links = keep(links.first);
    zone().edges.push_back(edge);
    if (!back || edge.from == edge.to) return;
    if (!fresh(edge.to, edge.from)) return second_route(element);
    std::swap(edge.from, edge.to);
    std::swap(edge.exit, edge.entry);
    edge.links = keep(links.second);
    zone().edges.push_back(edge);
  }

  bool fresh(VertexId from, VertexId to) {
    return pairs_.insert(std::uint64_t{from} << 32 | to).second;
  }

  void second_route(ElementReader& element) {
    element.reject_element(
        fmt::format("a second route between {} and {}", in_quotes(element.text("src")),
                    in_quotes(element.text("dst"))),
        "a route serves both directions unless it has symmetrical=\"NO\"");
  }

  LinkSpan keep(const std::vector<LinkId>& links) {
    auto& all = spec().route_links;
    const LinkSpan span{static_cast<std::uint32_t>(all.size()),
                        static_cast<std::uint32_t>(links.size())};
    all.insert(all.end(), links.begin(), links.end());
    return span;
  }

  // A host or router of this zone.
  std::optional<ZonePoint> own_point(ElementReader& element, const char* attribute) {
    if (!element.has(attribute)) return std::nullopt;
    const auto found = names_.point(std::string(element.text(attribute)), spec());
    if (found && found->zone == id_) return found;
    not_here(element, attribute, id_, found);
    return std::nullopt;
  }

  // A child of this zone.
  std::optional<ZoneId> own_zone(ElementReader& element, const char* attribute) {
    if (!element.has(attribute)) return std::nullopt;
    const auto text = element.text(attribute);
    const auto found = names_.zone(std::string(text));
    if (found && spec().zones[*found].parent == id_) return found;
    element.reject(
        attribute,
        fmt::format("there is no zone {} in zone {}", in_quotes(text), in_quotes(zone().name)),
        found ? elsewhere(spec().zones[*found].parent)
              : did_you_mean(text, names_of(document_children())));
    return std::nullopt;
  }

  std::optional<ZonePoint> gateway(ElementReader& element, const char* attribute,
                                   std::optional<ZoneId> inside) {
    if (!element.has(attribute) || !inside) return std::nullopt;
    const auto found = names_.point(std::string(element.text(attribute)), spec());
    if (found && holds(*inside, found->zone)) return found;
    not_here(element, attribute, *inside, found);
    return std::nullopt;
  }

  bool holds(ZoneId outer, ZoneId zone) {
    while (zone != outer && zone != no_zone) zone = spec().zones[zone].parent;
    return zone == outer;
  }

  void not_here(ElementReader& element, const char* attribute, ZoneId zone,
                std::optional<ZonePoint> found) {
    const auto text = element.text(attribute);
    std::string hint = found ? elsewhere(found->zone) : did_you_mean(text, points_of(zone));
    const auto& inner = spec().zones[zone].inner;
    if (hint.empty() && inner && inner->router_name().empty())
      hint = "this cluster has no router: one of its hosts can be the gateway";
    element.reject(attribute,
                   fmt::format("there is no host or router {} in zone {}", in_quotes(text),
                               in_quotes(spec().zones[zone].name)),
                   std::move(hint));
  }

  std::string elsewhere(ZoneId zone) {
    return zone == no_zone ? "it is the outermost zone"
                           : fmt::format("it is in zone {}", in_quotes(spec().zones[zone].name));
  }

  // Some names of a zone's hosts and routers; a suggestion is not worth listing all.
  std::vector<std::string> points_of(ZoneId id) {
    constexpr std::size_t most = 1000;
    const ZoneSpec& zone = spec().zones[id];
    std::vector<std::string> names;
    for (HostId host = 0; host < zone.end_host - zone.first_host && names.size() < most; ++host) {
      if (zone.has_zones) break;
      names.push_back(zone.inner ? zone.inner->host_name(host)
                                 : std::string(spec().host_names[zone.first_name + host]));
    }
    if (zone.inner) names.push_back(zone.inner->router_name());
    for (std::size_t i = 0; i < std::min(spec().router_names.size(), most); ++i)
      if (const std::string name(spec().router_names[i]); names_.point(name, spec())->zone == id)
        names.push_back(name);
    return names;
  }

  std::vector<ZoneId> document_children() {
    std::vector<ZoneId> children;
    for (ZoneId id = id_; id < spec().zones.size() && children.size() < 1000; ++id)
      if (spec().zones[id].parent == id_) children.push_back(id);
    return children;
  }

  std::vector<std::string> names_of(const std::vector<ZoneId>& zones) {
    std::vector<std::string> names;
    for (const ZoneId id : zones) names.push_back(spec().zones[id].name);
    return names;
  }

  bool symmetrical(ElementReader& element) {
    const auto text = element.text("symmetrical");
    if (!element.has("symmetrical") || text == "YES" || text == "yes") return true;
    if (text != "NO" && text != "no")
      element.reject("symmetrical",
                     fmt::format("invalid value {}: expected YES or NO", in_quotes(text)));
    return false;
  }

  std::optional<Ways> ways(ElementReader& route) {
    Ways links;
    bool good = true;
    for (const auto child : route.element().children("link_ctn")) {
      if (errors_.full()) return std::nullopt;
      ElementReader element(source_, child, errors_);
      const auto both = link_ways(element);
      good = good && both;
      if (!both) continue;
      links.first.push_back(both->first);
      links.second.push_back(both->second);
    }
    if (!good) return std::nullopt;
    std::reverse(links.second.begin(), links.second.end());
    const auto count = links.first.size();
    if (count > 0 && count <= most_links_per_route) return links;
    route.reject_element(count == 0
                             ? "a route without links"
                             : fmt::format("a route of more than {} links", most_links_per_route));
    return std::nullopt;
  }

  // The forward and the backward link.
  std::optional<std::pair<LinkId, LinkId>> link_ways(ElementReader& element) {
    static const AttributeRules rules = {.required = {"id"}, .optional = {"direction"}};
    element.check(rules);
    if (!element.has("id")) return std::nullopt;
    const auto way = element.has("direction") ? element.text("direction") : "NONE";
    if (way == "NONE") {
      const auto link = plain_link(element, "id");
      if (!link) return std::nullopt;
      return std::pair(*link, *link);
    }
    const auto link = known_link(element, "id");
    if (!link) return std::nullopt;
    if (way != "UP" && way != "DOWN")
      element.reject("direction", fmt::format("invalid direction {}: expected UP, DOWN or NONE",
                                              in_quotes(way)));
    else if (!link->split)
      element.reject(
          "direction",
          fmt::format("link {} is one link for both directions", in_quotes(element.text("id"))),
          "omit the direction, or make the link SPLITDUPLEX");
    else
      return way == "UP" ? std::pair(link->id, link->id + 1) : std::pair(link->id + 1, link->id);
    return std::nullopt;
  }

  std::optional<NamedLink> known_link(ElementReader& element, const char* attribute) {
    const auto text = element.text(attribute);
    const auto found = names_.link(std::string(text));
    if (!found)
      element.reject(attribute, fmt::format("there is no link {}", in_quotes(text)),
                     did_you_mean(text, link_names(),
                                  "links are defined by <link>; those of a <cluster> cannot be "
                                  "part of a route"));
    return found;
  }

  // One link by its own name.
  std::optional<LinkId> plain_link(ElementReader& element, const char* attribute) {
    if (!element.has(attribute)) return std::nullopt;
    const auto found = known_link(element, attribute);
    if (!found) return std::nullopt;
    if (!found->split) return found->id;
    const auto text = printable(element.text(attribute));
    element.reject(attribute, fmt::format("'{}' is two links, one per direction", text),
                   std::string_view(element.element().name()) == "link_ctn"
                       ? "add direction=\"UP\" or direction=\"DOWN\""
                       : fmt::format("name one: '{0}_UP' or '{0}_DOWN'", text));
    return std::nullopt;
  }

  std::vector<std::string> link_names() {
    constexpr std::size_t most = 1000;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(spec().link_names.size(), most); ++i)
      names.emplace_back(spec().link_names[i]);
    return names;
  }

  const XmlSource& source_;
  const ZoneNames& names_;
  ZoneContents& contents_;
  ErrorList& errors_;
  ZoneId id_ = 0;
  std::unordered_set<std::uint64_t> pairs_;  // of this zone, as (from, to)
};

}  // namespace

void read_zone_routes(const XmlSource& source, const Document& document, ZoneContents& contents,
                      ErrorList& errors) {
  RouteReader reader(source, contents, errors);
  for (ZoneId id = 0; id < document.zones.size() && !errors.full(); ++id)
    reader.zone(id, document.zones[id].element);
}

}  // namespace tutti::platforms
