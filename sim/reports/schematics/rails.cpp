// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/schematics/schematics.hpp"

namespace tutti::reports::schematics {
namespace {

constexpr std::array<std::string_view, 8> rail_colors = {
    "#2f855a", "#805ad5", "#b7791f", "#c53030", "#0987a0", "#d53f8c", "#4a5568", "#744210"};

std::string_view rail_color(std::size_t rail) { return rail_colors[rail % rail_colors.size()]; }

// One group of nodes in detail, with the leaf switches to which its nodes are connected; boxes for
// the other groups. Above them are the other levels: switches, or one box per rail if each rail
// has a network of its own.
class RailsPicture {
 public:
  RailsPicture(const platforms::Machine& machine, const platforms::Graph& graph,
               const Levels& levels)
      : machine_(machine),
        graph_(graph),
        levels_(levels),
        rails_(machine.topology->rails()),
        has_planes_(machine.topology->describe().has_rail_planes),
        leaves_(levels.switches_of(0)),
        others_{.count = levels.groups().size() - 1,
                .y = (level_y(levels, 1) + level_y(levels, 0)) / 2,
                .left = 510,
                .width = 170,
                .first = 1,
                .last = 1},
        panel_px_(others_.count > 0 ? 450 : drawn_px) {
    for (std::uint32_t host = 0; host < graph.hosts; ++host)
      if (levels.switches_of(host) == leaves_) members_.push_back(host);
    place_leaves();
    place_others();
    for (std::size_t level = 2; level < levels.count(); ++level) place_upper(level);
  }

  std::string svg() const {
    return svg_page(machine_, {.height = level_y(levels_, 0) + 76},
                    frame() + links() + uppers() + other_groups() + group() +
                        level_words(machine_, levels_) + words());
  }

 private:
  // Rows.

  Row leaf_row() const {
    return {.count = leaves_.size(),
            .y = level_y(levels_, 1),
            .left = left_px + 10,
            .width = panel_px_ - 20,
            .first = 9};
  }
  Row node_row() const {
    return {.count = members_.size(),
            .y = level_y(levels_, 0),
            .left = left_px + 10,
            .width = panel_px_ - 20,
            .first = 2,
            .last = 1};
  }
  Row upper_row(std::size_t level) const {
    return {.count = levels_.switches(level).size(), .y = level_y(levels_, level)};
  }

  void place_leaves() {
    const auto row = leaf_row();
    for (const auto i : row.shown()) at_[leaves_[i]] = *row.at(i);
  }

  // The top of the box of each group that is shown, for all its leaf switches.
  void place_others() {
    std::size_t number = 0;
    for (const auto& [on, count] : levels_.groups()) {
      if (on == leaves_) continue;
      if (const auto at = others_.at(number++))
        for (const auto leaf : on)
          if (!at_.contains(leaf)) at_[leaf] = {at->x, level_y(levels_, 1) - 17};
    }
  }

  void place_upper(std::size_t level) {
    const auto& switches = levels_.switches(level);
    const auto row = upper_row(level);
    if (!has_planes_) {
      for (const auto i : row.shown()) at_[switches[i]] = *row.at(i);
      return;
    }
    const auto planes = plane_row();
    const auto per_plane = graph_.switches.size() / rails_;
    for (const auto vertex : switches)
      if (const auto at = planes.at((vertex - graph_.hosts) / per_plane))
        at_[vertex] = {at->x, level_y(levels_, 2) + 17};
  }

  // Above the leaf switches, which are one per rail.
  Row plane_row() const {
    auto row = leaf_row();
    row.count = rails_;
    return row;
  }

  // Drawing.

  std::string frame() const {
    const double top = level_y(levels_, 1) - 22, bottom = level_y(levels_, 0) + 56;
    return svg_box({{left_px + panel_px_ / 2, (top + bottom) / 2}, panel_px_, bottom - top, 6},
                   frame_style);
  }

