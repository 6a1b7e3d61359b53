// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/picture_cables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/base/rate.hpp"

namespace tutti::reports {
namespace {

// Of the edges between two vertices with links of one kind.
struct Bundle {
  int forth = 0;  // from the lower vertex to the higher one
  int back = 0;
  std::size_t first_edge = 0;
};

}  // namespace

PictureCables picture_cables(const platforms::Topology& topology, const platforms::Graph& graph) {
  using Kind = std::tuple<double, double, bool>;
  std::map<std::tuple<std::uint32_t, std::uint32_t, Kind>, Bundle> bundles;
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const auto& edge = graph.edges[i];
    const auto link = topology.link(edge.link);
    const auto [low, high] = std::minmax(edge.from, edge.to);
    const Kind kind{link.bandwidth_Bps, link.latency_s, edge.both_ways};
    Bundle& bundle = bundles.try_emplace({low, high, kind}, Bundle{0, 0, i}).first->second;
    if (edge.both_ways || edge.from == low) ++bundle.forth;
    if (edge.both_ways || edge.from != low) ++bundle.back;
  }
  PictureCables found;
  std::map<std::pair<Kind, int>, std::size_t> numbers;
  for (const auto& [key, bundle] : bundles) {
    const auto& [a, b, kind] = key;
    const int parallel = std::max(bundle.forth, bundle.back);
    const auto [number, is_new] = numbers.try_emplace({kind, parallel}, found.kinds.size());
    if (is_new)
      found.kinds.push_back({.link = topology.link(graph.edges[bundle.first_edge].link),
                             .one_for_both_ways = std::get<bool>(kind),
                             .parallel = parallel});
    ++found.kinds[number->second].lines;
    found.lines.push_back({a, b, number->second, bundle.first_edge});
  }
  return found;
}

std::string describe(const CableKind& kind) {
  std::string text = fmt::format("{}, {}", format_rate(kind.link.bandwidth_Bps),
                                 format_seconds(kind.link.latency_s));
  if (kind.one_for_both_ways) text += ", shared by both directions";
  if (kind.parallel > 1) text += fmt::format(", x{0} ({0} parallel cables)", kind.parallel);
  return text;
}

}  // namespace tutti::reports
