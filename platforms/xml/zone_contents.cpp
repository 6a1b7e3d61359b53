// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/zone_contents.hpp"

#include "platforms/parameters/values.hpp"
#include "platforms/xml/cluster.hpp"
#include "platforms/xml/element.hpp"
#include "sim/base/hash.hpp"

namespace tutti::platforms {
namespace {

// SimGrid's network/loopback-bw.
constexpr Link usual_loopback{.bandwidth_Bps = 10e9, .sharing = LinkSharing::fat_pipe};

constexpr std::uint64_t most_cluster_links = std::numeric_limits<LinkId>::max() / 2;

enum class LinkPolicy { shared, fat_pipe, split_duplex };

class ContentsReader {
 public:
  ContentsReader(const XmlSource& source, const Document& document, ErrorList& errors)
      : source_(source), document_(document), errors_(errors) {}

  ZoneContents read() {
    for (ZoneId id = 0; id < document_.zones.size() && !errors_.full(); ++id) zone(id);
    if (!errors_.empty()) return std::move(read_);
    extend_host_ranges();
    add_cluster_hosts();
    if (spec().zones.front().end_host == 0)
      errors_.add(reported(source_.at(document_.zones.front().element), "the platform has no hosts",
                           "hosts belong in a <zone> or a <cluster>"));
    share_bus();
    return std::move(read_);
  }

 private:
  ZoneTreeSpec& spec() { return read_.zones.spec; }
  ErrorList& errors() { return errors_; }

  void zone(ZoneId id) {
    const ZoneElement& from = document_.zones[id];
    ZoneSpec made;
    made.name = from.element.attribute("id").value();
    made.routing = from.routing;
    made.parent = from.parent;
    made.depth = from.depth;
    made.has_zones = from.has_zones;
    made.first_host = made.end_host = static_cast<HostId>(hosts_);
    made.first_name = static_cast<std::uint32_t>(spec().host_names.size());
    if (from.parent != no_zone) made.vertex = spec().zones[from.parent].vertex_count++;
    spec().zones.push_back(std::move(made));
    if (!read_.names.add_zone(spec().zones[id].name, id))
      errors_.add(reported(source_.at_value(from.element, "id"),
                           fmt::format("a second zone {}", in_quotes(spec().zones[id].name))));
    if (from.routing == ZoneRouting::cluster) return cluster(id, from.element);
    for (const auto child : from.element.children()) {
      if (errors_.full()) return;
      content(id, child);
    }
    ZoneSpec& whole = spec().zones[id];
    if (whole.routing == ZoneRouting::hub && !whole.has_zones) whole.hub.resize(whole.vertex_count);
    if (whole.has_hosts()) whole.loopback = usual_loopback;
  }

  void content(ZoneId id, pugi::xml_node child) {
    const std::string_view name = child.name();
    ElementReader element(source_, child, errors_);
    if (name == "host")
      host(id, element);
    else if (name == "cabinet")
      cabinet(id, element);
    else if (name == "router")
      router(id, element);
    else if (name == "link")
      link(element);
    else if (name == "backbone")
      backbone(id, element);
  }

  void cluster(ZoneId id, pugi::xml_node element) {
    auto found = read_cluster(source_, element, Settings(), counted_, errors_);
    for (auto& warning : found.warnings)
      if (read_.zones.warnings.empty()) read_.zones.warnings.push_back(std::move(warning));
    if (!found.topology) return;
    ZoneSpec& zone = spec().zones[id];
    zone.vertex_count = found.topology->host_count();
    zone.loopback = found.loopback;
    const auto router = found.topology->router_name();
    if (!router.empty() && !read_.names.add_point(router, {id, zone.vertex_count}))
      taken(source_.at(element), "router", router);
    count(element, zone.vertex_count, found.cores_per_host);
    if ((cluster_links_ += found.topology->link_count()) > most_cluster_links)
      errors_.add(
          reported(source_.at(element), fmt::format("more than {} links", most_cluster_links)));
    zone.end_host += zone.vertex_count;
    zone.inner = std::move(found.topology);
  }

  void count(pugi::xml_node element, HostId hosts, int cores) {
    hosts_ += hosts;
    if (hosts_ > most_hosts)
      return errors_.add(
          reported(source_.at(element), fmt::format("more than {} hosts", most_hosts)));
    read_.zones.host_cores.resize(hosts_, cores);
    read_.zones.core_flops_per_s.resize(hosts_, core_speed(element));
  }

  void taken(Error where, const char* what, const std::string& name) {
    errors_.add(reported(std::move(where), fmt::format("a second {} {}", what, in_quotes(name)),
                         "names of hosts and routers must be unique"));
  }

  // The value of `id`; adds an error if it is empty.
  static std::string name_of(ElementReader& element) {
    if (element.has("id") && element.text("id").empty()) element.reject("id", "must not be empty");
    return std::string(element.text("id"));
  }

