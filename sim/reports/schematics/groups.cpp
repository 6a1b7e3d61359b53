// SPDX-License-Identifier: BSD-3-Clause
// Groups of switches, as in dragonflies: a ring of the groups, and one of them in detail.
#include <numbers>

#include "sim/reports/schematics/schematics.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports::schematics {
namespace {

using platforms::GroupsDrawing;

// The group of a switch of the graph.
std::uint32_t group_of(const GroupsDrawing& shape, std::uint32_t number) {
  const auto leaves = shape.groups * shape.switches;
  return number < leaves ? number / shape.switches : (number - leaves) / shape.spines;
}

// "19 global links each", "14 or 15 global links each".
std::string global_links_each(const GroupsDrawing& shape) {
  const auto links = std::uint64_t{shape.groups - 1} * shape.global;
  const auto ends = shape.spines > 0 ? shape.spines : shape.switches;
  const auto least = links / ends;
  if (links % ends == 0) return counted(least, "global link") + " each";
  return fmt::format("{} or {} global links each", least, least + 1);
}

constexpr double wide_px = 1260;
constexpr Place ring_center{235, 285};
constexpr double ring_radius = 155;
constexpr std::size_t most_in_ring = 36;
// Links from the group in detail to others.
constexpr std::string_view own_style = "stroke=\"#dd6b20\" stroke-width=\"1.2\"";
// The group in detail.
constexpr double panel_left = 450;
constexpr double panel_right = wide_px - 30;
constexpr double panel_top = 84;
constexpr double panel_bottom = 530;
constexpr double group_left = 470;
constexpr double group_width = 430;
constexpr double group_words = 920;

class GroupsPicture {
 public:
  GroupsPicture(const platforms::Machine& machine, const platforms::Graph& graph,
                const GroupsDrawing& drawing)
      : machine_(machine), shape_(drawing), graph_(graph) {
    const auto nodes = nodes_by_switch(graph_);
    nodes_.resize(shape_.groups);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) nodes_[group_of(shape_, i)] += nodes[i];
    shown_ = typical_group();
    const auto first = shown_ * shape_.switches;
    on_switch_.assign(nodes.begin() + first, nodes.begin() + first + shape_.switches);
    for (const auto& edge : graph_.edges) add(edge);
  }

  std::string svg() const {
    return svg_page(machine_, {wide_px, panel_bottom + 30},
                    zoom() + ring() + ring_words() + detail());
  }

 private:
  // The first group with the most frequent number of nodes; of several such numbers the largest.
  std::uint32_t typical_group() const {
    std::map<std::uint64_t, std::size_t> groups;  // by number of nodes
    for (const auto nodes : nodes_)
      if (nodes > 0) ++groups[nodes];
    const auto typical = std::ranges::max_element(groups, [](const auto& a, const auto& b) {
      return std::tie(a.second, a.first) < std::tie(b.second, b.first);
    });
    return static_cast<std::uint32_t>(std::ranges::find(nodes_, typical->first) - nodes_.begin());
  }

  // Adds a link of the group in detail to its level.
  void add(const platforms::Graph::Edge& edge) {
    if (!edge.both_ways && edge.from > edge.to) return;
    const auto to = group_of(shape_, edge.to - graph_.hosts);
    const bool is_host = edge.from < graph_.hosts;
    const auto from = is_host ? to : group_of(shape_, edge.from - graph_.hosts);
    if (from != shown_ && to != shown_) return;
    LinkBand& band = is_host ? node_links_ : from == to ? local_links_ : global_links_;
    band.add(machine_.topology->link(edge.link));
  }

  // The ring. Slot 0 is the group in detail, on the right; if there are too many groups, those far
  // from it in number are omitted on the left.

  bool is_cut() const { return shape_.groups > most_in_ring; }
  std::size_t slots() const { return is_cut() ? most_in_ring : shape_.groups; }
  static constexpr std::size_t gap = most_in_ring / 2;
  std::optional<std::uint32_t> group_at(std::size_t slot) const {
    if (is_cut() && slot == gap) return std::nullopt;
    const auto back = is_cut() && slot > gap ? slots() - slot : 0;
    return (shown_ + (back > 0 ? shape_.groups - back : slot)) % shape_.groups;
  }
  Place place_of(std::size_t slot) const {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(slot) / static_cast<double>(slots());
    return {ring_center.x + ring_radius * std::cos(angle),
            ring_center.y + ring_radius * std::sin(angle)};
  }