  // Between switches, and the boxes of other groups.
  std::string links() const {
    std::set<std::string> lines;
    for (const auto& edge : graph_.edges) {
      const auto from = at_.find(edge.from), to = at_.find(edge.to);
      if (from == at_.end() || to == at_.end()) continue;
      const auto& [low, high] =
          std::minmax(from->second, to->second, [](Place a, Place b) { return a.y > b.y; });
      if (low.y != high.y) lines.insert(svg_line(low, high));
    }
    return svg_group(link_style, fmt::format("{}", fmt::join(lines, "")));
  }

  std::string uppers() const {
    if (levels_.count() <= 2) return {};
    if (has_planes_) return planes();
    std::string svg;
    for (std::size_t level = 2; level < levels_.count(); ++level) {
      const auto row = upper_row(level);
      for (const auto i : row.shown()) {
        const auto vertex = levels_.switches(level)[i];
        svg += svg_switch(*row.at(i), graph_.switches[vertex - graph_.hosts]);
      }
      svg += row.dots();
    }
    return svg;
  }

  // The upper levels of each rail's network in a box.
  std::string planes() const {
    const auto row = plane_row();
    const double top = level_y(levels_, levels_.count() - 1), bottom = level_y(levels_, 2);
    std::string svg;
    for (const auto rail : row.shown()) {
      const double x = row.at(rail)->x;
      svg +=
          svg_box({{x, (top + bottom) / 2}, std::min(64.0, row.step() - 6), bottom - top + 34, 5},
                  fmt::format("fill=\"#fffaf0\" stroke=\"{}\"", rail_color(rail)),
                  fmt::format("rail {}", rail));
      for (std::size_t level = 2; level < levels_.count(); ++level)
        svg += svg_text({x, level_y(levels_, level) + 4},
                        fmt::format("{}", levels_.switches(level).size() / rails_), centered_text);
    }
    auto dots = row;
    dots.y = (top + bottom) / 2;
    return svg + dots.dots();
  }

  std::string other_groups() const {
    const double top = level_y(levels_, 1), bottom = level_y(levels_, 0);
    std::string svg;
    std::size_t number = 0;
    for (const auto& [on, count] : levels_.groups()) {
      if (on == leaves_) continue;
      const auto at = others_.at(number++);
      if (!at) continue;
      svg += svg_box({*at, 50, bottom - top + 34, 5}, part_style);
      svg += svg_text({at->x, top + 4}, fmt::format("{}", on.size()), centered_text);
      svg += svg_text({at->x, top + 18}, on.size() == 1 ? "leaf" : "leaves", centered_text);
      svg += svg_text({at->x, bottom - 2}, fmt::format("{}", count), centered_text);
      svg += svg_text({at->x, bottom + 12}, count == 1 ? "node" : "nodes", centered_text);
    }
    if (others_.count > 0)
      svg += svg_text({595, bottom + 44}, others_.count == 1 ? "other group" : "other groups",
                      centered_text);
    return svg + others_.dots();
  }

  // The leaf switches and nodes of the group in detail.
  std::string group() const {
    const auto leaves = leaf_row(), nodes = node_row();
    const double width = std::min(44.0, leaves.step() - 5);
    const bool has_names = leaves_.size() == rails_;
    std::string svg = nic_links();
    for (const auto i : leaves.shown()) {
      const auto at = *leaves.at(i);
      svg += svg_switch(at, graph_.switches[leaves_[i] - graph_.hosts], width);
      if (has_names)
        svg += svg_text({at.x, at.y + 3.5},
                        width < 40 ? fmt::format("{}", i) : fmt::format("rail {}", i),
                        "font-size=\"10\" fill=\"#ffffff\" text-anchor=\"middle\"");
    }
    for (const auto i : nodes.shown()) {
      const auto at = *nodes.at(i);
      svg += svg_box({at, node_px(), 34, 5}, fmt::format("fill=\"{}\"", node_fill),
                     machine_.topology->host_name(members_[i])) +
             svg_text({at.x, at.y + 8}, fmt::format("node {}", members_[i]), white_text);
      for (std::uint32_t rail = 0; rail < rails_; ++rail)
        svg += svg_box(
            {nic(at, rail), 0.75 * nic_px(), 9, 1},
            fmt::format("fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.8\"", rail_color(rail)),
            fmt::format("NIC {}", rail));
    }
    return svg + leaves.dots() + nodes.dots() +
           svg_text({left_px + panel_px_ / 2, level_y(levels_, 0) + 44}, group_text(),
                    centered_text);
  }