  static void reject_traces(ElementReader& element, std::initializer_list<const char*> traces) {
    for (const char* name : traces)
      if (!element.text(name).empty())
        element.reject(name, "not supported", "hosts and links cannot change over time");
  }

  void host(ZoneId id, ElementReader& element) {
    static const AttributeRules rules = {
        .required = {"id"},
        .optional = {"speed", "core", "coordinates", "pstate", "speed_file", "availability_file",
                     "state_file"}};
    element.check(rules);
    reject_traces(element, {"speed_file", "availability_file", "state_file"});
    element.check_speed();
    count(element.element(), 1, element.cores());
    const auto name = name_of(element);
    if (!add_host(id, name)) taken(source_.at_value(element.element(), "id"), "host", name);
  }

  // False if the name is in use.
  bool add_host(ZoneId id, const std::string& name) {
    ZoneSpec& zone = spec().zones[id];
    spec().host_names.add(name);
    ++zone.end_host;
    return read_.names.add_point(name, {id, zone.vertex_count++});
  }

  // Hosts with links of their own to the hub, which SimGrid calls link_HOST_UP and link_HOST_DOWN.
  void cabinet(ZoneId id, ElementReader& element) {
    static const AttributeRules rules = {.required = {"id", "radical", "bw", "lat"},
                                         .optional = {"prefix", "suffix", "speed"}};
    element.check(rules);
    element.check_speed();
    if (!is_star(id))
      element.reject_element("<cabinet> in a zone that is not a star of hosts",
                             "its hosts belong to a zone with routing Cluster");
    const auto radical = element.value("radical", &parse_radical, {});
    const Link link{.bandwidth_Bps = element.value<double>("bw", &parse_bandwidth, 0),
                    .latency_s = element.value<double>("lat", &parse_time, 0)};
    const auto hosts = static_cast<HostId>(count_hosts(radical));
    count(element.element(), hosts, 1);
    if (!errors_.empty()) return;  // possibly too many hosts
    read_.cabinets.push_back({.zone = id,
                              .first = spec().zones[id].vertex_count,
                              .count = hosts,
                              .first_link = static_cast<LinkId>(spec().links.size())});
    const HostNames names(std::string(element.text("prefix")), std::string(element.text("suffix")),
                          radical);
    const auto where = source_.at(element.element());
    for (HostId host = 0; host < hosts && errors_.empty(); ++host) {
      const auto name = names.name(host);
      if (!add_host(id, name)) taken(where, "host", name);
      for (const char* way : {"UP", "DOWN"})
        if (!add_one_link(fmt::format("link_{}_{}", name, way), link))
          second_link(where, fmt::format("link_{}_{}", name, way));
    }
  }

  bool is_star(ZoneId id) {
    return spec().zones[id].routing == ZoneRouting::hub && !spec().zones[id].has_zones;
  }

  void router(ZoneId id, ElementReader& element) {
    static const AttributeRules rules = {.required = {"id"}, .optional = {"coordinates"}};
    element.check(rules);
    const auto name = name_of(element);
    ZoneSpec& zone = spec().zones[id];
    if (!read_.names.add_point(name, {id, zone.vertex_count}))
      taken(source_.at_value(element.element(), "id"), "router", name);
    spec().router_names.add(name);
    zone.routers.push_back(zone.vertex_count++);
  }

  void link(ElementReader& element) {
    static const AttributeRules rules = {
        .required = {"id", "bandwidth"},
        .optional = {"latency", "sharing_policy", "bandwidth_file", "latency_file", "state_file"}};
    element.check(rules);
    reject_traces(element, {"bandwidth_file", "latency_file", "state_file"});
    add_link(element, policy(element));
  }

  void backbone(ZoneId id, ElementReader& element) {
    static const AttributeRules rules = {.required = {"id", "bandwidth"}, .optional = {"latency"}};
    element.check(rules);
    const auto ids = static_cast<LinkId>(spec().links.size());
    add_link(element, LinkPolicy::shared);
    if (!is_star(id))
      element.reject_element("<backbone> in a zone that is not a star of hosts",
                             "it is for the hosts of a zone with routing Cluster");
    else if (!read_.backbones.emplace(id, ids).second)
      element.reject_element("a second <backbone> in one zone");
  }

  LinkPolicy policy(ElementReader& element) {
    const auto text = element.text("sharing_policy");
    if (!element.has("sharing_policy") || text == "SHARED") return LinkPolicy::shared;
    if (text == "FATPIPE") return LinkPolicy::fat_pipe;
    // Older files use FULLDUPLEX.
    if (text == "SPLITDUPLEX" || text == "FULLDUPLEX") return LinkPolicy::split_duplex;
    element.reject("sharing_policy", fmt::format("unknown policy {}", in_quotes(text)),
                   did_you_mean(text, {"SHARED", "SPLITDUPLEX", "FATPIPE"},
                                "policies: SHARED, SPLITDUPLEX, FATPIPE"));
    return LinkPolicy::shared;
  }

