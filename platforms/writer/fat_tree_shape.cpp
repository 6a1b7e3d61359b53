// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/writer/fat_tree_shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "sim/base/error_list.hpp"

namespace tutti::platforms {
namespace {

constexpr std::int64_t most_levels = 6;
constexpr std::int64_t most_radix = 4096;
constexpr std::int64_t most_nodes = 1 << 24;

constexpr double rounding = 1e-12;

// Down ports of a switch: at the top all ports, at the leaves what the oversubscription leaves for
// nodes, between them half.
std::int64_t most_down(const FatTreeRequest& request, std::int64_t level) {
  if (level == request.levels - 1) return request.radix;
  if (level > 0) return request.radix / 2;
  const double ratio = request.oversubscription;
  const double down = static_cast<double>(request.radix) * ratio / (ratio + 1);
  return static_cast<std::int64_t>(down * (1 + rounding));
}

// Cables from a leaf switch upward, so that the ratio is the nearest to the wanted one.
std::int64_t cables_of_leaf(double ratio, std::int64_t nodes) {
  const double exact = static_cast<double>(nodes) / ratio;
  const auto most = static_cast<std::int64_t>(std::ceil(exact * (1 - rounding)));
  const auto off = [&](std::int64_t cables) {
    return std::abs(static_cast<double>(nodes) / static_cast<double>(cables) - ratio);
  };
  return most > 1 && off(most - 1) < off(most) ? most - 1 : most;
}

// The fullest leaves first; unset if no choice has the wanted product.
std::optional<std::vector<std::int64_t>> factor(const FatTreeRequest& request, std::int64_t nodes,
                                                std::int64_t level) {
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
                       fmt::format("{} is out of range: 2 to {}", request.nodes, most_nodes));
  if (request.levels < 1 || request.levels > most_levels)
    return usage_error("--levels",
                       fmt::format("{} is out of range: 1 to {}", request.levels, most_levels));
  if (request.radix < 2 || request.radix > most_radix)
    return usage_error("--radix",
                       fmt::format("{} is out of range: 2 to {}", request.radix, most_radix));
  const auto most = request.radix - 1;
  if (request.oversubscription < 1 || request.oversubscription > static_cast<double>(most))
    return usage_error("--oversubscription", fmt::format("{:g} is out of range: 1 to {}",
                                                         request.oversubscription, most));
  if (request.levels == 1 && request.oversubscription != 1)
    return usage_error("--oversubscription", "one level of switches has no cables upward",
                       "take two or more --levels");
  return std::nullopt;
}

Error does_not_fit(const FatTreeRequest& request) {
  std::int64_t most = 1;
  for (std::int64_t level = 0; level < request.levels && most < request.nodes; ++level)
    most *= most_down(request, level);
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

std::string FatTreePlan::parameters() const {
  return fmt::format("{};{};{};{}", down.size(), fmt::join(down, ","), fmt::join(up, ","),
                     fmt::join(cables, ","));
}

Result<FatTreePlan> shape_of(const FatTreeRequest& request) {
  if (auto error = check(request)) return *error;
  const auto down = factor(request, request.nodes, 0);
  if (!down) return does_not_fit(request);
  FatTreePlan shape{.down = *down, .up = {1}, .cables = {1}};
  for (std::size_t level = 1; level < down->size(); ++level) {
    // Above the leaves as many as come from below.
    const auto from_below = down->at(level - 1) * shape.cables.back();
    const auto wanted =
        level == 1 ? cables_of_leaf(request.oversubscription, from_below) : from_below;
    // Cables side by side to one switch leave it fewer ports for other switches below it.
    const auto ports = most_down(request, static_cast<std::int64_t>(level)) / down->at(level);
    const auto parallel = divisor_up_to(wanted, ports);
    shape.cables.push_back(parallel);
    shape.up.push_back(wanted / parallel);
  }
  return shape;
}

}  // namespace tutti::platforms
