// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/schematics/schematics.hpp"

namespace tutti::reports::schematics {
namespace {

struct HyperXSizes {
  std::vector<std::uint32_t> sizes;  // switches per dimension
  std::vector<std::uint32_t> links;  // parallel links per dimension
};

std::optional<HyperXSizes> hyperx_sizes(const platforms::Topology& topology) {
  const auto fields = number_fields(topology.parameters());
  if (fields.size() < 2 || fields[0].empty() || fields[0].size() != fields[1].size())
    return std::nullopt;
  return HyperXSizes{fields[0], fields[1]};
}

class HyperXPicture {
 public:
  HyperXPicture(const platforms::Machine& machine, HyperXSizes shape)
      : machine_(machine),
        shape_(std::move(shape)),
        graph_(machine.topology->graph()),
        bands_(shape_.sizes.size()) {
    for (const auto& edge : graph_.edges) {
      if (!edge.both_ways && edge.from > edge.to) continue;
      const auto link = machine.topology->link(edge.link);
      if (edge.from < graph_.hosts)
        node_links_.add(link);
      else
        bands_[dimension(edge.from - graph_.hosts, edge.to - graph_.hosts)].add(link);
    }
  }

  std::string svg() {
    std::string body = svg_text(
        {left_px, 78},
        "Each switch is in one row per dimension, with links to all others of the row", plain_text);
    double y = head_px;
    for (std::size_t d = 0; d < shape_.sizes.size(); ++d) body += dimension_row(d, y);
    body += nodes(y + 40);
    return svg_page(machine_, {.height = y + 160}, body);
  }

 private:
  // The dimension in which two switches differ.
  std::size_t dimension(std::uint32_t a, std::uint32_t b) const {
    std::size_t d = 0;
    for (; d + 1 < shape_.sizes.size() && a % shape_.sizes[d] == b % shape_.sizes[d]; ++d) {
      a /= shape_.sizes[d];
      b /= shape_.sizes[d];
    }
    return d;
  }

  // Moves y to the end of the row.
  std::string dimension_row(std::size_t d, double& y) const {
    const auto size = shape_.sizes[d];
    const double arcs_px = size > 2 ? 70 : 0;
    const Row row{.count = size, .y = y + arcs_px + 24};
    std::string switches;
    for (const auto i : row.shown()) switches += svg_switch(*row.at(i), "");
    std::vector<std::string> lines{fmt::format("dimension {}: {}", d + 1, counted(size, "switch"))};
    if (size > 1)
      lines.push_back(fmt::format("{} between every two: {}", counted(shape_.links[d], "link"),
                                  bands_[d].each()));
    y = row.y + 24;
    return mesh_arcs(row, arcs_px) + switches + row.dots() +
           svg_lines({words_px, row.y - (size > 1 ? 6 : -4)}, lines);
  }

  // One switch for each number of nodes.
  std::string nodes(double y) const {
    const auto on_switch = nodes_by_switch(graph_);
    std::map<std::uint32_t, std::size_t, std::greater<>> switches;  // by number of nodes
    for (const auto count : on_switch) ++switches[count];
    const Row row{.count = switches.size(), .y = y, .first = 5, .last = 1};
    const std::vector<std::pair<std::uint32_t, std::size_t>> kinds(switches.begin(),
                                                                   switches.end());
    std::string links, svg;
    for (const auto i : row.shown()) {
      const auto at = *row.at(i);
      const Place box{at.x, y + 70};
      if (kinds[i].first > 0) {
        links += svg_line(at, box);
        svg += svg_nodes(box, kinds[i].first);
      }
      svg += svg_switch(at, "");
      if (kinds.size() > 1)
        svg += svg_text({at.x, at.y - 14}, counted(kinds[i].second, "switch"), centered_text);
    }
    return svg_group(link_style, links) + svg + row.dots() +
           svg_lines({words_px, y + 4}, {counted(graph_.switches.size(), "switch"),
                                         nodes_per_switch(on_switch, "switch")}) +
           svg_lines({words_px, y + 66},
                     {counted(graph_.hosts, "node"), "1 link each: " + node_links_.each()});
  }

  const platforms::Machine& machine_;
  HyperXSizes shape_;
  platforms::Graph graph_;
  std::vector<LinkBand> bands_;  // by dimension
  LinkBand node_links_;
};

}  // namespace

std::optional<std::string> hyperx_picture(const platforms::Machine& machine) {
  auto shape = hyperx_sizes(*machine.topology);
  if (!shape) return std::nullopt;
  return HyperXPicture(machine, *std::move(shape)).svg();
}

}  // namespace tutti::reports::schematics
