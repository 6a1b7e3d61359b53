// SPDX-License-Identifier: BSD-3-Clause
// Tori: the nodes of each dimension in a row.
#include "sim/reports/schematics/schematics.hpp"

namespace tutti::reports::schematics {
namespace {

constexpr double ring_px = 80;  // between two rings

// The sizes of a torus. Parameters are "16,8,8" or, if the torus of a job is folded onto a network
// with more dimensions, "8,8,8 on 2,2,4".
std::vector<std::uint32_t> ring_sizes(const platforms::Topology& topology) {
  std::string parameters = topology.parameters();
  if (const auto on = parameters.find(" on "); on != std::string::npos)
    parameters = parameters.substr(on + 4);
  return number_fields(parameters).front();
}

// A position on a ring.
enum class RingMark : std::uint8_t { node, unit };

std::string svg_mark(Place at, RingMark mark) {
  if (mark == RingMark::unit) return svg_box({at, 26, 20, 4}, part_style);
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"9\" fill=\"{}\"/>\n", at.x, at.y,
                     node_fill);
}

// One dimension: its nodes in a row, and the wraparound link above them.
std::string ring(std::size_t size, double y, RingMark mark = RingMark::node) {
  const Row row{.count = size, .y = y};
  std::string lines, marks;
  std::optional<std::size_t> last;
  for (const auto i : row.shown()) {
    const auto at = *row.at(i);
    if (last && *last + 1 == i) lines += svg_line(*row.at(*last), at);
    marks += svg_mark(at, mark);
    last = i;
  }
  if (size > 2)
    lines += fmt::format(
        "<path d=\"M{0:.1f} {2:.1f}C{0:.1f} {3:.1f} {1:.1f} {3:.1f} {1:.1f} {2:.1f}\"/>\n",
        row.at(0)->x, row.at(size - 1)->x, y, y - 48);
  return svg_group("stroke=\"#718096\" stroke-width=\"1.6\" fill=\"none\"", lines) + marks +
         row.dots();
}

// "links of 6.8 GB/s, 490 ns", or the numbers of those of each kind.
std::string links_text(const platforms::Topology& topology, const platforms::Graph& graph) {
  LinkBand links;
  for (const auto& edge : graph.edges) links.add(topology.link(edge.link));
  if (links.kinds.size() == 1) return fmt::format("links of {}", links.each());
  return fmt::format("{}", fmt::join(describe(links), "; "));
}

// A node of a unit of Tofu; A points right, B down, C backward.
struct UnitNode {
  int a = 0, b = 0, c = 0;
  Place at(Place origin) const { return {origin.x + 150 * a + 70 * c, origin.y + 80 * b - 34 * c}; }
};

// The links of a unit: pairs on the axes A and C, rings on B.
std::string unit_links(Place origin) {
  std::string lines;
  for (int b = 0; b < 3; ++b)
    for (int i = 0; i < 2; ++i) {
      lines += svg_line(UnitNode{0, b, i}.at(origin), UnitNode{1, b, i}.at(origin));
      lines += svg_line(UnitNode{i, b, 0}.at(origin), UnitNode{i, b, 1}.at(origin));
    }
  for (int a = 0; a < 2; ++a)
    for (int c = 0; c < 2; ++c) {
      const auto top = UnitNode{a, 0, c}.at(origin), bottom = UnitNode{a, 2, c}.at(origin);
      const double side = top.x + (a == 0 ? -42 : 42);
      lines += svg_line(top, bottom) +
               fmt::format(
                   "<path d=\"M{0:.1f} {1:.1f}C{2:.1f} {3:.1f} {2:.1f} {4:.1f} {0:.1f} "
                   "{5:.1f}\"/>\n",
                   top.x, top.y, side, top.y + 30, bottom.y - 30, bottom.y);
    }
  return svg_group("stroke=\"#718096\" stroke-width=\"1.6\" fill=\"none\"", lines);
}

std::string unit_picture(Place origin) {
  std::string nodes;
  for (int c = 1; c >= 0; --c)
    for (int b = 0; b < 3; ++b)
      for (int a = 0; a < 2; ++a) nodes += svg_mark(UnitNode{a, b, c}.at(origin), RingMark::node);
  constexpr std::string_view name = "font-size=\"13\" fill=\"#1a202c\" text-anchor=\"middle\"";
  const auto label = [&](const UnitNode& node, Place shift, const char* axis) {
    const auto at = node.at(origin);
    return svg_text({at.x + shift.x, at.y + shift.y}, axis, name);
  };
  return unit_links(origin) + nodes + label({0, 2, 0}, {75, 20}, "A") +
         label({0, 1, 0}, {-44, 4}, "B") + label({1, 2, 0}, {48, -2}, "C");
}

}  // namespace

std::optional<std::string> rings_picture(const platforms::Machine& machine) {
  const auto& topology = *machine.topology;
  const auto sizes = ring_sizes(topology);
  const auto graph = topology.graph();
  if (sizes.empty() || graph.edges.empty()) return std::nullopt;
  double y = head_px + 30;
  std::string body = svg_text(
      {left_px, 78},
      fmt::format("Each node is on one ring per dimension; {}", links_text(topology, graph)),
      plain_text);
  for (std::size_t i = 0; i < sizes.size(); ++i, y += ring_px)
    body += ring(sizes[i], y) +
            svg_text({words_px, y + 4},
                     fmt::format("dimension {}: {}{}", i + 1, counted(sizes[i], "node"),
                                 sizes[i] > 2 ? ", a ring" : ""),
                     dark_text);
  return svg_page(machine, {.height = y - ring_px + 50}, body);
}

std::optional<std::string> tofu_picture(const platforms::Machine& machine) {
  const auto& topology = *machine.topology;
  const std::string parameters = topology.parameters();
  const auto axes = number_fields(parameters.substr(0, parameters.find(" as "))).front();
  const auto graph = topology.graph();
  if (axes.size() != 6 || graph.edges.empty()) return std::nullopt;
  double y = head_px + 30;
  std::string body = svg_text(
      {left_px, 78}, fmt::format("A torus of units; {}", links_text(topology, graph)), plain_text);
  for (std::size_t i = 0; i < 3; ++i, y += ring_px)
    body += ring(axes[i], y, RingMark::unit) +
            svg_text({words_px, y + 4},
                     fmt::format("axis {}: {}{}", std::string_view("XYZ")[i],
                                 counted(axes[i], "unit"), axes[i] > 2 ? ", a ring" : ""),
                     dark_text);
  body += svg_box({{left_px + drawn_px / 2, y + 132}, drawn_px, 290, 6}, frame_style) +
          unit_picture({left_px + 215, y + 70}) +
          svg_lines({words_px, y + 60},
                    {"A unit: 12 nodes", "axis A: 2 nodes, one link", "axis B: 3 nodes, a ring",
                     "axis C: 2 nodes, one link", "", "X, Y and Z connect each node to the nodes",
                     "with the same position in the next units."});
  return svg_page(machine, {.height = y + 297}, body);
}

}  // namespace tutti::reports::schematics