  void add_link(ElementReader& element, LinkPolicy policy) {
    const auto name = name_of(element);
    const Link link{
        .bandwidth_Bps = element.value<double>("bandwidth", &parse_bandwidth, 0),
        .latency_s = element.value<double>("latency", &parse_time, 0),
        .sharing = policy == LinkPolicy::fat_pipe ? LinkSharing::fat_pipe : LinkSharing::shared};
    const bool split = policy == LinkPolicy::split_duplex;
    bool fresh = true;
    if (!split) {
      fresh = add_one_link(name, link);
    } else {
      fresh = read_.names.add_link(name, {static_cast<LinkId>(spec().links.size()), true});
      for (const auto& way : {name + "_UP", name + "_DOWN"}) fresh &= add_one_link(way, link);
    }
    if (!fresh) second_link(source_.at_value(element.element(), "id"), name);
  }

  // False if the name is in use.
  bool add_one_link(const std::string& name, const Link& link) {
    const bool fresh =
        read_.names.add_link(name, {static_cast<LinkId>(spec().links.size()), false});
    spec().links.push_back(link);
    spec().link_names.add(name);
    return fresh;
  }

  void second_link(Error where, const std::string& name) {
    errors_.add(reported(std::move(where), fmt::format("a second link {}", in_quotes(name))));
  }

  // Extends the range of hosts of a zone to the hosts of nested zones.
  void extend_host_ranges() {
    auto& zones = spec().zones;
    for (auto id = zones.size(); id-- > 1;) {
      ZoneSpec& parent = zones[zones[id].parent];
      parent.end_host = std::max(parent.end_host, zones[id].end_host);
    }
  }

  void add_cluster_hosts() {
    const auto twice = read_.names.add_cluster_hosts(spec());
    if (!twice) return;
    for (ZoneId id = 0; id < spec().zones.size(); ++id) {
      const ZoneSpec& zone = spec().zones[id];
      if (zone.inner && *twice >= zone.first_host && *twice < zone.end_host)
        taken(source_.at(document_.zones[id].element), "host",
              zone.inner->host_name(*twice - zone.first_host));
    }
  }

  void share_bus() {
    std::optional<Link> bus;
    for (const ZoneSpec& zone : spec().zones) {
      if (zone.has_zones || !zone.has_hosts()) continue;
      if (!zone.inner || !zone.loopback) return;
      if (!bus) bus = zone.loopback;
      if (bus->bandwidth_Bps != zone.loopback->bandwidth_Bps ||
          bus->latency_s != zone.loopback->latency_s)
        return;
    }
    read_.zones.bus = bus;
    for (ZoneSpec& zone : spec().zones) zone.loopback.reset();
  }

  const XmlSource& source_;
  const Document& document_;
  ErrorList& errors_;
  ZoneContents read_;
  std::uint64_t hosts_ = 0;
  std::uint64_t cluster_links_ = 0;
  CountedClusters counted_;
};

}  // namespace

std::optional<HostId> ZoneNames::add_cluster_hosts(const ZoneTreeSpec& spec) {
  for (ZoneId id = 0; id < spec.zones.size(); ++id) {
    const Topology* cluster = spec.zones[id].inner.get();
    if (cluster == nullptr) continue;
    for (HostId host = 0; host < cluster->host_count(); ++host) {
      const auto name = cluster->host_name(host);
      if (points_.contains(name)) return spec.zones[id].first_host + host;
      cluster_hosts_.push_back({fnv1a(name), {id, host}});
    }
  }
  const auto name = [&](const ClusterHost& host) {
    return spec.zones[host.point.zone].inner->host_name(host.point.vertex);
  };
  std::stable_sort(cluster_hosts_.begin(), cluster_hosts_.end(),
                   [](const auto& a, const auto& b) { return a.hash < b.hash; });
  const auto same = [&](const auto& a, const auto& b) {
    return a.hash == b.hash && name(a) == name(b);
  };
  const auto twice = std::adjacent_find(cluster_hosts_.begin(), cluster_hosts_.end(), same);
  if (twice == cluster_hosts_.end()) return std::nullopt;
  const ZonePoint second = (twice + 1)->point;
  return spec.zones[second.zone].first_host + second.vertex;
}

std::optional<ZonePoint> ZoneNames::point(const std::string& name, const ZoneTreeSpec& spec) const {
  if (const auto listed = find(points_, name)) return listed;
  const auto hash = fnv1a(name);
  auto found = std::lower_bound(
      cluster_hosts_.begin(), cluster_hosts_.end(), hash,
      [](const ClusterHost& host, std::uint64_t wanted) { return host.hash < wanted; });
  for (; found != cluster_hosts_.end() && found->hash == hash; ++found)
    if (spec.zones[found->point.zone].inner->host_name(found->point.vertex) == name)
      return found->point;
  return std::nullopt;
}

ZoneContents read_zone_contents(const XmlSource& source, const Document& document,
                                ErrorList& errors) {
  return ContentsReader(source, document, errors).read();
}

}  // namespace tutti::platforms
