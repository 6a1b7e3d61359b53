// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/cluster.hpp"

#include "platforms/parameters/keys.hpp"
#include "platforms/topologies/flat_cluster.hpp"
#include "platforms/topologies/folded_torus.hpp"
#include "platforms/topologies/rail_network.hpp"
#include "platforms/xml/element.hpp"
#include "platforms/xml/shape_fields.hpp"
#include "platforms/xml/switch_shapes.hpp"

namespace tutti::platforms {
namespace {

using shape_fields::Counts;
using shape_fields::fitting;
using shape_fields::parse_count;
using shape_fields::parse_counts;
using shape_fields::parse_fields;
using shape_fields::parse_pair;
using shape_fields::reject;

constexpr const char* fat_tree_form =
    "expected LEVELS;CHILDREN,...;PARENTS,...;LINKS,... with one number per level: "
    "\"2;4,4;1,2;1,2\"";
constexpr const char* torus_form = "expected one size per dimension: \"4,4,2\"";
constexpr const char* dragonfly_form =
    "expected GROUPS,LINKS;CHASSIS,LINKS;ROUTERS,LINKS;NODES: \"3,4;4,3;5,1;2\"";

// The numbers of one field, one per level.
Result<Counts> parse_levels(std::string_view text, std::uint32_t levels) {
  auto counts = parse_counts(text, fat_tree_form);
  if (counts && counts->size() != levels)
    return reject(
        fmt::format("{} level(s), but {} number(s) in {}", levels, counts->size(), in_quotes(text)),
        fat_tree_form);
  return counts;
}

}  // namespace

Result<FatTreeShape> parse_fat_tree(std::string_view text, const ClusterSpec& spec) {
  const auto fields = TUTTI_TRY(parse_fields(text, 4, "a fat tree", fat_tree_form));
  const auto levels = TUTTI_TRY(parse_count((fields)[0], fat_tree_form));
  if (levels > most_levels)
    return reject(fmt::format("{} levels: at most {} are supported", levels, most_levels), "");
  const auto down = TUTTI_TRY(parse_levels((fields)[1], levels));
  const auto up = TUTTI_TRY(parse_levels((fields)[2], levels));
  const auto ports = TUTTI_TRY(parse_levels((fields)[3], levels));
  return fitting(FatTreeShape{.down = down, .up = up, .ports = ports}, spec, down);
}

Result<TorusShape> parse_torus(std::string_view text, const ClusterSpec& spec) {
  const auto sizes = TUTTI_TRY(parse_counts(text, torus_form));
  if (sizes.size() > most_dimensions)
    return reject(
        fmt::format("{} dimensions: at most {} are supported", sizes.size(), most_dimensions), "");
  return fitting(TorusShape{.dimensions = sizes}, spec, sizes);
}

Result<DragonflyShape> parse_dragonfly(std::string_view text, const ClusterSpec& spec) {
  const auto fields = TUTTI_TRY(parse_fields(text, 4, "a dragonfly", dragonfly_form));
  const auto groups = TUTTI_TRY(parse_pair((fields)[0], dragonfly_form));
  const auto chassis = TUTTI_TRY(parse_pair((fields)[1], dragonfly_form));
  const auto routers = TUTTI_TRY(parse_pair((fields)[2], dragonfly_form));
  const auto nodes = TUTTI_TRY(parse_count((fields)[3], dragonfly_form));
  const DragonflyShape shape{.groups = groups.front(),
                             .group_links = groups.back(),
                             .chassis = chassis.front(),
                             .chassis_links = chassis.back(),
                             .routers = routers.front(),
                             .router_links = routers.back(),
                             .nodes = nodes};
  if (shape.groups > shape.routers)
    return reject(
        fmt::format("{} groups, but {} router(s) in a chassis", shape.groups, shape.routers),
        "the link to group n ends at router n of the first chassis, so a chassis needs at least "
        "one router per group");
  return fitting(shape, spec, {shape.groups, shape.chassis, shape.routers, shape.nodes});
}

namespace {

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
  static constexpr const char* torus_dimensions = "torus/dimensions";
  static constexpr const char* torus_axes = "torus/network_axes";
  static constexpr const char* rails_key = "topology/rails";
  static constexpr const char* rail_order_key = "topology/rail_order";

