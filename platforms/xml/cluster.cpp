// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/cluster.hpp"

#include "platforms/parameters/keys.hpp"
#include "platforms/topologies/flat_cluster.hpp"
#include "platforms/xml/element.hpp"

namespace tutti::platforms {
namespace {

constexpr const char* not_a_torus = "the cluster is not a torus";
constexpr const char* no_rails = "only flat clusters and fat trees have rails";
// Keys that apply to some families, and why they do not apply to others.
constexpr std::pair<std::string_view, const char*> keys_of_families[] = {
    {torus_dimensions_key, not_a_torus},
    {torus_axes_key, not_a_torus},
    {rails_key, no_rails},
    {rail_order_key, no_rails}};

bool has_key(const TopologyFamily& family, std::string_view key) {
  return std::ranges::find(family.keys, key) != family.keys.end();
}

class ClusterReader : private ElementReader {
 public:
  ClusterReader(const XmlSource& source, pugi::xml_node element, const Settings& settings,
                CountedClusters& counted, ErrorList& errors)
      : ElementReader(source, element, errors), settings_(settings), counted_(counted) {}

  ClusterDescription read() {
    check({.required = {"id", "radical", "bw", "lat"},
           .optional = {"prefix", "suffix", "speed", "core", "sharing_policy", "bb_bw", "bb_lat",
                        "bb_sharing_policy", "loopback_bw", "loopback_lat", "topology",
                        "topo_parameters", "router_id", "limiter_link"}});
    check_speed();
    ClusterDescription cluster;
    cluster.core_flops_per_s = core_speed(element());
    cluster.topology = topology();
    if (is_fat_pipe())
      cluster.warnings.emplace_back(
          "sharing_policy FATPIPE is treated as SHARED, as in SimGrid 3.32: both directions of a "
          "link share its bandwidth");
    cluster.cores_per_host = cores();
    cluster.loopback = extra_link("loopback_bw", "loopback_lat", LinkSharing::fat_pipe);
    return cluster;
  }

 private:
  std::unique_ptr<const Topology> topology() {
    const auto spec = common();
    const auto name = has("topology") ? text("topology") : "FLAT";
    if (const auto* family = find_family(name)) {
      reject_foreign_settings(*family);
      return has_key(*family, rails_key) ? with_rails(*family, spec) : network(*family, spec);
    }
    reject_foreign_settings({});
    std::vector<std::string> names;
    for (const auto& family : topology_families()) names.emplace_back(family.name);
    reject("topology", fmt::format("unknown topology {}", in_quotes(name)),
           did_you_mean(name, names, fmt::format("topologies: {}", fmt::join(names, ", "))));
    return nullptr;
  }

  std::unique_ptr<const Topology> network(const TopologyFamily& family, const ClusterSpec& spec) {
    return family.read == nullptr ? flat(spec) : shaped(family, spec);
  }

  void reject_foreign_settings(const TopologyFamily& family) {
    for (const auto& [key, message] : keys_of_families)
      if (const auto* setting = settings_.find(key); setting && !has_key(family, key))
        errors().add(setting->error(message));
  }

  ClusterSpec common() {
    ClusterSpec spec;
    spec.id = text("id");
    spec.prefix = text("prefix");
    spec.suffix = text("suffix");
    if (has("id") && spec.id.empty()) reject("id", "must not be empty");
    spec.radical = value("radical", &parse_radical, {});
    spec.bandwidth_Bps = value<double>("bw", &parse_bandwidth, 0);
    spec.latency_s = value<double>("lat", &parse_time, 0);
    spec.sharing = nic_sharing();
    if (!text("limiter_link").empty())
      spec.limiter_Bps = value<double>("limiter_link", &parse_bandwidth, 0);
    return spec;
  }

  std::unique_ptr<const Topology> flat(const ClusterSpec& common) {
    if (has("topo_parameters") && !text("topo_parameters").empty())
      reject("topo_parameters", "not allowed for a flat cluster",
             "use it with topology FAT_TREE, TORUS or DRAGONFLY");
    FlatClusterSpec spec{common, extra_link("bb_bw", "bb_lat", backbone_sharing()), router()};
    if (errors().empty()) override_cables(spec);
    if (errors().empty()) override_levels("a flat cluster", {}, spec);
    if (errors().empty()) override_backbone(spec);
    return errors().empty() ? std::make_unique<FlatCluster>(std::move(spec)) : nullptr;
  }

