// SPDX-License-Identifier: BSD-3-Clause
// Meshes: one row of switches per dimension, and switches with their nodes.
#include "sim/reports/schematics/schematics.hpp"

namespace tutti::reports::schematics {
namespace {

class MeshesPicture {
 public:
  MeshesPicture(const platforms::Machine& machine, const platforms::Graph& graph,
                const platforms::MeshesDrawing& drawing)
      : machine_(machine), graph_(graph), rows_(drawing.rows), bands_(rows_.size()) {
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
    for (std::size_t d = 0; d < rows_.size(); ++d) body += dimension_row(d, y);
    body += nodes(y + 40);
    return svg_page(machine_, {.height = y + 160}, body);
  }

 private:
  // The dimension in which two switches differ.
  std::size_t dimension(std::uint32_t a, std::uint32_t b) const {
    std::size_t d = 0;
    for (; d + 1 < rows_.size() && a % rows_[d].size == b % rows_[d].size; ++d) {
      a /= rows_[d].size;
      b /= rows_[d].size;
    }
    return d;
  }

  // Moves y to the end of the row.
  std::string dimension_row(std::size_t d, double& y) const {
    const auto size = rows_[d].size;
    const double arcs_px = size > 2 ? 70 : 0;
    const Row row{.count = size, .y = y + arcs_px + 24};
    std::string switches;
    for (const auto i : row.shown()) switches += svg_switch(*row.at(i), "");
    std::vector<std::string> lines{fmt::format("dimension {}: {}", d + 1, counted(size, "switch"))};
    if (size > 1)
      lines.push_back(fmt::format("{} between every two: {}", counted(rows_[d].links, "link"),
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
  const platforms::Graph& graph_;
  const std::vector<platforms::MeshesDrawing::Row>& rows_;
  std::vector<LinkBand> bands_;  // by dimension
  LinkBand node_links_;
};

}  // namespace

std::string meshes_picture(const platforms::Machine& machine, const platforms::Graph& graph,
                           const platforms::MeshesDrawing& drawing) {
  return MeshesPicture(machine, graph, drawing).svg();
}

}  // namespace tutti::reports::schematics