  // Draws links between every two groups, and emphasizes the links of the group in detail.
  std::string chords() const {
    std::string others, own;
    for (std::size_t a = 0; a < slots(); ++a)
      for (std::size_t b = a + 1; b < slots(); ++b) {
        if (!group_at(a) || !group_at(b)) continue;
        const auto from = place_of(a), to = place_of(b);
        (a == 0 ? own : others) +=
            fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", from.x, from.y, to.x, to.y);
      }
    const auto path = [](const std::string& lines, std::string_view style) {
      return lines.empty() ? "" : fmt::format("<path d=\"{}\" {}/>\n", lines, style);
    };
    return path(others, "stroke=\"#a0aec0\" stroke-width=\"0.7\" stroke-opacity=\"0.6\"") +
           path(own, own_style);
  }

  std::string ring() const {
    const double gap_px =
        2 * std::numbers::pi * ring_radius / static_cast<double>(std::max<std::size_t>(slots(), 6));
    // Boxes next to each other do not overlap at any angle: 0.8^2 + 0.58^2 < 1.
    const double width = std::min(46.0, 0.8 * gap_px), height = std::min(22.0, 0.58 * gap_px);
    const bool has_numbers =
        width > 6.0 * static_cast<double>(std::to_string(nodes_[shown_]).size()) + 2;
    std::string svg = chords();
    for (std::size_t slot = 0; slot < slots(); ++slot) {
      const auto at = place_of(slot);
      const auto group = group_at(slot);
      if (!group) {
        svg += svg_text({at.x, at.y + 4}, fmt::format("... {} more", shape_.groups - slots() + 1),
                        centered_text);
        continue;
      }
      const bool is_shown = *group == shown_;
      svg +=
          svg_box({at, width, height, 4},
                  is_shown ? fmt::format("fill=\"{}\"", node_fill) : std::string(part_style),
                  fmt::format("{} {}: {}", shape_.group, *group, counted(nodes_[*group], "node")));
      if (has_numbers)
        svg += svg_text({at.x, at.y + 3.5}, fmt::format("{}", nodes_[*group]),
                        is_shown ? "font-size=\"10\" fill=\"#ffffff\" text-anchor=\"middle\""
                                 : "font-size=\"10\" fill=\"#1a202c\" text-anchor=\"middle\"");
    }
    return svg;
  }

  // From the group in the ring to the panel that shows it.
  std::string zoom() const {
    const auto at = place_of(0);
    return fmt::format(
        "<path d=\"M{0:.1f} {1:.1f}L{2:.1f} {3:.1f}V{4:.1f}L{0:.1f} {5:.1f}Z\" "
        "fill=\"#edf2f7\"/>\n",
        at.x, at.y - 11, panel_left, panel_top, panel_bottom, at.y + 11);
  }

  std::string ring_words() const {
    const double y = ring_center.y + ring_radius + 50;
    if (shape_.groups == 1) return svg_lines({left_px, y}, {"1 " + shape_.group});
    return svg_lines(
        {left_px, y},
        {fmt::format("{}, every two connected", counted(shape_.groups, shape_.group)),
         fmt::format("by {}: {}", counted(shape_.global, "link"), global_links_.each()),
         fmt::format("Boxes: nodes of each {}", shape_.group)});
  }

  // The group in detail.

  std::string detail() const {
    const SvgBox panel{{(panel_left + panel_right) / 2, (panel_top + panel_bottom) / 2},
                       panel_right - panel_left,
                       panel_bottom - panel_top,
                       6};
    return svg_box(panel, frame_style) +
           svg_text({group_left, panel_top + 28},
                    fmt::format("{} {}: {}", capitalized(shape_.group), shown_,
                                counted(nodes_[shown_], "node")),
                    bold_text) +
           (shape_.spines > 0 ? cell() : group()) + nodes();
  }

  static constexpr double switch_y = 350;
  static constexpr double spine_y = 190;
  static constexpr double node_y = 470;

  Row row(std::size_t count, double y) const {
    return {.count = count, .y = y, .left = group_left, .width = group_width};
  }

  std::string switches(const Row& row, const char* what) const {
    std::string svg;
    for (const auto i : row.shown()) svg += svg_switch(*row.at(i), fmt::format("{} {}", what, i));
    return svg + row.dots();
  }

