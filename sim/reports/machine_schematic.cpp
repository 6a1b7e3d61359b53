// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/machine_schematic.hpp"

#include "platforms/graph.hpp"
#include "sim/base/text_file.hpp"
#include "sim/reports/svg.hpp"

namespace tutti::reports {
namespace {

constexpr double left_px = 40;
constexpr double drawn_px = 640;  // width of switches and boxes
constexpr double words_px = 730;  // where the text of a level begins
constexpr double page_px = 1120;
constexpr double head_px = 100;
constexpr double level_px = 130;
// Shown vertices of a level. If it has more, the first ones and the last two are shown.
constexpr std::size_t most_shown = 9;
constexpr std::size_t first_shown = 6;
constexpr std::string_view node_fill = "#2b6cb0";
constexpr std::string_view switch_fill = "#dd6b20";

struct Place {
  double x = 0;
  double y = 0;
};

std::string svg_text(Place at, std::string_view text, std::string_view style) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", at.x, at.y, style,
                     xml_escaped(std::string(text)));
}

// "torus 16,8,8", "fat tree of 3 levels".
std::string topology_text(const platforms::Topology& topology) {
  const auto kind = topology.kind(), parameters = topology.parameters();
  if (kind == "fat tree")
    if (const auto levels = parse_integer(parameters.substr(0, parameters.find(';'))))
      return fmt::format("{} of {}", kind, counted(*levels, "level"));
  return fmt::format("{}{}{}", kind, parameters.empty() ? "" : " ", parameters);
}

std::string svg_page(const platforms::Machine& machine, double height_px, const std::string& body) {
  const auto size = platforms::describe(platforms::size_of(machine));
  const auto subtitle = fmt::format("{}: {}", topology_text(*machine.topology), size);
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\">\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
             page_px, height_px) +
         svg_text({left_px, 34}, printable(machine.name), "font-size=\"20\" fill=\"#1a202c\"") +
         svg_text({left_px, 56}, printable(subtitle), "font-size=\"13\" fill=\"#4a5568\"") + body +
         "</svg>\n";
}

// The x positions of vertices side by side; unset for vertices that are not shown.
std::vector<std::optional<double>> places_of(std::size_t count) {
  std::vector<std::optional<double>> places(count);
  const bool is_cut = count > most_shown;
  const std::size_t slots = is_cut ? most_shown : count;
  const double step = drawn_px / static_cast<double>(slots);
  const auto at = [&](std::size_t slot) {
    return left_px + step * (static_cast<double>(slot) + 0.5);
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_cut || i < first_shown) places[i] = at(i);
    if (is_cut && i + 2 >= count) places[i] = at(slots + i - count);
  }
  return places;
}
std::string dots(std::size_t count, double y) {
  if (count <= most_shown) return {};
  const double step = drawn_px / static_cast<double>(most_shown);
  return svg_text({left_px + step * (first_shown + 0.5), y},
                  fmt::format("... {} more", count - most_shown + 1),
                  "font-size=\"12\" fill=\"#4a5568\" text-anchor=\"middle\"");
}

// The links between a level and the next one above it.
struct CableBand {
  std::size_t cables = 0;
  double Bps = 0;                                               // total, in one direction
  std::map<std::pair<double, double>, std::size_t> kinds = {};  // by bandwidth and latency
};

// Groups nodes and switches by their distance from the nodes, which are level 0.
class Levels {
 public:
  Levels(const platforms::Topology& topology, const platforms::Graph& graph)
      : topology_(topology), graph_(graph) {
    const std::size_t vertices = graph.hosts + graph.switches.size();
    near_.resize(vertices);
    for (const auto& edge : graph.edges) {
      near_[edge.from].push_back(edge.to);
      near_[edge.to].push_back(edge.from);
    }
    measure();
    is_tree_ = graph.hosts > 0 && !graph.switches.empty();
    for (const auto& edge : graph.edges) add(edge);
    group_nodes();
  }

  // True if all links connect adjacent levels.
  bool is_tree() const { return is_tree_; }
  std::size_t count() const { return switches_.size(); }
  const std::vector<std::uint32_t>& switches(std::size_t level) const { return switches_[level]; }
  const CableBand& above(std::size_t level) const { return bands_[level]; }
  std::size_t level(std::uint32_t vertex) const { return level_[vertex]; }
  // Numbers of nodes connected to the same switches.
  const std::map<std::vector<std::uint32_t>, std::size_t>& groups() const { return groups_; }

 private:
  static constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();

  void measure() {
    level_.assign(near_.size(), unknown);
    std::vector<std::uint32_t> wave;
    for (std::uint32_t host = 0; host < graph_.hosts; ++host) wave.push_back(host);
    for (std::size_t level = 0; !wave.empty(); ++level) {
      std::vector<std::uint32_t> next;
      for (const auto vertex : wave) level_[vertex] = level;
      for (const auto vertex : wave)
        for (const auto other : near_[vertex])
          if (level_[other] == unknown) {
            level_[other] = level + 1;
            next.push_back(other);
          }
      std::ranges::sort(wave);
      switches_.push_back(std::move(wave));
      wave = std::move(next);
    }
    bands_.resize(switches_.size());
  }