  std::unique_ptr<const Topology> topology() {
    const auto spec = common();
    const auto kind = has("topology") ? text("topology") : "FLAT";
    reject_foreign_settings(kind);
    if (kind == "FLAT")
      return with_rails(spec, [&](const ClusterSpec& network) { return flat(network); });
    if (kind == "FAT_TREE")
      return with_rails(spec, [&](const ClusterSpec& network) {
        return shaped<FatTree>("a fat tree", network, &parse_fat_tree, &counted_.fat_trees);
      });
    if (kind == "TORUS") return torus(spec);
    if (kind == "DRAGONFLY_PLUS")
      return shaped<DragonflyPlus>("a dragonfly+", spec, &parse_dragonfly_plus);
    if (kind == "DRAGONFLY_1D")
      return shaped<Dragonfly1d>("a 1D dragonfly", spec, &parse_dragonfly_1d);
    if (kind == "HYPERX") return shaped<HyperX>("a HyperX", spec, &parse_hyperx);
    if (kind == "TOFU") return made<TofuShape>("a Tofu network", spec, &parse_tofu, tofu_maker());
    if (kind == "DRAGONFLY")
      return shaped<Dragonfly>("a dragonfly", spec, &parse_dragonfly, &counted_.dragonflies);
    reject("topology", fmt::format("unknown topology {}", in_quotes(kind)),
           did_you_mean(kind,
                        {"FLAT", "FAT_TREE", "TORUS", "DRAGONFLY", "DRAGONFLY_PLUS", "DRAGONFLY_1D",
                         "HYPERX", "TOFU"},
                        "topologies: FLAT, FAT_TREE, TORUS, DRAGONFLY, DRAGONFLY_PLUS, "
                        "DRAGONFLY_1D, HYPERX, TOFU"));
    return nullptr;
  }

