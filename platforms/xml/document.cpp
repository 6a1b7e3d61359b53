// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/document.hpp"

#include "platforms/parameters/keys.hpp"
#include "platforms/xml/element.hpp"

namespace tutti::platforms {
namespace {

constexpr int deepest_zone = 64;
constexpr int most_props = 10'000;

// Elements of SimGrid that are not supported.
const std::set<std::string_view> unsupported_elements = {
    "peer",         "include",       "random",          "trace",  "trace_connect",
    "bypassRoute",  "bypassASroute", "bypassZoneRoute", "mount",  "storage",
    "storage_type", "model_prop",    "actor",           "process"};

// Where each supported element is allowed.
const std::map<std::string_view, const char*> right_places = {
    {"platform", "<platform> is the outermost element"},
    {"config", "<config> belongs in <platform>"},
    {"zone", "<zone> belongs in <platform> or in a <zone>"},
    {"AS", "<AS> belongs in <platform> or in an <AS>"},
    {"cluster", "<cluster> belongs in <platform> or in a <zone>"},
    {"prop", "<prop> belongs in <config>, <zone>, <cluster>, <host> or <link>"},
    {"host", "<host> belongs in a <zone>"},
    {"cabinet", "<cabinet> belongs in a <zone> with routing Cluster"},
    {"disk", "<disk> belongs in a <host>"},
    {"router", "<router> belongs in a <zone>"},
    {"link", "<link> belongs in a <zone>"},
    {"backbone", "<backbone> belongs in a <zone> with routing Cluster"},
    {"host_link", "<host_link> belongs in a <zone> with routing Cluster"},
    {"route", "<route> belongs in a <zone>"},
    {"zoneRoute", "<zoneRoute> belongs in a <zone>"},
    {"ASroute", "<ASroute> belongs in an <AS>"},
    {"link_ctn", "<link_ctn> belongs in <route> or <zoneRoute>"}};

// Contents of a zone: either zones, or hosts and routers; routes come last.
enum class Content { either, zones, hosts };
struct ZoneContent {
  const char* name;
  Content content;
  bool route;
};
constexpr std::array zone_contents = {
    ZoneContent{"zone", Content::zones, false},    ZoneContent{"AS", Content::zones, false},
    ZoneContent{"cluster", Content::zones, false}, ZoneContent{"zoneRoute", Content::zones, true},
    ZoneContent{"ASroute", Content::zones, true},  ZoneContent{"host", Content::hosts, false},
    ZoneContent{"router", Content::hosts, false},  ZoneContent{"host_link", Content::hosts, false},
    ZoneContent{"cabinet", Content::hosts, false}, ZoneContent{"route", Content::hosts, true},
    ZoneContent{"link", Content::either, false},   ZoneContent{"backbone", Content::either, false}};

const ZoneContent* content_of(std::string_view name) {
  for (const auto& content : zone_contents)
    if (content.name == name) return &content;
  return nullptr;
}

struct RoutingName {
  const char* name;
  ZoneRouting routing;
};
constexpr std::array routing_names = {RoutingName{"Full", ZoneRouting::full},
                                      RoutingName{"Floyd", ZoneRouting::floyd},
                                      RoutingName{"Dijkstra", ZoneRouting::dijkstra},
                                      RoutingName{"DijkstraCache", ZoneRouting::dijkstra},
                                      RoutingName{"Cluster", ZoneRouting::hub},
                                      RoutingName{"Star", ZoneRouting::hub},
                                      RoutingName{"None", ZoneRouting::none}};

std::string lower(std::string_view text) {
  std::string made(text);
  std::transform(made.begin(), made.end(), made.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return made;
}

// The printable name of an element.
std::string named(pugi::xml_node element) { return printable(element.name()); }

bool is(pugi::xml_node element, std::string_view name) { return name == element.name(); }
bool is_zone(pugi::xml_node element) { return is(element, "zone") || is(element, "AS"); }

class Walk {
 public:
  Walk(const XmlSource& source, ErrorList& errors) : source_(source), errors_(errors) {}

  Document take() { return std::move(document_); }

  void platform(pugi::xml_node root) {
    if (!is(root, "platform")) {
      reject(root, fmt::format("the root element is <{}>, not <platform>", named(root)),
             "a SimGrid platform file begins with <platform version=\"4.1\">");
      return;
    }
    check_attributes(source_, root, {.required = {"version"}}, errors_);
    check_version(root);
    for (const auto child : root.children()) {
      if (errors_.full()) return;
      platform_content(child);
    }
    if (document_.zones.empty() && errors_.empty())
      reject(root, "the file has no zone and no cluster",
             "hosts belong in a <zone> or a <cluster>");
    if (lonely_) document_.only_cluster = document_.zones.back().element;
  }

 private:
  // Adds an error at an element.
  void reject(pugi::xml_node element, std::string message, std::string hint = "") {
    errors_.add(reported(source_.at(element), std::move(message), std::move(hint)));
  }

  void check_version(pugi::xml_node root) {
    const auto attribute = root.attribute("version");
    const std::string_view version = attribute.value();
    if (!attribute || version == "4" || version.starts_with("4.")) return;
    errors_.add(
        reported(source_.at_value(root, "version"),
                 fmt::format("unsupported format version {}", in_quotes(version)),
                 "expected version 4.1; SimGrid's simgrid_update_xml converts older files"));
  }

  void platform_content(pugi::xml_node child) {
    if (is(child, "config")) return config(child);
    if (!is_zone(child) && !is(child, "cluster")) return unexpected(child);
    if (!document_.zones.empty())
      return reject(child, fmt::format("a second <{}> at the top of the platform", named(child)),
                    "put both into one <zone>");
    lonely_ = true;
    zone_or_cluster(child, no_zone, 0);
    const auto& last = document_.zones.back();
    lonely_ = lonely_ && last.routing == ZoneRouting::cluster;
  }

  void config(pugi::xml_node element) {
    check_attributes(source_, element, {.optional = {"id"}}, errors_);
    for (const auto child : element.children()) {
      if (errors_.full()) return;
      if (!props(element, child, no_zone)) unexpected(child);
    }
    seen_props_.clear();
  }

  void zone_or_cluster(pugi::xml_node element, ZoneId parent, int depth) {
    if (depth == deepest_zone + (is_zone(element) ? 0 : 1)) {
      reject(element, fmt::format("zones are nested more than {} levels deep", deepest_zone));
      return;
    }
    const auto id = static_cast<ZoneId>(document_.zones.size());
    document_.zones.push_back({.element = element, .parent = parent, .depth = depth});
    if (is_zone(element))
      zone(element, id, depth);
    else
      cluster(element, id);
  }

  void zone(pugi::xml_node element, ZoneId id, int depth) {
    check_attributes(source_, element, {.required = {"id"}, .optional = {"routing"}}, errors_);
    document_.zones[id].routing = routing(element);
    own_props(element, id);
    const ZoneContent* holds = nullptr;  // the first content that determines the kind of zone
    bool routes = false;
    int zones = 0;
    for (const auto child : element.children()) {
      if (errors_.full()) return;
      if (is(child, "prop")) continue;
      const auto* content = content_of(child.name());
      if (content == nullptr) {
        unexpected(child);
        continue;
      }
      check_order(child, *content, holds, routes);
      if (is_zone(child) || is(child, "cluster")) {
        document_.zones[id].has_zones = true;
        ++zones;
        zone_or_cluster(child, id, depth + 1);
      } else {
        lonely_ = false;
        inside(child);
      }
    }
    if (zones > 1) lonely_ = false;
  }

  // SimGrid's parser requires the same order.
  void check_order(pugi::xml_node child, const ZoneContent& content, const ZoneContent*& holds,
                   bool& routes) {
    if (content.content != Content::either && holds == nullptr) holds = &content;
    if (content.content != Content::either && holds->content != content.content)
      mixed(child, *holds);
    else if (routes && !content.route && reported_.insert("route order").second)
      reject(child, fmt::format("<{}> after a route", named(child)),
             "the routes of a zone come last");
    routes = routes || content.route;
  }

  void mixed(pugi::xml_node child, const ZoneContent& holds) {
    if (!reported_.insert("mixed content").second) return;
    reject(child, fmt::format("<{}> in a zone that has <{}>", named(child), holds.name),
           "a zone contains either zones and their <zoneRoute>s, or hosts, routers "
           "and their <route>s");
  }

  // The children of a host, link or route.
  void inside(pugi::xml_node element) {
    const bool links = is(element, "route") || is(element, "zoneRoute") || is(element, "ASroute");
    const bool has_props = is(element, "host") || is(element, "link");
    for (const auto child : element.children()) {
      if (errors_.full()) return;
      if (links && is(child, "link_ctn")) continue;
      if (has_props && is(child, "prop"))
        foreign_prop(element, child);
      else if (is(element, "host") && is(child, "disk"))
        disk(child);
      else
        unexpected(child);
    }
  }

  // A disk of a host, which no result depends on: storage has keys of its own.
  void disk(pugi::xml_node element) {
    static const AttributeRules rules = {.required = {"read_bw", "write_bw"}, .optional = {"id"}};
    ElementReader reader(source_, element, errors_);
    reader.check(rules);
    for (const char* rate : {"read_bw", "write_bw"})
      reader.value<double>(rate, &parse_bandwidth, 0);
    for (const auto child : element.children())
      if (is(child, "prop"))
        foreign_prop(element, child);
      else
        unexpected(child);
  }

  // A prop of a host or a link: SimGrid's plugins read them, Tutti does not.
  void foreign_prop(pugi::xml_node parent, pugi::xml_node element) {
    check_attributes(source_, element, {.required = {"id", "value"}}, errors_);
    const std::string_view key = element.attribute("id").value();
    if (!is_known_key(key)) return;
    errors_.add(
        reported(source_.at_value(element, "id"),
                 fmt::format("{} has no meaning in <{}>", in_quotes(key), named(parent)),
                 "it applies to the whole machine: set it in <config> or the outermost zone"));
  }

  ZoneRouting routing(pugi::xml_node element) {
    const auto attribute = element.attribute("routing");
    if (!attribute) return ZoneRouting::full;
    for (const auto& known : routing_names)
      if (lower(known.name) == lower(attribute.value())) return known.routing;
    errors_.add(reported(source_.at_value(element, "routing"),
                         fmt::format("unsupported routing {}", in_quotes(attribute.value())),
                         routing_hint(attribute.value())));
    return ZoneRouting::none;
  }

  static std::string routing_hint(std::string_view word) {
    std::vector<std::string> names;
    for (const auto& known : routing_names) names.emplace_back(known.name);
    return did_you_mean(word, names,
                        "routing: Full, Floyd, Dijkstra, DijkstraCache, Cluster, None");
  }

  void cluster(pugi::xml_node element, ZoneId id) {
    document_.zones[id].routing = ZoneRouting::cluster;
    own_props(element, id);
    for (const auto child : element.children())
      if (!is(child, "prop")) unexpected(child);
  }

  // Reads all props of a zone or cluster before its other contents.
  void own_props(pugi::xml_node element, ZoneId id) {
    for (const auto child : element.children("prop")) {
      if (errors_.full()) return;
      props(element, child, id);
    }
    seen_props_.clear();
  }

  bool props(pugi::xml_node parent, pugi::xml_node element, ZoneId zone) {
    if (!is(element, "prop")) return false;
    check_attributes(source_, element, {.required = {"id", "value"}}, errors_);
    const std::string key = element.attribute("id").value();
    if (!element.attribute("id") || !element.attribute("value")) return true;
    if (++props_ > most_props) {
      if (props_ == most_props + 1) reject(element, fmt::format("more than {} props", most_props));
      return true;
    }
    if (key.empty())
      errors_.add(reported(source_.at_value(element, "id"), "a prop with an empty id"));
    else if (!seen_props_.insert(key).second)
      errors_.add(
          reported(source_.at_value(element, "id"),
                   fmt::format("{} is given twice in <{}>", in_quotes(key), parent.name())));
    else
      document_.props.push_back(
          {{key, element.attribute("value").value(), source_.at_value(element, "value")}, zone});
    return true;
  }

  // One error per element name that is not allowed at its place.
  void unexpected(pugi::xml_node element) {
    if (errors_.full()) return;
    const std::string name = element.name();
    if (!reported_.insert(name).second) return;
    if (element.type() != pugi::node_element) {
      reject(element.parent(),
             fmt::format("text between the elements of <{}>", named(element.parent())),
             "only elements are allowed there");
    } else if (unsupported_elements.contains(name)) {
      reject(element,
             fmt::format("<{}> is not supported in <{}>", named(element), named(element.parent())),
             "platforms/README.md lists the supported elements");
    } else if (const auto right = right_places.find(name); right != right_places.end()) {
      reject(element,
             fmt::format("<{}> is misplaced in <{}>", named(element), named(element.parent())),
             right->second);
    } else {
      reject(element, fmt::format("unknown element <{}>", named(element)),
             did_you_mean(name, known_elements()));
    }
  }

  static std::vector<std::string> known_elements() {
    std::vector<std::string> names;
    for (const auto& [name, place] : right_places) names.emplace_back(name);
    return names;
  }

  const XmlSource& source_;
  ErrorList& errors_;
  Document document_;
  bool lonely_ = false;  // so far, only a cluster and zones around it
  int props_ = 0;
  std::set<std::string> reported_;
  std::set<std::string> seen_props_;  // of the current element
};

}  // namespace

Document read_document(const XmlSource& source, const pugi::xml_document& tree, ErrorList& errors) {
  Walk walk(source, errors);
  walk.platform(tree.document_element());
  for (auto next = tree.document_element().next_sibling(); next; next = next.next_sibling())
    if (next.type() == pugi::node_element) {
      errors.add(
          reported(source.at(next),
                   fmt::format("a second element <{}> at the top of the file", named(next))));
      break;
    }
  return walk.take();
}

}  // namespace tutti::platforms