  void add(const platforms::Graph::Edge& edge) {
    const std::size_t from = level_[edge.from], to = level_[edge.to];
    const std::size_t low = std::min(from, to);
    is_tree_ = is_tree_ && from != to && std::max(from, to) == low + 1;
    if (!is_tree_ || (!edge.both_ways && from > to)) return;
    const auto link = topology_.link(edge.link);
    CableBand& band = bands_[low];
    ++band.cables;
    band.Bps += link.bandwidth_Bps;
    ++band.kinds[{link.bandwidth_Bps, link.latency_s}];
  }

  void group_nodes() {
    for (std::uint32_t host = 0; host < graph_.hosts; ++host) {
      auto on = near_[host];
      std::ranges::sort(on);
      on.erase(std::unique(on.begin(), on.end()), on.end());
      ++groups_[on];
    }
  }

  const platforms::Topology& topology_;
  const platforms::Graph& graph_;
  std::vector<std::vector<std::uint32_t>> near_;  // by vertex
  std::vector<std::size_t> level_;                // by vertex
  std::vector<std::vector<std::uint32_t>> switches_;
  std::vector<CableBand> bands_;
  std::map<std::vector<std::uint32_t>, std::size_t> groups_;
  bool is_tree_ = false;
};

std::string many(std::size_t count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

class LevelsPicture {
 public:
  LevelsPicture(const platforms::Machine& machine, const platforms::Graph& graph,
                const Levels& levels)
      : machine_(machine), graph_(graph), levels_(levels) {
    for (std::size_t level = 1; level < levels.count(); ++level) {
      const auto& switches = levels.switches(level);
      const auto places = places_of(switches.size());
      for (std::size_t i = 0; i < switches.size(); ++i)
        if (places[i]) at_[switches[i]] = {*places[i], y_of(level)};
    }
  }

  std::string svg() const {
    return svg_page(machine_, y_of(0) + 60, cables() + switches() + boxes() + words());
  }

 private:
  double y_of(std::size_t level) const {
    return head_px + level_px * static_cast<double>(levels_.count() - 1 - level);
  }

  // Only links of the switches that are shown.
  std::string cables() const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const auto& edge : graph_.edges)
      if (at_.contains(edge.from) && at_.contains(edge.to))
        pairs.insert(std::minmax(edge.from, edge.to));
    std::string svg = "<g stroke=\"#718096\" stroke-width=\"1.2\" stroke-opacity=\"0.6\">\n";
    const auto line = [&](Place a, Place b) {
      svg += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", a.x, a.y, b.x, b.y);
    };
    for (const auto& [a, b] : pairs) line(at_.at(a), at_.at(b));
    for (const auto& [on, count] : levels_.groups())
      if (const auto box = box_of(on))
        for (const auto vertex : on) line(*box, at_.at(vertex));
    return svg + "</g>\n";
  }

  std::string switches() const {
    std::string svg = fmt::format("<g fill=\"{}\">\n", switch_fill);
    for (const auto& [vertex, place] : at_)
      svg += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"34\" height=\"16\" rx=\"3\"><title>{}</title>"
          "</rect>\n",
          place.x - 17, place.y - 8, xml_escaped(graph_.switches[vertex - graph_.hosts]));
    svg += "</g>\n";
    for (std::size_t level = 1; level < levels_.count(); ++level)
      svg += dots(levels_.switches(level).size(), y_of(level) + 4);
    return svg;
  }

  // The box of nodes is centered below its switches. Unset unless all of these are shown.
  std::optional<Place> box_of(const std::vector<std::uint32_t>& on) const {
    double sum = 0;
    for (const auto vertex : on) {
      const auto found = at_.find(vertex);
      if (found == at_.end()) return std::nullopt;
      sum += found->second.x;
    }
    if (on.empty()) return std::nullopt;
    return Place{sum / static_cast<double>(on.size()), y_of(0)};
  }

  std::string boxes() const {
    std::string svg;
    std::size_t shown = 0;
    for (const auto& [on, count] : levels_.groups()) {
      const auto place = box_of(on);
      if (!place) continue;
      ++shown;
      svg += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"64\" height=\"34\" rx=\"5\" fill=\"{}\"/>\n",
          place->x - 32, place->y - 17, node_fill);
      constexpr std::string_view style = "font-size=\"12\" fill=\"#ffffff\" text-anchor=\"middle\"";
      svg += svg_text({place->x, place->y - 2}, fmt::format("{}", count), style) +
             svg_text({place->x, place->y + 12}, count == 1 ? "node" : "nodes", style);
    }
    return svg;
  }

  static std::string words_of(const CableBand& band) {
    constexpr std::size_t most_kinds_named = 2;
    std::string text;
    for (const auto& [kind, count] : band.kinds) {
      text += fmt::format("{}{} of {}, {}", text.empty() ? "" : "; ", many(count, "link", "links"),
                          format_rate(kind.first), format_seconds(kind.second));
      if (band.kinds.size() > most_kinds_named)
        return text + fmt::format("; {} more kinds", band.kinds.size() - 1);
    }
    return text;
  }

  // Compares the bandwidth of the links below a level of switches with that of the links above it.
  std::string oversubscription(std::size_t level) const {
    const double ratio = levels_.above(level - 1).Bps / levels_.above(level).Bps;
    constexpr double equal = 1.005;
    if (ratio < equal) return "not oversubscribed";
    return fmt::format("oversubscribed {:.3g}:1", ratio);
  }

  std::string words() const {
    constexpr std::string_view style = "font-size=\"13\" fill=\"#4a5568\"";
    std::string svg;
    for (std::size_t level = 0; level < levels_.count(); ++level) {
      const double y = y_of(level) + 4;
      const std::size_t here = levels_.switches(level).size();
      svg += svg_text({words_px, y},
                      level == 0 ? platforms::describe(platforms::size_of(machine_))
                                 : many(here, "switch", "switches"),
                      "font-size=\"13\" fill=\"#1a202c\" font-weight=\"bold\"");
      if (level + 1 == levels_.count()) continue;
      const double between = y - level_px / 2;
      svg += svg_text({words_px, between}, words_of(levels_.above(level)), style);
      if (level == 0) continue;
      const std::string ratio = oversubscription(level);
      svg += svg_text({words_px, between + 18}, ratio,
                      ratio.starts_with("over") ? "font-size=\"13\" fill=\"#c53030\"" : style);
    }
    return svg;
  }

  const platforms::Machine& machine_;
  const platforms::Graph& graph_;
  const Levels& levels_;
  std::map<std::uint32_t, Place> at_;  // positions of the switches that are shown
};

