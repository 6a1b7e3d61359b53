// SPDX-License-Identifier: BSD-3-Clause
// Fat trees as a family: their parameters, and the sizes of new ones.
#include "platforms/topologies/fat_tree.hpp"
#include "platforms/topologies/shape_fields.hpp"
#include "platforms/topology_description.hpp"

namespace tutti::platforms {

TopologyDescription FatTree::describe() const {
  auto description = CableCluster::describe();
  description.words = fmt::format("fat tree of {}", counted(levels_.size(), "level"));
  description.layout = NodeLayout::layers;
  description.no_route_to_itself.clear();
  return description;
}

namespace {

constexpr const char* fat_tree_form =
    "expected LEVELS;CHILDREN,...;PARENTS,...;LINKS,... with one number per level: "
    "\"2;4,4;1,2;1,2\"";

// The numbers of one field, one per level.
Result<std::vector<std::uint32_t>> parse_levels(std::string_view text, std::uint32_t levels) {
  auto counts = shape_fields::parse_counts(text, fat_tree_form);
  if (counts && counts->size() != levels)
    return shape_fields::reject(
        fmt::format("{} level(s), but {} number(s) in {}", levels, counts->size(), in_quotes(text)),
        fat_tree_form);
  return counts;
}

Result<NetworkPlan> read_fat_tree(std::string_view text, const ClusterSpec& spec) {
  const auto fields = TUTTI_TRY(shape_fields::parse_fields(text, 4, "a fat tree", fat_tree_form));
  const auto levels = TUTTI_TRY(shape_fields::parse_count(fields[0], fat_tree_form));
  if (levels > most_levels)
    return shape_fields::reject(
        fmt::format("{} levels: at most {} are supported", levels, most_levels), "");
  FatTreeShape shape;
  shape.down = TUTTI_TRY(parse_levels(fields[1], levels));
  shape.up = TUTTI_TRY(parse_levels(fields[2], levels));
  shape.ports = TUTTI_TRY(parse_levels(fields[3], levels));
  return shape_fields::plan<FatTree>(shape, numbered_levels("level", levels), spec,
                                     fmt::format("{}", fmt::join(shape.down, " x ")));
}

constexpr std::int64_t most_new_levels = 6;
constexpr std::int64_t most_radix = 4096;

constexpr double ratio_rounding = 1e-12;

// Whether the NICs are the hosts of one network, instead of the nodes.
bool has_nics(const NewShape& request) {
  return request.rails > 1 && request.order != RailOrder::planes;
}

// The number of nodes or NICs that the leaf switches connect, and their name.
std::int64_t hosts_of(const NewShape& request) {
  return has_nics(request) ? request.nodes * request.rails : request.nodes;
}
std::string_view name_of_hosts(const NewShape& request) {
  return has_nics(request) ? "NICs" : "nodes";
}

// Whether leaf switches with this number of NICs have NICs of a single number each.
bool fits_rails(const NewShape& request, std::int64_t down, std::int64_t hosts) {
  if (!has_nics(request) || request.order != RailOrder::leaves) return true;
  if (hosts % request.rails != 0) return false;
  const std::int64_t nodes = hosts / request.rails;
  return nodes % down == 0 || down % nodes == 0;
}

// Maximum down ports of a switch: all ports at the top, those allowed by the oversubscription at
// the leaves, half of the ports in between.
std::int64_t most_down(const NewShape& request, std::int64_t level) {
  if (level == request.levels - 1) return request.radix;
  if (level > 0) return request.radix / 2;
  const double ratio = request.oversubscription;
  const double down = static_cast<double>(request.radix) * ratio / (ratio + 1);
  return static_cast<std::int64_t>(down * (1 + ratio_rounding));
}

// Uplinks of a leaf switch that give the nearest ratio to the requested one.
std::int64_t cables_of_leaf(double ratio, std::int64_t nodes) {
  const double exact = static_cast<double>(nodes) / ratio;
  const auto most = static_cast<std::int64_t>(std::ceil(exact * (1 - ratio_rounding)));
  const auto off = [&](std::int64_t cables) {
    return std::abs(static_cast<double>(nodes) / static_cast<double>(cables) - ratio);
  };
  return most > 1 && off(most - 1) < off(most) ? most - 1 : most;
}

// Tries the fullest leaves first; unset if no choice has the requested product.
std::optional<std::vector<std::int64_t>> factor(const NewShape& request, std::int64_t hosts,
                                                std::int64_t level) {
  if (level == request.levels)
    return hosts == 1 ? std::optional(std::vector<std::int64_t>()) : std::nullopt;
  for (auto down = std::min(most_down(request, level), hosts); down >= 1; --down) {
    if (hosts % down != 0 || (level == 0 && !fits_rails(request, down, hosts))) continue;
    auto rest = factor(request, hosts / down, level + 1);
    if (!rest) continue;
    rest->insert(rest->begin(), down);
    return rest;
  }
  return std::nullopt;
}

// The largest divisor of `count` up to `most`: top switches have the same number of links to each
// switch below.
std::int64_t divisor_up_to(std::int64_t count, std::int64_t most) {
  while (most > 1 && count % most != 0) --most;
  return std::max<std::int64_t>(most, 1);
}

std::string sizes_that_fit(const NewShape& request) {
  std::vector<std::string> sizes;
  const auto fits = [&](std::int64_t nodes) {
    NewShape other = request;
    other.nodes = nodes;
    return factor(other, hosts_of(other), 0).has_value();
  };
  const auto try_size = [&](std::int64_t nodes) {
    if (nodes > 1 && fits(nodes)) sizes.push_back(fmt::format("{}", nodes));
    return !sizes.empty();
  };
  constexpr std::int64_t farthest = 20'000;
  for (std::int64_t off = 1; off < farthest; ++off)
    if (try_size(request.nodes - off)) break;
  const std::size_t below = sizes.size();
  for (std::int64_t off = 1; off < farthest && sizes.size() == below; ++off)
    if (fits(request.nodes + off)) sizes.push_back(fmt::format("{}", request.nodes + off));
  if (sizes.empty()) return {};
  return fmt::format("; the nearest sizes that fit: {}{}", fmt::join(sizes, " and "),
                     has_nics(request) ? " nodes" : "");
}

std::string radix_that_fits(NewShape request) {
  while (request.radix < most_radix && !factor(request, hosts_of(request), 0)) ++request.radix;
  if (request.radix == most_radix) return "; increase --levels";
  return fmt::format("; use --radix {} or increase --levels", request.radix);
}

std::optional<Error> check(const NewShape& request) {
  if (request.nodes < 2 || request.nodes > static_cast<std::int64_t>(most_hosts))
    return usage_error("--nodes",
                       fmt::format("{} is out of range: 2 to {}", request.nodes, most_hosts));
  if (request.levels < 1 || request.levels > most_new_levels)
    return usage_error("--levels",
                       fmt::format("{} is out of range: 1 to {}", request.levels, most_new_levels));
  if (request.radix < 2 || request.radix > most_radix)
    return usage_error("--radix",
                       fmt::format("{} is out of range: 2 to {}", request.radix, most_radix));
  const auto most = request.radix - 1;
  if (request.oversubscription < 1 || request.oversubscription > static_cast<double>(most))
    return usage_error("--oversubscription", fmt::format("{:g} is out of range: 1 to {}",
                                                         request.oversubscription, most));
  if (request.levels == 1 && request.oversubscription != 1)
    return usage_error("--oversubscription", "a single level of switches has no uplinks",
                       "use two or more --levels");
  return std::nullopt;
}

Error does_not_fit(const NewShape& request) {
  const std::int64_t hosts = hosts_of(request);
  const std::string_view name = name_of_hosts(request);
  std::int64_t most = 1;
  for (std::int64_t level = 0; level < request.levels && most < hosts; ++level)
    most *= most_down(request, level);
  if (hosts > most)
    return usage_error("--nodes",
                       fmt::format("{} {} are too many for {} levels of switches with {} ports",
                                   hosts, name, request.levels, request.radix),
                       fmt::format("at most {} fit{}", most, radix_that_fits(request)));
  return usage_error(
      "--nodes",
      fmt::format("{} {} do not fill {} levels of switches (at most {} {} per leaf switch)", hosts,
                  name, request.levels, most_down(request, 0), name),
      fmt::format("the number of {} must be the product of the down ports of the levels{}", name,
                  sizes_that_fit(request)));
}

// The numbers of a new fat tree by level, from the nodes up.
struct NewTree {
  std::vector<std::int64_t> down;   // per switch of the level; the product is the number of hosts
  std::vector<std::int64_t> up;     // per node or switch below the level
  std::vector<std::int64_t> ports;  // parallel links to each of those
};

// Leaf switches are as full as possible, and no switch has more ports than `radix`. The
// oversubscription is the nearest to the requested one with an integer number of links. Errors name
// the option and the nearest sizes that fit.
Result<NewTree> choose_sizes(const NewShape& request) {
  if (auto error = check(request)) return *error;
  const auto down = factor(request, hosts_of(request), 0);
  if (!down) return does_not_fit(request);
  NewTree tree{.down = *down, .up = {1}, .ports = {1}};
  for (std::size_t level = 1; level < down->size(); ++level) {
    // Above the leaves, as many uplinks as links from below.
    const auto from_below = down->at(level - 1) * tree.ports.back();
    const auto wanted =
        level == 1 ? cables_of_leaf(request.oversubscription, from_below) : from_below;
    // Parallel links to one switch leave fewer ports for other switches below.
    const auto ports = most_down(request, static_cast<std::int64_t>(level)) / down->at(level);
    const auto parallel = divisor_up_to(wanted, ports);
    tree.ports.push_back(parallel);
    tree.up.push_back(wanted / parallel);
  }
  return tree;
}

std::string oversubscribed(const NewTree& tree, double wanted) {
  if (tree.down.size() == 1) return {};
  const auto uplinks = static_cast<double>(tree.up[1] * tree.ports[1]);
  const auto reached = fmt::format("{:.4g}", static_cast<double>(tree.down[0]) / uplinks);
  const auto requested = fmt::format("{:.4g}", wanted);
  return fmt::format(", {}:1 oversubscribed{}", reached,
                     reached == requested ? "" : fmt::format(" ({}:1 was requested)", requested));
}

Result<NewNetwork> new_fat_tree(const NewShape& shape) {
  const auto tree = TUTTI_TRY(choose_sizes(shape));
  return NewNetwork{shape.nodes,
                    fmt::format("{};{};{};{}", tree.down.size(), fmt::join(tree.down, ","),
                                fmt::join(tree.up, ","), fmt::join(tree.ports, ",")),
                    fmt::format("{} nodes on a fat tree: {} of switches with at most {} ports{}",
                                shape.nodes, counted(shape.levels, "level"), shape.radix,
                                oversubscribed(tree, shape.oversubscription))};
}

}  // namespace

TopologyFamily fat_tree_family() {
  return {.name = "FAT_TREE",
          .noun = "a fat tree",
          .read = read_fat_tree,
          .new_kind = "fat-tree",
          .new_options = {"--nodes", "--levels", "--radix", "--oversubscription", "--rails",
                          "--rail-order"},
          .new_required = {"--nodes"},
          .make_new = new_fat_tree,
          .keys = {rails_key, rail_order_key}};
}

}  // namespace tutti::platforms