  std::unique_ptr<const Topology> shaped(const TopologyFamily& family, ClusterSpec spec) {
    const auto* sizes = family.sizes_key.empty() ? nullptr : settings_.find(family.sizes_key);
    reject_backbone(family.noun);
    if (sizes != nullptr) {
      spec.parameters = sizes->value;
      std::ranges::replace(spec.parameters, 'x', ',');
      spec.radical.clear();
    } else if (has("topo_parameters")) {
      spec.parameters = text("topo_parameters");
    } else {
      reject_element(fmt::format("{} needs topo_parameters", family.noun));
      return nullptr;
    }
    const auto plan = family.read(spec.parameters, spec);
    if (!plan && sizes != nullptr)
      errors().add(sizes->error(plan.error().message, plan.error().hint));
    else if (!plan)
      reject("topo_parameters", plan.error().message, plan.error().hint);
    if (errors().empty()) override_cables(spec);
    if (errors().empty()) override_levels(family.noun, plan->levels, spec);
    if (!errors().empty()) return nullptr;
    if (sizes != nullptr) spec.radical = {{0, static_cast<std::uint32_t>(plan->size.hosts)}};
    spec.before = count(counted_[family.name], plan->size);
    auto built = plan->build(std::move(spec), settings_);
    if (built) return *std::move(built);
    errors().add(built.errors());
    return nullptr;
  }

  // The network whose hosts are the nodes, or NICs of nodes (topology/rails).
  std::unique_ptr<const Topology> with_rails(const TopologyFamily& family,
                                             const ClusterSpec& spec) {
    const auto* rails = settings_.find(rails_key);
    const auto* order = settings_.find(rail_order_key);
    if (rails == nullptr) {
      if (order != nullptr)
        errors().add(order->error("the nodes have a single NIC", "also set topology/rails"));
      return network(family, spec);
    }
    if (!errors().empty()) return nullptr;  // possibly of these values
    RailSpec rail{.rails = static_cast<std::uint32_t>(value_of<int>(*rails))};
    set_if_given(order, rail.order);
    const auto hosts = count_hosts(spec.radical);
    if (hosts * rail.rails > most_hosts)
      errors().add(rails->error(fmt::format("more than {} NICs", most_hosts)));
    if (!errors().empty()) return nullptr;
    ClusterSpec of_nics = spec;
    if (rail.order != RailOrder::planes) {
      of_nics.radical = {{0, static_cast<std::uint32_t>(hosts) * rail.rails}};
      of_nics.nics = rail.rails;
    }
    return railed(spec, network(family, of_nics), rail, *rails);
  }

  std::unique_ptr<const Topology> railed(const ClusterSpec& spec,
                                         std::unique_ptr<const Topology> network, RailSpec rail,
                                         const Setting& rails) {
    if (!network) return nullptr;
    HostNames names(spec.prefix, spec.suffix, spec.radical);
    const auto nodes = names.count();
    const auto fail = [&](std::string message, std::string hint) {
      errors().add(rails.error(std::move(message), std::move(hint)));
      return nullptr;
    };
    if (rail.order == RailOrder::planes &&
        std::uint64_t{network->link_count()} * rail.rails > most_links)
      return fail(fmt::format("more than {} links", most_links), "");
    if (rail.order == RailOrder::leaves) {
      const auto leaves = network->leaf_switches();
      if (!leaves)
        return fail("rail order 'leaves' needs NICs with a single leaf switch each",
                    "set the number of parents of the lowest level to 1");
      rail.per_leaf = std::min(leaves->hosts, nodes);
      if (nodes % rail.per_leaf != 0)
        return fail(fmt::format("rail order 'leaves' needs a multiple of {} nodes, the ports of a "
                                "leaf switch, but there are {}",
                                rail.per_leaf, nodes),
                    "change the children of the lowest level, or use topology/rail_order 'node'");
    }
    return std::make_unique<RailNetwork>(std::move(network), rail, std::move(names));
  }

  // Returns the previous totals and adds `size`.
  static CountedBefore count(CountedBefore& counted, const NetworkSize& size) {
    return std::exchange(counted,
                         {.hosts = counted.hosts + static_cast<std::uint32_t>(size.hosts),
                          .cables = counted.cables + static_cast<std::uint32_t>(size.cables)});
  }

  void reject_backbone(std::string_view kind) {
    const auto message = fmt::format("{} has no backbone", kind);
    for (const char* name : {"bb_bw", "bb_lat", "bb_sharing_policy"})
      if (has(name)) reject(name, message);
    for (const char* key : {"backbone/bandwidth", "backbone/latency"})
      if (const auto* found = settings_.find(key)) errors().add(found->error(message));
  }

  // SimGrid 3.32 treats it as SHARED.
  bool is_fat_pipe() const { return text("sharing_policy") == "FATPIPE"; }