// The sizes of a torus. Parameters are "16,8,8" or, if the torus of a job is folded onto a network
// with more dimensions, "8,8,8 on 2,2,4".
std::vector<std::size_t> ring_sizes(const platforms::Topology& topology) {
  std::string parameters = topology.parameters();
  if (const auto on = parameters.find(" on "); on != std::string::npos)
    parameters = parameters.substr(on + 4);
  std::vector<std::size_t> sizes;
  for (const auto part : split(parameters, ',')) {
    const auto size = parse_integer(trim(part));
    if (!size || *size < 1) return {};
    sizes.push_back(static_cast<std::size_t>(*size));
  }
  return sizes;
}

// One dimension: its nodes in a row, and the wraparound link above them.
std::string ring(std::size_t size, double y) {
  const auto places = places_of(size);
  std::string lines, nodes;
  std::optional<double> last;
  for (const auto& x : places) {
    if (!x) {
      last = std::nullopt;
      continue;
    }
    if (last) lines += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", *last, y, *x);
    nodes += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"9\"/>\n", *x, y);
    last = x;
  }
  if (size > 2)
    lines += fmt::format(
        "<path d=\"M{0:.1f} {2:.1f}C{0:.1f} {3:.1f} {1:.1f} {3:.1f} {1:.1f} {2:.1f}\"/>\n",
        *places.front(), *places.back(), y, y - 48);
  return fmt::format(
             "<g stroke=\"#718096\" stroke-width=\"1.6\" fill=\"none\">\n{}</g>\n"
             "<g fill=\"{}\">\n{}</g>\n",
             lines, node_fill, nodes) +
         dots(size, y + 4);
}

std::optional<std::string> rings_picture(const platforms::Machine& machine) {
  const auto& topology = *machine.topology;
  const auto sizes = ring_sizes(topology);
  if (sizes.empty()) return std::nullopt;
  const auto graph = topology.graph();
  if (graph.edges.empty()) return std::nullopt;
  const auto link = topology.link(graph.edges.front().link);
  constexpr double ring_px = 80;
  double y = head_px + 30;
  std::string body =
      svg_text({left_px, 78},
               fmt::format("Each node is on one ring per dimension; links of {}, {}",
                           format_rate(link.bandwidth_Bps), format_seconds(link.latency_s)),
               "font-size=\"13\" fill=\"#4a5568\"");
  for (std::size_t i = 0; i < sizes.size(); ++i, y += ring_px)
    body += ring(sizes[i], y) +
            svg_text({words_px, y + 4},
                     fmt::format("dimension {}: {}{}", i + 1, many(sizes[i], "node", "nodes"),
                                 sizes[i] > 2 ? ", a ring" : ""),
                     "font-size=\"13\" fill=\"#1a202c\"");
  return svg_page(machine, y - ring_px + 50, body);
}

}  // namespace

std::optional<std::string> machine_schematic(const platforms::Machine& machine) {
  if (machine.topology->kind().ends_with("torus")) return rings_picture(machine);
  const auto graph = machine.topology->graph();
  const Levels levels(*machine.topology, graph);
  if (!levels.is_tree()) return std::nullopt;
  return LevelsPicture(machine, graph, levels).svg();
}

}  // namespace tutti::reports