  void reject_foreign_settings(std::string_view kind) {
    const auto reject_key = [&](const char* key, const char* message) {
      if (const auto* found = settings_.find(key)) errors().add(found->error(message));
    };
    if (kind != "TORUS" && kind != "TOFU")
      reject_key(torus_dimensions, "the cluster is not a torus");
    if (kind != "TORUS") reject_key(torus_axes, "the cluster is not a torus");
    if (kind == "FLAT" || kind == "FAT_TREE") return;
    for (const char* key : {rails_key, rail_order_key})
      reject_key(key, "only flat clusters and fat trees have rails");
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

  template <class Shape>
  using Maker = std::function<std::unique_ptr<const Topology>(ClusterSpec, const Shape&)>;

  template <class Shaped, class Shape>
  static std::unique_ptr<const Topology> make(ClusterSpec spec, const Shape& shape) {
    return std::make_unique<Shaped>(std::move(spec), shape);
  }

  template <class Shaped, class Shape>
  std::unique_ptr<const Topology> shaped(const char* kind, ClusterSpec spec,
                                         Result<Shape> (*parse)(std::string_view,
                                                                const ClusterSpec&),
                                         CountedBefore* counted = nullptr) {
    return made<Shape>(kind, std::move(spec), parse, make<Shaped, Shape>, counted);
  }

  template <class Shape>
  std::unique_ptr<const Topology> made(const char* kind, ClusterSpec spec,
                                       Result<Shape> (*parse)(std::string_view, const ClusterSpec&),
                                       const Maker<Shape>& maker,
                                       CountedBefore* counted = nullptr) {
    reject_backbone(kind);
    if (!has("topo_parameters")) {
      errors().add(reported(source().at(element()), fmt::format("{} needs topo_parameters", kind)));
      return nullptr;
    }
    const auto shape = parse(text("topo_parameters"), spec);
    if (!shape) reject("topo_parameters", shape.error().message, shape.error().hint);
    if (errors().empty()) override_cables(spec);
    if (errors().empty()) override_levels(kind, level_names(*shape), spec);
    if (!errors().empty()) return nullptr;
    spec.parameters = text("topo_parameters");
    if (counted != nullptr) spec.before = count(*counted, size_of(*shape));
    return maker(std::move(spec), *shape);
  }

  // The torus of the file, or one with the dimensions of a setting, whose hosts are numbered from
  // 0.
  std::unique_ptr<const Topology> torus(ClusterSpec spec) {
    const auto* requested = settings_.find(torus_dimensions);
    if (requested == nullptr)
      return made<TorusShape>("a torus", std::move(spec), &parse_torus, torus_maker());
    spec.parameters = requested->value;
    std::ranges::replace(spec.parameters, 'x', ',');
    spec.radical.clear();
    const auto shape = parse_torus(spec.parameters, spec);
    if (!shape) errors().add(requested->error(shape.error().message, shape.error().hint));
    if (errors().empty()) override_cables(spec);
    if (errors().empty()) override_levels("a torus", level_names(*shape), spec);
    if (!errors().empty()) return nullptr;
    spec.radical = {{.first = 0, .count = static_cast<std::uint32_t>(size_of(*shape).hosts)}};
    return torus_maker()(std::move(spec), *shape);
  }

  Maker<TorusShape> torus_maker() {
    const auto* axes = settings_.find(torus_axes);
    if (axes == nullptr) return make<Torus, TorusShape>;
    return [this, axes](ClusterSpec spec, const TorusShape& shape) {
      return folded_torus(std::move(spec), shape, *axes);
    };
  }

  std::unique_ptr<const Topology> folded_torus(ClusterSpec spec, const TorusShape& shape,
                                               const Setting& axes) {
    const auto count = static_cast<std::uint32_t>(count_value(axes));
    if (count < 2 * shape.dimensions.size()) return std::make_unique<Torus>(std::move(spec), shape);
    if (count > most_dimensions) {
      errors().add(axes.error(fmt::format("more than {} axes", most_dimensions)));
    } else if (links_of(size_of(folded_shape(shape, count)), spec) > most_links) {
      errors().add(axes.error("the network has too many links"));
    } else {
      return std::make_unique<FoldedTorus>(std::move(spec), shape, count);
    }
    return nullptr;
  }

  Maker<TofuShape> tofu_maker() {
    const auto* job = settings_.find(torus_dimensions);
    if (job == nullptr) return make<Tofu, TofuShape>;
    return
        [this, job](ClusterSpec spec, const TofuShape& shape) -> std::unique_ptr<const Topology> {
          const auto logical = with_job(shape, job->value);
          if (logical) return std::make_unique<Tofu>(std::move(spec), *logical);
          errors().add(job->error(logical.error().message, logical.error().hint));
          return nullptr;
        };
  }

  using NetworkMaker = std::function<std::unique_ptr<const Topology>(const ClusterSpec&)>;

  // The network whose hosts are the nodes, or NICs of nodes (topology/rails).
  std::unique_ptr<const Topology> with_rails(const ClusterSpec& spec, const NetworkMaker& maker) {
    const auto* rails = settings_.find(rails_key);
    const auto* order = settings_.find(rail_order_key);
    if (rails == nullptr) {
      if (order != nullptr)
        errors().add(order->error("the nodes have a single NIC", "also set topology/rails"));
      return maker(spec);
    }
    if (!errors().empty()) return nullptr;  // possibly of these values
    RailSpec rail{.rails = static_cast<std::uint32_t>(count_value(*rails))};
    if (order != nullptr) rail.order = rail_order_value(*order);
    std::uint64_t hosts = 0;
    for (const auto& range : spec.radical) hosts += range.count;
    if (hosts * rail.rails > most_hosts)
      errors().add(rails->error(fmt::format("more than {} NICs", most_hosts)));
    if (!errors().empty()) return nullptr;
    ClusterSpec network = spec;
    if (rail.order != RailOrder::planes) {
      network.radical = {{0, static_cast<std::uint32_t>(hosts) * rail.rails}};
      network.nics = rail.rails;
    }
    return railed(spec, maker(network), rail, *rails);
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

  void reject_backbone(const char* kind) {
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
    if (const auto* found = settings_.find("link/bandwidth"))
      spec.bandwidth_Bps = bandwidth_value(*found);
    if (const auto* found = settings_.find("link/latency")) spec.latency_s = time_value(*found);
  }

  // link/LEVEL/bandwidth and link/LEVEL/latency. Without these keys, spec.levels stays empty.
  void override_levels(const char* kind, const LevelNames& names, ClusterSpec& spec) {
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
      spec.levels.push_back({spec.bandwidth_Bps, spec.latency_s});
      if (const auto* found = settings_.find(fmt::format("link/{}/bandwidth", name)))
        spec.levels.back().bandwidth_Bps = bandwidth_value(*found);
      if (const auto* found = settings_.find(fmt::format("link/{}/latency", name)))
        spec.levels.back().latency_s = time_value(*found);
    }
  }

  void override_backbone(FlatClusterSpec& spec) {
    if (const auto* found = settings_.find("backbone/bandwidth")) {
      if (!spec.backbone) spec.backbone = Link{};
      spec.backbone->bandwidth_Bps = bandwidth_value(*found);
    }
    if (const auto* found = settings_.find("backbone/latency")) {
      if (spec.backbone)
        spec.backbone->latency_s = time_value(*found);
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
