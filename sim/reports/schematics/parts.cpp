// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/schematics/parts.hpp"

#include "sim/base/text_file.hpp"
#include "sim/reports/svg.hpp"

namespace tutti::reports::schematics {
namespace {

constexpr double character_px = 6.7;  // of a text of 13 px

}  // namespace

std::string svg_text(Place at, std::string_view text, std::string_view style) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", at.x, at.y, style,
                     xml_escaped(std::string(text)));
}

std::string svg_lines(Place at, const std::vector<std::string>& lines) {
  std::string svg;
  for (std::size_t i = 0; i < lines.size(); ++i, at.y += line_px)
    svg += svg_text(at, lines[i], i == 0 ? bold_text : plain_text);
  return svg;
}

std::string svg_line(Place from, Place to) {
  return fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", from.x, from.y, to.x, to.y);
}

std::string svg_group(std::string_view style, const std::string& body) {
  return fmt::format("<g {}>\n{}</g>\n", style, body);
}

std::string svg_box(const SvgBox& box, std::string_view style, const std::string& title) {
  const auto shape =
      fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\" {}",
                  box.center.x - box.width / 2, box.center.y - box.height / 2, box.width,
                  box.height, box.rounding, style);
  return title.empty() ? shape + "/>\n"
                       : shape + "><title>" + xml_escaped(title) + "</title></rect>\n";
}

std::string svg_switch(Place center, const std::string& title, double width) {
  return svg_box({center, width, 16}, fmt::format("fill=\"{}\"", switch_fill), title);
}

std::string svg_nodes(Place center, std::size_t count, double width) {
  return svg_box({center, width, 34, 5}, fmt::format("fill=\"{}\"", node_fill)) +
         svg_text({center.x, center.y - 2}, fmt::format("{}", count), white_text) +
         svg_text({center.x, center.y + 12}, count == 1 ? "node" : "nodes", white_text);
}

std::vector<std::size_t> Row::shown() const {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < (is_cut() ? first : count); ++i) numbers.push_back(i);
  for (std::size_t i = last; is_cut() && i > 0; --i) numbers.push_back(count - i);
  return numbers;
}

std::optional<Place> Row::at(std::size_t number) const {
  if (number >= count) return std::nullopt;
  if (!is_cut() || number < first) return place_of_slot(number);
  if (number + last >= count) return place_of_slot(slots() - (count - number));
  return std::nullopt;
}

std::string Row::dots() const {
  if (!is_cut()) return {};
  constexpr double neighbors_px = 54;  // of the two vertices next to the text, and gaps
  const auto omitted = count - first - last;
  auto text = fmt::format("... {} more", omitted);
  if (character_px * static_cast<double>(text.size()) > 2 * step() - neighbors_px)
    text = fmt::format("+{}", omitted);
  const auto at = place_of_slot(first);
  return svg_text({at.x, at.y + 4}, text, centered_text);
}

std::string mesh_arcs(const Row& row, double height) {
  const auto shown = row.shown();
  if (shown.size() < 2) return {};
  const double longest = row.at(shown.back())->x - row.at(shown.front())->x;
  std::string arcs;
  for (std::size_t i = 0; i < shown.size(); ++i)
    for (std::size_t j = i + 1; j < shown.size(); ++j) {
      const double from = row.at(shown[i])->x, to = row.at(shown[j])->x;
      const double control = row.y - 2 * height * (to - from) / longest;
      arcs += fmt::format("<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\"/>\n", from, row.y,
                          (from + to) / 2, control, to, row.y);
    }
  return svg_group(link_style, arcs);
}

void LinkBand::add(const platforms::Link& link) {
  ++links;
  Bps += link.bandwidth_Bps;
  ++kinds[{link.bandwidth_Bps, link.latency_s}];
}

std::string LinkBand::each() const {
  if (kinds.empty()) return {};
  const auto& [Bps_each, latency_s] = kinds.begin()->first;
  return fmt::format("{}, {}", format_rate(Bps_each), format_seconds(latency_s));
}

std::vector<std::string> describe(const LinkBand& band) {
  constexpr std::size_t most_kinds_named = 2;
  std::vector<std::string> lines;
  for (const auto& [kind, count] : band.kinds) {
    lines.push_back(fmt::format("{} of {}, {}", counted(count, "link"), format_rate(kind.first),
                                format_seconds(kind.second)));
    if (band.kinds.size() > most_kinds_named) {
      lines.back() += fmt::format("; {} more kinds", band.kinds.size() - 1);
      break;
    }
  }
  return lines;
}

std::string oversubscription(const LinkBand& below, const LinkBand& above) {
  const double ratio = below.Bps / above.Bps;
  constexpr double equal = 1.005;
  return ratio < equal ? "not oversubscribed" : fmt::format("oversubscribed {:.3g}:1", ratio);
}

std::string svg_oversubscription(Place at, const LinkBand& below, const LinkBand& above) {
  const auto text = oversubscription(below, above);
  return svg_text(at, text, text.starts_with("over") ? warning_text : plain_text);
}

std::string nodes_per_switch(std::span<const std::uint32_t> nodes, std::string_view what) {
  std::map<std::uint32_t, std::size_t, std::greater<>> switches;  // by number of nodes
  for (const auto count : nodes) ++switches[count];
  if (switches.empty()) return {};
  const auto& [most, with_most] = *switches.begin();
  const auto& [least, with_least] = *switches.rbegin();
  if (switches.size() == 1) return fmt::format("{} per {}", counted(most, "node"), what);
  if (switches.size() > 2) return fmt::format("{} to {} nodes per {}", least, most, what);
  return fmt::format("{} with {}, {} with {}", counted(with_most, what), counted(most, "node"),
                     with_least, least);
}

std::vector<std::uint32_t> nodes_by_switch(const platforms::Graph& graph) {
  std::vector<std::uint32_t> nodes(graph.switches.size());
  for (const auto& edge : graph.edges)
    if (edge.from < graph.hosts && edge.to >= graph.hosts) ++nodes[edge.to - graph.hosts];
  return nodes;
}

}  // namespace tutti::reports::schematics
