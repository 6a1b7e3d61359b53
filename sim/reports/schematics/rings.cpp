// SPDX-License-Identifier: BSD-3-Clause
// Rings: the nodes, or units of nodes, of each dimension in a row.
#include "sim/reports/schematics/schematics.hpp"

namespace tutti::reports::schematics {
namespace {

constexpr double ring_px = 80;  // between two rings
constexpr std::string_view ring_style = "stroke=\"#718096\" stroke-width=\"1.6\" fill=\"none\"";

// A node or a unit.
std::string svg_position(Place at, bool is_unit) {
  if (is_unit) return svg_box({at, 26, 20, 4}, part_style);
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"9\" fill=\"{}\"/>\n", at.x, at.y,
                     node_fill);
}

// One dimension: its nodes in a row, and the wraparound link above them.
std::string svg_ring(std::size_t size, double y, bool of_units) {
  const Row row{.count = size, .y = y};
  std::string lines, positions;
  std::optional<std::size_t> last;
  for (const auto i : row.shown()) {
    const auto at = *row.at(i);
    if (last && *last + 1 == i) lines += svg_line(*row.at(*last), at);
    positions += svg_position(at, of_units);
    last = i;
  }
  if (size > 2)
    lines += fmt::format(
        "<path d=\"M{0:.1f} {2:.1f}C{0:.1f} {3:.1f} {1:.1f} {3:.1f} {1:.1f} {2:.1f}\"/>\n",
        row.at(0)->x, row.at(size - 1)->x, y, y - 48);
  return svg_group(ring_style, lines) + positions + row.dots();
}

// "links of 6.8 GB/s, 490 ns", or with several kinds of links the number of each.
std::string links_text(const platforms::Topology& topology, const platforms::Graph& graph) {
  LinkBand links;
  for (const auto& edge : graph.edges) links.add(topology.link(edge.link));
  if (links.kinds.size() == 1) return fmt::format("links of {}", links.each());
  return fmt::format("{}", fmt::join(describe(links), "; "));
}

std::string svg_detail(Place origin, const platforms::DetailDrawing& detail) {
  const auto place = [&](const platforms::DetailDrawing::Point& at) {
    return Place{origin.x + at.x, origin.y + at.y};
  };
  std::string lines, nodes, labels;
  for (const auto& line : detail.lines) {
    const Place from = place(detail.nodes[line.from]), to = place(detail.nodes[line.to]);
    lines += line.bend_px == 0
                 ? svg_line(from, to)
                 : fmt::format(
                       "<path d=\"M{0:.1f} {1:.1f}C{2:.1f} {3:.1f} {2:.1f} {4:.1f} {0:.1f} "
                       "{5:.1f}\"/>\n",
                       from.x, from.y, from.x + line.bend_px, from.y + 30, to.y - 30, to.y);
  }
  for (const auto& node : detail.nodes) nodes += svg_position(place(node), false);
  for (const auto& label : detail.labels)
    labels += svg_text(place(label.at), label.text,
                       "font-size=\"13\" fill=\"#1a202c\" text-anchor=\"middle\"");
  return svg_group(ring_style, lines) + nodes + labels;
}

}  // namespace

std::optional<std::string> rings_picture(const platforms::Machine& machine,
                                         const platforms::Graph& graph,
                                         const platforms::RingsDrawing& drawing) {
  if (graph.edges.empty()) return std::nullopt;
  double y = head_px + 30;
  std::string body = svg_text(
      {left_px, 78}, fmt::format("{}; {}", drawing.title, links_text(*machine.topology, graph)),
      plain_text);
  for (const auto& ring : drawing.rings) {
    body += svg_ring(ring.size, y, drawing.unit.has_value()) +
            svg_text({words_px, y + 4},
                     fmt::format("{}: {}{}", ring.name, counted(ring.size, drawing.position),
                                 ring.size > 2 ? ", a ring" : ""),
                     dark_text);
    y += ring_px;
  }
  if (!drawing.unit) return svg_page(machine, {.height = y - ring_px + 50}, body);
  body += svg_box({{left_px + drawn_px / 2, y + 132}, drawn_px, 290, 6}, frame_style) +
          svg_detail({left_px + 215, y + 70}, *drawing.unit) +
          svg_lines({words_px, y + 60}, drawing.unit->words);
  return svg_page(machine, {.height = y + 297}, body);
}

}  // namespace tutti::reports::schematics
