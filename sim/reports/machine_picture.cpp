// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/machine_picture.hpp"

#include "platforms/topology_description.hpp"
#include "sim/reports/layout.hpp"
#include "sim/reports/schematics/schematics.hpp"
#include "sim/reports/svg.hpp"

namespace tutti::reports {

std::optional<std::string> machine_schematic(const platforms::Machine& machine) {
  const auto described = machine.topology->describe();
  const auto& drawing = described.schematic;
  const auto graph = machine.topology->graph();
  if (const auto* rings = std::get_if<platforms::RingsDrawing>(&drawing))
    return schematics::rings_picture(machine, graph, *rings);
  if (const auto* meshes = std::get_if<platforms::MeshesDrawing>(&drawing))
    return schematics::meshes_picture(machine, graph, *meshes);
  if (const auto* groups = std::get_if<platforms::GroupsDrawing>(&drawing))
    return schematics::groups_picture(machine, graph, *groups);
  const schematics::Levels levels(*machine.topology, graph);
  if (!levels.is_tree()) return std::nullopt;
  return machine.topology->rails() > 1 ? schematics::rails_picture(machine, graph, levels)
                                       : schematics::levels_picture(machine, graph, levels);
}

namespace {

// The links of a machine in its picture: one line for all links of a kind between two vertices.

// A kind of link, with a line in the legend.
struct CableKind {
  platforms::Link link;
  bool one_for_both_ways = false;  // both directions share the bandwidth
  int parallel = 1;                // links between the same two vertices
  std::size_t lines = 0;           // number of pairs of vertices with such links
};

// All links of one kind between two vertices.
struct CableLine {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::size_t kind = 0;  // index of `kinds`
  std::size_t edge = 0;  // one of its edges in the graph
};

struct PictureCables {
  std::vector<CableKind> kinds;  // in the order of their first appearance
  std::vector<CableLine> lines;
};

// Counts the edges with links of one kind between two vertices.
struct Bundle {
  int forth = 0;  // from the lower vertex to the higher one
  int back = 0;
  std::size_t first_edge = 0;
};

// A full-duplex link is two edges of the graph, and is drawn as one line.
PictureCables picture_cables(const platforms::Topology& topology, const platforms::Graph& graph) {
  using CableTraits = std::tuple<double, double, bool>;
  std::map<std::tuple<std::uint32_t, std::uint32_t, CableTraits>, Bundle> bundles;
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const auto& edge = graph.edges[i];
    const auto link = topology.link(edge.link);
    const auto [low, high] = std::minmax(edge.from, edge.to);
    const CableTraits kind{link.bandwidth_Bps, link.latency_s, edge.both_ways};
    Bundle& bundle = bundles.try_emplace({low, high, kind}, Bundle{0, 0, i}).first->second;
    if (edge.both_ways || edge.from == low) ++bundle.forth;
    if (edge.both_ways || edge.from != low) ++bundle.back;
  }
  PictureCables cables;
  std::map<std::pair<CableTraits, int>, std::size_t> numbers;
  for (const auto& [key, bundle] : bundles) {
    const auto& [a, b, kind] = key;
    const int parallel = std::max(bundle.forth, bundle.back);
    const auto [number, is_new] = numbers.try_emplace({kind, parallel}, cables.kinds.size());
    if (is_new)
      cables.kinds.push_back({.link = topology.link(graph.edges[bundle.first_edge].link),
                              .one_for_both_ways = std::get<bool>(kind),
                              .parallel = parallel});
    ++cables.kinds[number->second].lines;
    cables.lines.push_back({a, b, number->second, bundle.first_edge});
  }
  return cables;
}

// "12.5 GB/s, 100 ns, x8 (8 parallel links)".
std::string describe(const CableKind& kind) {
  std::string text = fmt::format("{}, {}", format_rate(kind.link.bandwidth_Bps),
                                 format_seconds(kind.link.latency_s));
  if (kind.one_for_both_ways) text += ", shared by both directions";
  if (kind.parallel > 1) text += fmt::format(", x{0} ({0} parallel links)", kind.parallel);
  return text;
}

using platforms::Graph;

constexpr double longest_side = 1500;
constexpr double longest_page = 6000;  // if hosts would overlap otherwise
constexpr double least_gap = 4;        // between two hosts
constexpr double most_per_unit = 60;
constexpr double margin = 40;
constexpr double title_height = 60;
constexpr double legend_height = 19;
constexpr std::array<std::string_view, 6> colors = {"#718096", "#2f855a", "#805ad5",
                                                    "#b7791f", "#c53030", "#0987a0"};
constexpr std::string_view host_color = "#2b6cb0";
constexpr std::string_view switch_color = "#dd6b20";
constexpr std::size_t most_kinds = colors.size();  // of links in the legend
constexpr std::ptrdiff_t most_counts = 40;
constexpr std::size_t most_named_hosts = 48;
constexpr std::size_t most_by_forces = 600;

Layout layout_of(const platforms::TopologyDescription& described, const Graph& graph) {
  using platforms::NodeLayout;
  switch (described.layout) {
    case NodeLayout::star:
      return star_layout(graph);
    case NodeLayout::layers:
      return layered_layout(graph);
    case NodeLayout::groups:
      return dragonfly_layout(graph, described.numbers_from_group);
    case NodeLayout::grid: {
      std::vector<std::uint32_t> sizes;
      for (const auto& ring : std::get<platforms::RingsDrawing>(described.schematic).rings)
        if (ring.size > 1) sizes.push_back(ring.size);
      if (!sizes.empty()) return torus_layout(graph, sizes);
      break;
    }
    case NodeLayout::by_forces:
      break;
  }
  return graph.hosts + graph.switches.size() <= most_by_forces ? force_layout(graph)
                                                               : layered_layout(graph);
}

// The least distance between two vertices in [from, to); infinite for fewer than two vertices.
double least_distance(const std::vector<Position>& at, std::size_t from, std::size_t to) {
  std::vector<Position> sorted(at.begin() + static_cast<std::ptrdiff_t>(from),
                               at.begin() + static_cast<std::ptrdiff_t>(to));
  std::sort(sorted.begin(), sorted.end(), [](auto a, auto b) { return a.x < b.x; });
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (std::size_t j = i + 1; j < sorted.size() && sorted[j].x - sorted[i].x < least; ++j)
      least = std::min(least, std::hypot(sorted[j].x - sorted[i].x, sorted[j].y - sorted[i].y));
  return least;
}

class Picture {
 public:
  Picture(const platforms::Machine& machine, const Graph& graph)
      : machine_(machine),
        graph_(graph),
        layout_(layout_of(machine.topology->describe(), graph)),
        cables_(picture_cables(*machine.topology, graph)) {
    legend_ = legend_of();
    fit();
  }