  // Leaf and spine switches, all connected.
  std::string cell() const {
    const auto spines = row(shape_.spines, spine_y), leaves = row(shape_.switches, switch_y);
    std::string links;
    for (const auto spine : spines.shown())
      for (const auto leaf : leaves.shown()) links += svg_line(*spines.at(spine), *leaves.at(leaf));
    const double between = (spine_y + switch_y) / 2;
    return svg_group(link_style, links) + global_ends(spines) + switches(spines, "spine switch") +
           switches(leaves, "leaf switch") +
           svg_lines({group_words, spine_y + 4},
                     {counted(shape_.spines, "spine switch"), global_links_each(shape_)}) +
           global_ratio({group_words, spine_y + 4 + 2 * line_px}) +
           svg_text({group_words, between + 4},
                    counted(shape_.local, "link") + " from each leaf to each spine:", plain_text) +
           svg_text({group_words, between + 4 + line_px}, local_links_.each(), plain_text) +
           svg_oversubscription({group_words, between + 4 + 2 * line_px}, nodes_of_busiest_leaf(),
                                local_links_of_leaf()) +
           svg_lines({group_words, switch_y + 4}, {counted(shape_.switches, "leaf switch"),
                                                   nodes_per_switch(on_switch_, "leaf switch")});
  }

  LinkBand nodes_of_busiest_leaf() const {
    const auto nodes = static_cast<double>(std::ranges::max(on_switch_));
    return {.links = 1, .Bps = node_links_.Bps * nodes / static_cast<double>(node_links_.links)};
  }
  LinkBand local_links_of_leaf() const {
    return {.links = 1, .Bps = local_links_.Bps / static_cast<double>(shape_.switches)};
  }

  // Links to other groups, as in the ring.
  std::string global_ends(const Row& row) const {
    if (shape_.groups == 1) return {};
    constexpr double end_px = 30;
    std::string ends;
    for (const auto i : row.shown())
      for (const double x : {-9.0, 0.0, 9.0})
        ends += svg_line(*row.at(i), {row.at(i)->x + x, row.y - end_px});
    return svg_group(own_style, ends) +
           svg_text({group_left, row.y - end_px - 12},
                    fmt::format("to the other {}",
                                shape_.groups > 2 ? shape_.group + "s" : shape_.group),
                    plain_text);
  }

  // Switches, every two connected.
  std::string group() const {
    const auto all = row(shape_.switches, switch_y);
    const double arcs_px = 130, between = switch_y - arcs_px + 20;
    std::string svg = mesh_arcs(all, arcs_px) + switches(all, "switch");
    if (shape_.switches > 1)
      svg += svg_text({group_words, between},
                      counted(shape_.local, "link") + " between every two switches:", plain_text) +
             svg_text({group_words, between + line_px}, local_links_.each(), plain_text);
    return svg +
           svg_lines({group_words, switch_y - 14},
                     {counted(shape_.switches, "switch"), nodes_per_switch(on_switch_, "switch"),
                      global_links_each(shape_)}) +
           global_ratio({group_words, switch_y - 14 + 3 * line_px});
  }

  // The bandwidth of the group's nodes and that of its links to other groups.
  std::string global_ratio(Place at) const {
    return global_links_.links == 0 ? "" : svg_oversubscription(at, node_links_, global_links_);
  }

  std::string nodes() const {
    const auto switches = row(shape_.switches, switch_y), boxes = row(shape_.switches, node_y);
    std::string links, svg;
    for (const auto i : boxes.shown()) {
      if (on_switch_[i] == 0) continue;
      links += svg_line(*boxes.at(i), *switches.at(i));
      svg += svg_nodes(*boxes.at(i), on_switch_[i], std::min(64.0, boxes.step() - 6));
    }
    return svg_group(link_style, links) + svg +
           svg_lines({group_words, node_y - 4},
                     {counted(nodes_[shown_], "node"), "1 link each: " + node_links_.each()});
  }

  const platforms::Machine& machine_;
  const GroupsDrawing& shape_;
  const platforms::Graph& graph_;
  std::vector<std::uint64_t> nodes_;                  // by group
  std::uint32_t shown_ = 0;                           // the group in detail
  std::vector<std::uint32_t> on_switch_;              // nodes of the switches of this group
  LinkBand node_links_, local_links_, global_links_;  // of this group
};

}  // namespace

std::string groups_picture(const platforms::Machine& machine, const platforms::Graph& graph,
                           const GroupsDrawing& drawing) {
  return GroupsPicture(machine, graph, drawing).svg();
}

}  // namespace tutti::reports::schematics
