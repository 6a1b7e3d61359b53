// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/topo_parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <optional>

#include "platforms/xml/radical.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/split.hpp"

namespace tutti::platforms {
namespace {

using Counts = std::vector<std::uint32_t>;

constexpr std::uint32_t greatest_count = 2'147'483'647;  // SimGrid keeps them as int

constexpr std::size_t longest_text = 4096;

constexpr const char* fat_tree_form =
    "LEVELS;CHILDREN,...;PARENTS,...;CABLES,... with one number a level: \"2;4,4;1,2;1,2\"";
constexpr const char* torus_form = "a size for each dimension: \"4,4,2\"";
constexpr const char* dragonfly_form =
    "GROUPS,LINKS;CHASSIS,LINKS;ROUTERS,LINKS;NODES: \"3,4;4,3;5,1;2\"";

Error refuse(std::string message, std::string hint) {
  return make_error(ErrorKind::input, "", std::move(message), std::move(hint));
}

std::optional<Error> too_long(std::string_view text, const char* form) {
  if (text.size() <= longest_text) return std::nullopt;
  return refuse(fmt::format("longer than {} characters", longest_text), form);
}

// The fields of `text`, of which the topology has four.
Result<std::vector<std::string_view>> parse_fields(std::string_view text, const char* kind,
                                                   const char* form) {
  if (auto error = too_long(text, form)) return *error;
  auto fields = split(text, ';');
  if (fields.size() == 4) return fields;
  return refuse(fmt::format("{} field(s), {} has 4", fields.size(), kind), form);
}

Result<std::uint32_t> parse_count(std::string_view text, const char* form) {
  auto digits = text;
  while (digits.starts_with(' ')) digits.remove_prefix(1);
  while (digits.ends_with(' ')) digits.remove_suffix(1);
  std::uint32_t count = 0;
  const char* end = digits.data() + digits.size();
  const auto [after, status] = std::from_chars(digits.data(), end, count);
  if (status == std::errc{} && after == end && count >= 1 && count <= greatest_count) return count;
  return refuse(fmt::format("{} is no whole number from 1 to {}", in_quotes(text), greatest_count),
                form);
}

Result<Counts> parse_counts(std::string_view text, const char* form) {
  if (auto error = too_long(text, form)) return *error;
  Counts counts;
  for (const auto part : split(text, ',')) {
    const auto count = TUTTI_TRY(parse_count(part, form));
    counts.push_back(count);
  }
  return counts;
}

// What is wrong with a network of `sizes`, whose product is its number of nodes; unset: nothing.
std::optional<Error> misfit(const NetworkSize& size, const ClusterSpec& spec, const Counts& sizes) {
  const auto product = fmt::format("{}", fmt::join(sizes, " x "));
  if (size.hosts > most_hosts)
    return refuse(fmt::format("{} makes more than {} nodes", product, most_hosts),
                  "that is the most of a cluster");
  std::uint64_t hosts = 0;
  for (const auto& range : spec.radical) hosts += range.count;
  if (hosts != 0 && hosts != size.hosts)
    return refuse(fmt::format("{} makes {} nodes, the radical has {}", product, size.hosts, hosts),
                  fmt::format("radical=\"0-{}\" would fit, or sizes whose product is {}",
                              size.hosts - 1, hosts));
  if (links_of(size, spec) > most_links)
    return refuse(fmt::format("more than {} links", most_links), "that is the most of a cluster");
  return std::nullopt;
}

template <class Shape>
Result<Shape> fitting(Shape shape, const ClusterSpec& spec, const Counts& sizes) {
  if (auto error = misfit(size_of(shape), spec, sizes)) return *error;
  return shape;
}

// The numbers of one field, one for each level.
Result<Counts> parse_levels(std::string_view text, std::uint32_t levels) {
  auto counts = parse_counts(text, fat_tree_form);
  if (counts && counts->size() != levels)
    return refuse(
        fmt::format("{} level(s), but {} number(s) in {}", levels, counts->size(), in_quotes(text)),
        fat_tree_form);
  return counts;
}

// "GROUPS,LINKS"
Result<Counts> parse_pair(std::string_view text) {
  auto counts = parse_counts(text, dragonfly_form);
  if (counts && counts->size() != 2)
    return refuse(fmt::format("{} is not a number and its links", in_quotes(text)), dragonfly_form);
  return counts;
}

}  // namespace

Result<FatTreeShape> parse_fat_tree(std::string_view text, const ClusterSpec& spec) {
  const auto fields = TUTTI_TRY(parse_fields(text, "a fat tree", fat_tree_form));
  const auto levels = TUTTI_TRY(parse_count((fields)[0], fat_tree_form));
  if (levels > most_levels)
    return refuse(fmt::format("{} levels: at most {} are read", levels, most_levels), "");
  const auto down = TUTTI_TRY(parse_levels((fields)[1], levels));
  const auto up = TUTTI_TRY(parse_levels((fields)[2], levels));
  const auto ports = TUTTI_TRY(parse_levels((fields)[3], levels));
  return fitting(FatTreeShape{.down = down, .up = up, .ports = ports}, spec, down);
}

Result<TorusShape> parse_torus(std::string_view text, const ClusterSpec& spec) {
  const auto sizes = TUTTI_TRY(parse_counts(text, torus_form));
  if (sizes.size() > most_dimensions)
    return refuse(fmt::format("{} dimensions: at most {} are read", sizes.size(), most_dimensions),
                  "");
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
    return refuse(
        fmt::format("{} groups, but {} router(s) in a chassis", shape.groups, shape.routers),
        "the cable to group n ends at router n of the first chassis: as many routers as "
        "groups are the least");
  return fitting(shape, spec, {shape.groups, shape.chassis, shape.routers, shape.nodes});
}

}  // namespace tutti::platforms