  std::string svg() {
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        width_, height_);
    title();
    for (std::size_t kind = 0; kind < cables_.kinds.size(); ++kind) cables(kind);
    counts();
    vertices();
    return svg_ + "</svg>\n";
  }

 private:
  struct LegendLine {
    enum class Mark { none, cable, vertices } mark;
    std::string text;
    std::size_t kind = 0;  // of a link
  };

  std::vector<LegendLine> legend_of() const {
    using Mark = LegendLine::Mark;
    std::vector<LegendLine> lines;
    if (!graph_.switches.empty()) lines.push_back({Mark::vertices, ""});
    const auto& kinds = cables_.kinds;
    // The last line shows one kind, or the number of all remaining kinds.
    const std::size_t reported = kinds.size() <= most_kinds ? kinds.size() : most_kinds - 1;
    for (std::size_t i = 0; i < reported; ++i)
      lines.push_back({Mark::cable, describe(kinds[i]), i});
    if (reported < kinds.size())
      lines.push_back(
          {Mark::cable, fmt::format("{} other kinds of links", kinds.size() - reported), reported});
    if (std::any_of(layout_.cut_edges.begin(), layout_.cut_edges.end(),
                    [](bool cut) { return cut; }))
      lines.push_back({Mark::none, "Short ends: links that wrap around to the other side."});
    return lines;
  }

  static std::string_view color_of(std::size_t kind) {
    return colors[std::min(kind, most_kinds - 1)];
  }

  // Lines are thinner if there are many links, and thicker for parallel links.
  double weight_of(std::size_t kind) const {
    const auto lines = static_cast<double>(cables_.lines.size());
    return std::clamp(60.0 / std::sqrt(1.0 + lines), 0.4, 1.6) *
           (1 + 0.5 * std::log2(cables_.kinds[kind].parallel));
  }

  // Scales the layout to the page, which grows if vertices would overlap.
  void fit() {
    double right = -1e300;
    double bottom = -1e300;
    for (const auto& [x, y] : layout_.at) {
      left_ = std::min(left_, x);
      top_ = std::min(top_, y);
      right = std::max(right, x);
      bottom = std::max(bottom, y);
    }
    const double extent = std::max({right - left_, bottom - top_, 1.0});
    const double host_gap = least_distance(layout_.at, 0, graph_.hosts);
    scale_ = std::min(most_per_unit, longest_side / extent);
    scale_ = std::max(scale_, std::min(least_gap / host_gap, longest_page / extent));
    radius_ =
        std::min(std::clamp(layout_.host_radius * scale_, 1.2, 12.0), 0.4 * host_gap * scale_);
    side_ = std::clamp(1.6 * radius_, 6.0, 18.0);
    side_ =
        std::min(side_, 0.7 * scale_ * least_distance(layout_.at, graph_.hosts, layout_.at.size()));
    cable_end_ = std::min(0.42, 0.8 * host_gap) * scale_;
    std::size_t longest = subtitle().size() + 6;
    for (const auto& line : legend_) longest = std::max(longest, line.text.size() + 6);
    width_ = std::max({(right - left_) * scale_ + 2 * margin,
                       7.0 * static_cast<double>(longest) + 2 * margin,
                       11.5 * static_cast<double>(printable(machine_.name).size()) + 2 * margin});
    const double head = title_height + legend_height * static_cast<double>(legend_.size());
    height_ = (bottom - top_) * scale_ + 2 * margin + head;
    shift_x_ = (width_ - (right - left_) * scale_) / 2;
    shift_y_ = margin + head;
  }

