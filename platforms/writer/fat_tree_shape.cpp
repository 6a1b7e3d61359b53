// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/writer/fat_tree_shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "sim/base/error_list.hpp"

namespace tutti::platforms {
namespace {

constexpr int most_levels = 6;
constexpr int most_radix = 4096;
constexpr std::int64_t most_nodes = 1 << 24;

// Down ports of a switch: at the top all ports, at the leaves what the oversubscription leaves for
// nodes, between them half.
std::int64_t most_down(const FatTreeRequest& request, int level) {
  if (level == request.levels - 1) return request.radix;
  if (level > 0) return request.radix / 2;
  return std::int64_t{request.radix} * request.oversubscription / (request.oversubscription + 1);
}

// Cables from a switch upward: as many as come from below, at the leaves so many times fewer as the
// oversubscription says.
std::int64_t cables_up(const FatTreeRequest& request, std::size_t level, std::int64_t from_below) {
  return level == 0 ? (from_below + request.oversubscription - 1) / request.oversubscription
                    : from_below;
}

// The fullest leaves first; unset if no choice has the wanted product.
std::optional<std::vector<std::int64_t>> factor(const FatTreeRequest& request, std::int64_t nodes,
                                                int level) {
  if (level == request.levels)
    return nodes == 1 ? std::optional(std::vector<std::int64_t>()) : std::nullopt;
  for (auto down = std::min(most_down(request, level), nodes); down >= 1; --down) {
    if (nodes % down != 0) continue;
    auto rest = factor(request, nodes / down, level + 1);
    if (!rest) continue;
    rest->insert(rest->begin(), down);
    return rest;
  }
  return std::nullopt;
}

// The largest divisor of `count` that is not above `most`: top switches take the same number of
// cables from each.
std::int64_t divisor_up_to(std::int64_t count, std::int64_t most) {
  while (most > 1 && count % most != 0) --most;
  return std::max<std::int64_t>(most, 1);
}

std::string sizes_that_fit(const FatTreeRequest& request) {
  std::vector<std::string> sizes;
  const auto try_size = [&](std::int64_t nodes) {
    if (nodes > 1 && factor(request, nodes, 0)) sizes.push_back(fmt::format("{}", nodes));
    return !sizes.empty();
  };
  constexpr std::int64_t farthest = 20'000;
  for (std::int64_t off = 1; off < farthest; ++off)
    if (try_size(request.nodes - off)) break;
  const std::size_t below = sizes.size();
  for (std::int64_t off = 1; off < farthest && sizes.size() == below; ++off)
    if (factor(request, request.nodes + off, 0))
      sizes.push_back(fmt::format("{}", request.nodes + off));
  if (sizes.empty()) return {};
  return fmt::format("; the nearest sizes that fit: {}", fmt::join(sizes, " and "));
}

std::string radix_that_fits(FatTreeRequest request) {
  while (request.radix < most_radix && !factor(request, request.nodes, 0)) ++request.radix;
  if (request.radix == most_radix) return "; take more --levels";
  return fmt::format("; --radix {} would do, or more --levels", request.radix);
}

std::optional<Error> check(const FatTreeRequest& request) {
  if (request.nodes < 2 || request.nodes > most_nodes)
    return usage_error("--nodes",
                       fmt::format("{} nodes: it must be 2 to {}", request.nodes, most_nodes));
  if (request.levels < 1 || request.levels > most_levels)
    return usage_error("--levels",
                       fmt::format("{} levels: it must be 1 to {}", request.levels, most_levels));
  if (request.radix < 2 || request.radix > most_radix)
    return usage_error("--radix",
                       fmt::format("{} ports: it must be 2 to {}", request.radix, most_radix));
  if (request.oversubscription < 1 || request.oversubscription >= request.radix)
    return usage_error("--oversubscription",
                       fmt::format("{} nodes for each cable upward: it must be 1 to {}",
                                   request.oversubscription, request.radix - 1));
  return std::nullopt;
}

Error does_not_fit(const FatTreeRequest& request) {
  std::int64_t most = 1;
  for (int level = 0; level < request.levels; ++level) most *= most_down(request, level);
  if (request.nodes > most)
    return usage_error("--nodes",
                       fmt::format("{} nodes are too many for {} levels of switches with {} ports",
                                   request.nodes, request.levels, request.radix),
                       fmt::format("at most {} fit{}", most, radix_that_fits(request)));
  return usage_error("--nodes",
                     fmt::format("{} is no product of {} switch sizes (at most {} nodes at a leaf)",
                                 request.nodes, request.levels, most_down(request, 0)),
                     "a tree is full: its nodes are a product of the levels' down ports" +
                         sizes_that_fit(request));
}

}  // namespace

std::string FatTreeShape::parameters() const {
  return fmt::format("{};{};{};{}", down.size(), fmt::join(down, ","), fmt::join(up, ","),
                     fmt::join(cables, ","));
}

Result<FatTreeShape> shape_of(const FatTreeRequest& request) {
  if (auto error = check(request)) return *error;
  const auto down = factor(request, request.nodes, 0);
  if (!down) return does_not_fit(request);
  FatTreeShape shape{.down = *down, .up = {1}, .cables = {1}};
  for (std::size_t level = 1; level < down->size(); ++level) {
    const auto wanted = cables_up(request, level - 1, down->at(level - 1) * shape.cables.back());
    // Cables side by side to one switch leave it fewer ports for other switches below it.
    const auto ports = most_down(request, static_cast<int>(level)) / down->at(level);
    const auto parallel = divisor_up_to(wanted, ports);
    shape.cables.push_back(parallel);
    shape.up.push_back(wanted / parallel);
  }
  return shape;
}

}  // namespace tutti::platforms
