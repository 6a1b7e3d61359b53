// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/cluster.hpp"

#include <charconv>

#include "platforms/parameters/keys.hpp"
#include "platforms/topologies/flat_cluster.hpp"
#include "platforms/topologies/folded_torus.hpp"
#include "platforms/xml/element.hpp"

namespace tutti::platforms {
namespace {

using Counts = std::vector<std::uint32_t>;

constexpr std::uint32_t greatest_count = 2'147'483'647;  // SimGrid stores them as int

constexpr std::size_t longest_text = 4096;

constexpr const char* fat_tree_form =
    "expected LEVELS;CHILDREN,...;PARENTS,...;LINKS,... with one number per level: "
    "\"2;4,4;1,2;1,2\"";
constexpr const char* torus_form = "expected one size per dimension: \"4,4,2\"";
constexpr const char* dragonfly_form =
    "expected GROUPS,LINKS;CHASSIS,LINKS;ROUTERS,LINKS;NODES: \"3,4;4,3;5,1;2\"";

Error reject(std::string message, std::string hint) {
  return make_error(ErrorKind::input, "", std::move(message), std::move(hint));
}

std::optional<Error> too_long(std::string_view text, const char* form) {
  if (text.size() <= longest_text) return std::nullopt;
  return reject(fmt::format("longer than {} characters", longest_text), form);
}

// The four fields of `text`.
Result<std::vector<std::string_view>> parse_fields(std::string_view text, const char* kind,
                                                   const char* form) {
  if (auto error = too_long(text, form)) return *error;
  auto fields = split(text, ';');
  if (fields.size() == 4) return fields;
  return reject(fmt::format("{} field(s), but {} has 4", fields.size(), kind), form);
}

Result<std::uint32_t> parse_count(std::string_view text, const char* form) {
  auto digits = text;
  while (digits.starts_with(' ')) digits.remove_prefix(1);
  while (digits.ends_with(' ')) digits.remove_suffix(1);
  std::uint32_t count = 0;
  const char* end = digits.data() + digits.size();
  const auto [after, status] = std::from_chars(digits.data(), end, count);
  if (status == std::errc{} && after == end && count >= 1 && count <= greatest_count) return count;
  return reject(fmt::format("invalid number {}: expected an integer from 1 to {}", in_quotes(text),
                            greatest_count),
                form);
}

Result<Counts> parse_counts(std::string_view text, const char* form) {
  if (auto error = too_long(text, form)) return *error;
  Counts counts;
  for (const auto part : split(text, ',')) {
    counts.push_back(TUTTI_TRY(parse_count(part, form)));
  }
  return counts;
}

// Checks a network with the given `sizes`, whose product is the number of nodes; unset if valid.
std::optional<Error> misfit(const NetworkSize& size, const ClusterSpec& spec, const Counts& sizes) {
  const auto product = fmt::format("{}", fmt::join(sizes, " x "));
  if (size.hosts > most_hosts)
    return reject(fmt::format("{} yields more than {} nodes", product, most_hosts),
                  "this is the limit of a cluster");
  std::uint64_t hosts = 0;
  for (const auto& range : spec.radical) hosts += range.count;
  if (hosts != 0 && hosts != size.hosts)
    return reject(
        fmt::format("{} yields {} nodes, but the radical has {}", product, size.hosts, hosts),
        fmt::format("radical=\"0-{}\" would fit, or sizes with product {}", size.hosts - 1, hosts));
  if (links_of(size, spec) > most_links)
    return reject(fmt::format("more than {} links", most_links), "this is the limit of a cluster");
  return std::nullopt;
}

template <class Shape>
Result<Shape> fitting(Shape shape, const ClusterSpec& spec, const Counts& sizes) {
  if (auto error = misfit(size_of(shape), spec, sizes)) return *error;
  return shape;
}

// The numbers of one field, one per level.
Result<Counts> parse_levels(std::string_view text, std::uint32_t levels) {
  auto counts = parse_counts(text, fat_tree_form);
  if (counts && counts->size() != levels)
    return reject(
        fmt::format("{} level(s), but {} number(s) in {}", levels, counts->size(), in_quotes(text)),
        fat_tree_form);
  return counts;
}

// "GROUPS,LINKS"
Result<Counts> parse_pair(std::string_view text) {
  auto counts = parse_counts(text, dragonfly_form);
  if (counts && counts->size() != 2)
    return reject(fmt::format("invalid pair {}: expected COUNT,LINKS", in_quotes(text)),
                  dragonfly_form);
  return counts;
}

}  // namespace

Result<FatTreeShape> parse_fat_tree(std::string_view text, const ClusterSpec& spec) {
  const auto fields = TUTTI_TRY(parse_fields(text, "a fat tree", fat_tree_form));
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
  const auto fields = TUTTI_TRY(parse_fields(text, "a dragonfly", dragonfly_form));
  const auto groups = TUTTI_TRY(parse_pair((fields)[0]));
  const auto chassis = TUTTI_TRY(parse_pair((fields)[1]));
  const auto routers = TUTTI_TRY(parse_pair((fields)[2]));
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

  std::unique_ptr<const Topology> topology() {
    const auto spec = common();
    const auto kind = has("topology") ? text("topology") : "FLAT";
    for (const char* key : {torus_dimensions, torus_axes})
      if (const auto* requested = settings_.find(key); requested != nullptr && kind != "TORUS")
        errors().add(requested->error("the cluster is not a torus"));
    if (kind == "FLAT") return flat(spec);
    if (kind == "FAT_TREE")
      return shaped<FatTree>("a fat tree", spec, &parse_fat_tree, &counted_.fat_trees);
    if (kind == "TORUS") return torus(spec);
    if (kind == "DRAGONFLY")
      return shaped<Dragonfly>("a dragonfly", spec, &parse_dragonfly, &counted_.dragonflies);
    reject("topology", fmt::format("unknown topology {}", in_quotes(kind)),
           did_you_mean(kind, {"FLAT", "FAT_TREE", "TORUS", "DRAGONFLY"},
                        "topologies: FLAT, FAT_TREE, TORUS, DRAGONFLY"));
    return nullptr;
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
    if (has("limiter_link")) spec.limiter_Bps = value<double>("limiter_link", &parse_bandwidth, 0);
    return spec;
  }

  std::unique_ptr<const Topology> flat(const ClusterSpec& common) {
    if (has("topo_parameters") && !text("topo_parameters").empty())
      reject("topo_parameters", "not allowed for a flat cluster",
             "use it with topology FAT_TREE, TORUS or DRAGONFLY");
    FlatClusterSpec spec{common, extra_link("bb_bw", "bb_lat", backbone_sharing()), router()};
    if (errors().empty()) override_cables(spec);
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
    if (!has("sharing_policy") || text("sharing_policy") == "SPLITDUPLEX")
      return NicSharing::split_duplex;
    if (text("sharing_policy") == "SHARED" || is_fat_pipe()) return NicSharing::shared;
    reject("sharing_policy", fmt::format("unknown policy {}", in_quotes(text("sharing_policy"))),
           did_you_mean(text("sharing_policy"), {"SPLITDUPLEX", "SHARED", "FATPIPE"},
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

  // An optional link of the cluster; it exists if its bandwidth is set.
  std::optional<Link> extra_link(const char* bandwidth, const char* latency, LinkSharing sharing) {
    const Link link{.bandwidth_Bps = value<double>(bandwidth, &parse_bandwidth, 0),
                    .latency_s = value<double>(latency, &parse_time, 0),
                    .sharing = sharing};
    if (has(bandwidth)) return link;
    if (has(latency))
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