  Position place(std::uint32_t vertex) const {
    const auto& [x, y] = layout_.at[vertex];
    return {shift_x_ + (x - left_) * scale_, shift_y_ + (y - top_) * scale_};
  }

  std::string subtitle() const {
    const auto size = platforms::size_of(machine_);
    const auto switches = graph_.switches.size();
    return fmt::format("{}: {}{}", machine_.topology->kind(), platforms::describe(size),
                       switches == 0 ? "" : ", " + counted(switches, "switch"));
  }

  void title() {
    svg_ += fmt::format(
        "<text x=\"{0}\" y=\"34\" font-size=\"20\" fill=\"#1a202c\">{1}</text>\n"
        "<g font-size=\"13\" fill=\"#4a5568\">\n<text x=\"{0}\" y=\"56\">{2}</text>\n",
        margin, xml_escaped(machine_.name), subtitle());
    double y = 56;
    for (const auto& line : legend_) legend_line(line, y += legend_height);
    svg_ += "</g>\n";
  }

  void legend_line(const LegendLine& line, double y) {
    using Mark = LegendLine::Mark;
    if (line.mark == Mark::vertices) return key_of_vertices(y);
    if (line.mark == Mark::cable)
      svg_ += fmt::format("<path d=\"M{:.1f} {:.1f}h26\" stroke=\"{}\" stroke-width=\"{:.2f}\"/>\n",
                          margin, y - 4, color_of(line.kind), std::max(1.5, weight_of(line.kind)));
    svg_ += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n",
                        margin + (line.mark == Mark::cable ? 34 : 0), y, line.text);
  }

  void key_of_vertices(double y) {
    svg_ += fmt::format(
        "<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"5\" fill=\"{2}\"/>\n<text x=\"{3:.1f}\" "
        "y=\"{4:.1f}\">node</text>\n",
        margin + 13, y - 4, host_color, margin + 34, y);
    svg_ += fmt::format(
        "<rect x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"10\" height=\"10\" rx=\"1.5\" "
        "fill=\"{2}\"/>\n<text x=\"{3:.1f}\" y=\"{4:.1f}\">switch</text>\n",
        margin + 90, y - 9, switch_color, margin + 108, y);
  }

  // Draws both directions and all parallel links as one line.
  void cables(std::size_t kind) {
    std::string straight;
    std::string trunked;
    for (const auto& line : cables_.lines) {
      if (line.kind != kind) continue;
      const auto trunk = layout_.trunks.find({line.a, line.b});
      if (trunk != layout_.trunks.end())
        trunked += over_trunk(place(line.a), place(line.b), trunk->second);
      else if (is_cut(line))
        straight += cable_ends(place(line.a), place(line.b));
      else
        straight += cable(place(line.a), place(line.b));
    }
    add_lines(kind, straight, opacity());
    add_lines(kind, trunked, 0.65);
  }

  // Lines are more transparent if many cross. The lines of a grid rarely cross.
  double opacity() const {
    if (!layout_.cut_edges.empty()) return 0.65;
    return std::clamp(15 / std::sqrt(static_cast<double>(cables_.lines.size())), 0.25, 0.65);
  }

  void add_lines(std::size_t kind, const std::string& lines, double opacity) {
    if (lines.empty()) return;
    svg_ += fmt::format(
        "<g stroke=\"{}\" stroke-width=\"{:.2f}\" fill=\"none\" "
        "stroke-opacity=\"{:.2f}\">\n{}</g>\n",
        color_of(kind), weight_of(kind), opacity, lines);
  }

  bool is_cut(const CableLine& line) const {
    return !layout_.cut_edges.empty() && layout_.cut_edges[line.edge];
  }

  // Labels parallel links "x8" if they are few. The legend shows the number in any case.
  void counts() {
    const auto is_wide = [&](const CableLine& line) {
      return cables_.kinds[line.kind].parallel > 1 && !is_cut(line);
    };
    if (std::count_if(cables_.lines.begin(), cables_.lines.end(), is_wide) > most_counts) return;
    svg_ +=
        "<g font-size=\"10\" text-anchor=\"middle\" stroke=\"#ffffff\" stroke-width=\"3\" "
        "paint-order=\"stroke\">\n";
    for (const auto& line : cables_.lines) {
      if (!is_wide(line)) continue;
      const auto a = place(line.a);
      const auto b = place(line.b);
      svg_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">x{}</text>\n",
                          a.x + 0.4 * (b.x - a.x), a.y + 0.4 * (b.y - a.y) + 3.5,
                          color_of(line.kind), cables_.kinds[line.kind].parallel);
    }
    svg_ += "</g>\n";
  }

  static std::string line(Position a, Position b) {
    return fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", a.x, a.y, b.x, b.y);
  }

  std::string over_trunk(Position host, Position above, double trunk) const {
    const double x = shift_x_ + (trunk - left_) * scale_;
    const double y = shift_y_ + (layout_.trunk_top - top_) * scale_;
    return fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}V{:.1f}L{:.1f} {:.1f}\"/>\n", host.x, host.y,
                       x, y, above.x, above.y);
  }

  std::string cable(Position a, Position b) const {
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (!layout_.curved || length < 2.5 * scale_) return line(a, b);
    const Position middle{(a.x + b.x) / 2 - 0.12 * (b.y - a.y),
                          (a.y + b.y) / 2 + 0.12 * (b.x - a.x)};
    return fmt::format("<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\"/>\n", a.x, a.y,
                       middle.x, middle.y, b.x, b.y);
  }

  // Draws a wraparound link as two ends that point away from each other.
  std::string cable_ends(Position a, Position b) const {
    const double length = std::max(1.0, std::hypot(b.x - a.x, b.y - a.y));
    const Position step{cable_end_ * (b.x - a.x) / length, cable_end_ * (b.y - a.y) / length};
    return line(a, {a.x - step.x, a.y - step.y}) + line(b, {b.x + step.x, b.y + step.y});
  }

  void vertices() {
    svg_ += fmt::format("<g fill=\"{}\">\n", host_color);
    for (std::uint32_t host = 0; host < graph_.hosts; ++host) {
      const auto [x, y] = place(host);
      svg_ += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.2f}\"><title>{}</title></circle>"
          "\n",
          x, y, radius_, xml_escaped(machine_.topology->host_name(host)));
    }
    svg_ += fmt::format("</g>\n<g fill=\"{}\">\n", switch_color);
    for (std::size_t i = 0; i < graph_.switches.size(); ++i) {
      const auto [x, y] = place(static_cast<std::uint32_t>(graph_.hosts + i));
      svg_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
          "rx=\"1.5\"><title>{}</title></rect>\n",
          x - side_ / 2, y - side_ / 2, side_, side_, xml_escaped(graph_.switches[i]));
    }
    svg_ += "</g>\n";
    names();
  }

  // Prints the numbers of the hosts if they fit.
  void names() {
    if (graph_.hosts > most_named_hosts || radius_ < 7) return;
    svg_ += "<g font-size=\"9\" fill=\"#ffffff\" text-anchor=\"middle\">\n";
    for (std::uint32_t host = 0; host < graph_.hosts; ++host) {
      const auto [x, y] = place(host);
      svg_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x, y + 3.2, host);
    }
    svg_ += "</g>\n";
  }

  const platforms::Machine& machine_;
  const Graph& graph_;
  Layout layout_;
  PictureCables cables_;
  std::vector<LegendLine> legend_;
  std::string svg_;
  double left_ = 1e300;
  double top_ = 1e300;
  double scale_ = 1;
  double radius_ = 1;     // of a host
  double side_ = 1;       // of a switch
  double cable_end_ = 1;  // length of the ends of a wraparound link
  double width_ = 0;
  double height_ = 0;
  double shift_x_ = 0;
  double shift_y_ = 0;
};

}  // namespace

Result<std::string> machine_picture(const platforms::Machine& machine, bool all_nodes) {
  const bool is_legible = machine.host_count() <= machine.topology->describe().most_single_nodes;
  if (!all_nodes && !is_legible && machine.host_count() <= most_schematic_hosts)
    if (auto schematic = machine_schematic(machine)) return *std::move(schematic);
  const auto too_large = [&] {
    return usage_error("",
                       fmt::format("{} has {} nodes, too many to draw each one",
                                   printable(machine.name), machine.host_count()),
                       fmt::format("at most {} nodes and switches and {} links can be drawn; use "
                                   "`sim platform new` to create a smaller machine of this kind",
                                   most_drawn_vertices, most_drawn_edges));
  };
  if (machine.host_count() > most_drawn_vertices) return too_large();
  const Graph graph = machine.topology->graph();
  if (graph.hosts + graph.switches.size() > most_drawn_vertices ||
      graph.edges.size() > most_drawn_edges)
    return too_large();
  return Picture(machine, graph).svg();
}

}  // namespace tutti::reports