  double node_px() const { return std::min(130.0, node_row().step() - 10); }
  double nic_px() const { return std::min(13.0, (node_px() - 4) / static_cast<double>(rails_)); }
  Place nic(Place node, std::uint32_t rail) const {
    return {node.x + nic_px() * (rail - (static_cast<double>(rails_) - 1) / 2), node.y - 17};
  }

  // From the NICs of the shown nodes, in the color of their rail. The links of a node are numbered
  // by NIC.
  std::string nic_links() const {
    const auto row = node_row();
    std::map<std::uint32_t, Place> nodes;  // by host
    for (const auto i : row.shown()) nodes[members_[i]] = *row.at(i);
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> leaf_of;  // by host and link
    for (const auto& edge : graph_.edges)
      if (nodes.contains(edge.from)) leaf_of[edge.from][edge.link] = edge.to;
    std::string svg;
    for (const auto& [host, leaves] : leaf_of) {
      const auto per_nic = std::max<std::size_t>(leaves.size() / rails_, 1);
      std::size_t number = 0;
      for (const auto& [link, leaf] : leaves) {
        const auto rail = static_cast<std::uint32_t>(number++ / per_nic);
        if (const auto at = at_.find(leaf); at != at_.end())
          svg += svg_group(fmt::format("stroke=\"{}\" stroke-opacity=\"0.7\"", rail_color(rail)),
                           svg_line(nic(nodes.at(host), rail), at->second));
      }
    }
    return svg;
  }

  std::string group_text() const {
    const auto groups = levels_.groups().size();
    const auto nodes =
        fmt::format("{} under {}", counted(members_.size(), "node"),
                    leaves_.size() == 1 ? "one leaf switch"
                                        : fmt::format("the same {} leaf switches", leaves_.size()));
    return groups == 1 ? nodes : fmt::format("One of {} groups: {}", groups, nodes);
  }

  std::string words() const {
    std::string svg = svg_text({words_px, level_y(levels_, 0) + 4 + line_px},
                               counted(rails_, "NIC") + " per node", plain_text);
    const double leaf_y = level_y(levels_, 1) + 4 + line_px;
    const auto* per_group = others_.count > 0 ? ", one per rail in a group" : ", one per rail";
    svg += svg_text({words_px, leaf_y},
                    fmt::format("leaf switches{}", leaves_.size() == rails_ ? per_group : ""),
                    plain_text);
    for (std::size_t level = 2; has_planes_ && level < levels_.count(); ++level)
      svg +=
          svg_text({words_px, level_y(levels_, level) + 4 + line_px},
                   fmt::format("{} per rail", levels_.switches(level).size() / rails_), plain_text);
    return svg;
  }

  const platforms::Machine& machine_;
  const platforms::Graph& graph_;
  const Levels& levels_;
  std::uint32_t rails_;
  bool has_planes_;
  std::vector<std::uint32_t> leaves_;   // of the group in detail
  std::vector<std::uint32_t> members_;  // its nodes
  Row others_;
  double panel_px_;                    // width of the group in detail
  std::map<std::uint32_t, Place> at_;  // where the links of a switch begin
};

}  // namespace

std::string rails_picture(const platforms::Machine& machine, const platforms::Graph& graph,
                          const Levels& levels) {
  return RailsPicture(machine, graph, levels).svg();
}

}  // namespace tutti::reports::schematics