  // SimGrid's name of the router.
  std::string router() const {
    if (!text("router_id").empty()) return std::string(text("router_id"));
    return fmt::format("{}{}_router{}", text("prefix"), text("id"), text("suffix"));
  }

  NicSharing nic_sharing() {
    const auto policy = text("sharing_policy");
    // Older files use FULLDUPLEX.
    if (!has("sharing_policy") || policy == "SPLITDUPLEX" || policy == "FULLDUPLEX")
      return NicSharing::split_duplex;
    if (policy == "SHARED" || is_fat_pipe()) return NicSharing::shared;
    reject("sharing_policy", fmt::format("unknown policy {}", in_quotes(policy)),
           did_you_mean(policy, {"SPLITDUPLEX", "SHARED", "FATPIPE"},
                        "policies: SPLITDUPLEX, SHARED, FATPIPE"));
    return NicSharing::split_duplex;
  }

  LinkSharing backbone_sharing() {
    if (!has("bb_sharing_policy") || text("bb_sharing_policy") == "SHARED")
      return LinkSharing::shared;
    if (text("bb_sharing_policy") != "FATPIPE")
      reject("bb_sharing_policy",
             fmt::format("unknown policy {}", in_quotes(text("bb_sharing_policy"))),
             did_you_mean(text("bb_sharing_policy"), {"SHARED", "FATPIPE"},
                          "policies of a backbone: SHARED, FATPIPE"));
    return LinkSharing::fat_pipe;
  }

  void override_cables(ClusterSpec& spec) {
    set_if_given(settings_.find("link/bandwidth"), spec.bandwidth_Bps);
    set_if_given(settings_.find("link/latency"), spec.latency_s);
  }

  // link/LEVEL/bandwidth and link/LEVEL/latency. Without these keys, spec.levels stays empty.
  void override_levels(std::string_view kind, const std::vector<std::string>& names,
                       ClusterSpec& spec) {
    constexpr std::string_view prefix = "link/";
    bool any = false;
    for (const auto* tier : {&settings_.overrides(), &settings_.file()})
      for (const auto& [key, setting] : *tier) {
        const auto end = key.rfind('/');
        if (!key.starts_with(prefix) || end < prefix.size()) continue;
        any = true;
        const auto level = key.substr(prefix.size(), end - prefix.size());
        if (std::ranges::find(names, level) != names.end()) continue;
        errors().add(
            setting.error(fmt::format("{} has no links of level {}", kind, in_quotes(level)),
                          names.empty() ? "link/bandwidth and link/latency apply to all links"
                                        : fmt::format("levels: {}", fmt::join(names, ", "))));
      }
    if (!any || !errors().empty()) return;
    for (const auto& name : names) {
      LinkLevel& level = spec.levels.emplace_back(LinkLevel{spec.bandwidth_Bps, spec.latency_s});
      set_if_given(settings_.find(fmt::format("link/{}/bandwidth", name)), level.bandwidth_Bps);
      set_if_given(settings_.find(fmt::format("link/{}/latency", name)), level.latency_s);
    }
  }

  void override_backbone(FlatClusterSpec& spec) {
    if (const auto* found = settings_.find("backbone/bandwidth")) {
      if (!spec.backbone) spec.backbone = Link{};
      spec.backbone->bandwidth_Bps = value_of<double>(*found);
    }
    if (const auto* found = settings_.find("backbone/latency")) {
      if (spec.backbone)
        spec.backbone->latency_s = value_of<double>(*found);
      else
        errors().add(found->error("the cluster has no backbone", "also set backbone/bandwidth"));
    }
  }

  // An optional link of the cluster; it exists if its bandwidth is set. An empty value is none, as
  // in SimGrid.
  std::optional<Link> extra_link(const char* bandwidth, const char* latency, LinkSharing sharing) {
    Link link{.sharing = sharing};
    if (!text(latency).empty()) link.latency_s = value<double>(latency, &parse_time, 0);
    if (!text(bandwidth).empty()) {
      link.bandwidth_Bps = value<double>(bandwidth, &parse_bandwidth, 0);
      return link;
    }
    if (link.latency_s > 0)
      reject(latency, "latency without a bandwidth", fmt::format("also set {}", bandwidth));
    return std::nullopt;
  }

  const Settings& settings_;
  CountedClusters& counted_;
};

}  // namespace

ClusterDescription read_cluster(const XmlSource& source, pugi::xml_node element,
                                const Settings& settings, CountedClusters& counted,
                                ErrorList& errors) {
  return ClusterReader(source, element, settings, counted, errors).read();
}

}  // namespace tutti::platforms
